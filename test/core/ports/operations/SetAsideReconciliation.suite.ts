// What every store's reconciliation reports of quotes that do not end, of money set aside and of refunded links.
import { Effect } from "effect"
import { expect } from "vitest"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { LinkId, OrderId, PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { openQuote, paidOrder } from "../ordering/OrderFixtures.ts"
import { cancelLinkById, pay } from "../ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { corruptLink, corruptQuote } from "./CorruptBooks.ts"
import { brokenBy } from "./Reconciliation.suite.ts"

export const setAsideReconciliationSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Reconciliation of ${name} names`, store, (it) => {
    it.effect("an open quote long past its expiry, and money set aside that is a payment too", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        const quoteId = QuoteId.make(`${quote.quoteId}old`)
        const old = { ...quote, quoteId, paymentToken: quoteId, expiresAtMs: quote.createdAtMs - 2 * DAY_MS }
        const payment = { paymentId: PaymentId.make(`pay_${quoteId}`), quoteId, amountCents: 7, currency: "EUR" }
        const setAside = { ...payment, reason: "amount" as const, atMs: 0, outcome: null }
        yield* corruptQuote(quote.quoteId, () => [{ _tag: "QuoteOpened", quote: old }])
        yield* corruptQuote(quote.quoteId, () => [{ _tag: "PaymentSetAside", setAside }])
        expect(yield* brokenBy(quoteId)).toEqual(["quote_ends"])
        expect(yield* brokenBy(payment.paymentId)).toEqual([])
        yield* corruptQuote(quote.quoteId, () => [{ _tag: "PaymentRecorded", payment }])
        expect(yield* brokenBy(payment.paymentId)).toEqual(["set_aside_is_kept"])
      })
    )

    it.effect(
      "a refunded link without the credit that it says it gave, and refunded links with more than credit paid",
      () =>
        Effect.gen(function* () {
          const { plain, inArticle, accountId, quote } = yield* paidOrder
          const move = { to: "cancelled" as const, atMs: 0, reason: null, publishedUrl: null, refunded: true }
          yield* corruptLink(plain, () => [{ _tag: "LinkMoved", move: { ...move, linkId: plain, creditedCents: 1 } }])
          expect(yield* brokenBy(plain, quote.quoteId)).toEqual(["recredited_once"])
          expect(yield* brokenBy(accountId)).toEqual(["money_is_conserved"])
          const creditedCents = quote.creditCents
          yield* corruptLink(inArticle, () => [
            { _tag: "LinkMoved", move: { ...move, linkId: inArticle, creditedCents } }
          ])
          expect(yield* brokenBy(quote.quoteId)).toEqual(["money_goes_back_once"])
        })
    )

    it.effect("nothing about an order of credit and card that was cancelled as refunded", () =>
      Effect.gen(function* () {
        const { quote, accountId, quoteId } = yield* openQuote
        const { orderId } = (yield* pay(quote)).quote
        const found = yield* (yield* Orders).byId(orderId ?? OrderId.make(""))
        const [linkId = LinkId.make("")] = found?.order.linkIds ?? []
        yield* cancelLinkById(linkId, { refunded: true })
        expect(found?.links).toHaveLength(1)
        expect(yield* brokenBy(linkId, accountId, quoteId, orderId ?? "")).toEqual([])
      })
    )
  })
}
