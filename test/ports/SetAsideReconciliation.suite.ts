// What every store's reconciliation reports of quotes that do not end and of money set aside.
import { Effect } from "effect"
import { expect } from "vitest"
import { DAY_MS } from "#core/domain/DecisionContext.ts"
import { corruptQuote } from "./CorruptBooks.ts"
import { brokenBy } from "./Reconciliation.suite.ts"
import { buyer, linksOn, listSite, order } from "./ShopSetup.ts"
import { type StoreLayer, storeSuite } from "./StoreSuite.ts"

export const setAsideReconciliationSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Reconciliation of ${name} names`, store, (it) => {
    it.effect("an open quote long past its expiry, and money set aside that is a payment too", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        const quoteId = `${quote.quoteId}old`
        const old = { ...quote, quoteId, paymentToken: quoteId, expiresAtMs: quote.createdAtMs - 2 * DAY_MS }
        const payment = { paymentId: `pay_${quoteId}`, quoteId, amountCents: 7, currency: "EUR" }
        const setAside = { ...payment, reason: "amount" as const, atMs: 0, outcome: null }
        yield* corruptQuote(quote.quoteId, () => [{ _tag: "QuoteOpened", quote: old }])
        yield* corruptQuote(quote.quoteId, () => [{ _tag: "PaymentSetAside", setAside }])
        expect(yield* brokenBy(quoteId)).toEqual(["quote_ends"])
        expect(yield* brokenBy(payment.paymentId)).toEqual([])
        yield* corruptQuote(quote.quoteId, () => [{ _tag: "PaymentRecorded", payment }])
        expect(yield* brokenBy(payment.paymentId)).toEqual(["set_aside_is_kept"])
      })
    )
  })
}
