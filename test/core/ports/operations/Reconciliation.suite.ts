// What every store promises of Reconciliation: no violation where only decisions have written, and each violation reported.
import { Effect, Exit } from "effect"
import { expect } from "vitest"
import { Draft } from "#core/decisions/Draft.ts"
import { newDelivery } from "#core/decisions/webhooks/RaiseEvent.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { DeliveryId, OrderId, PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import {
  everyOutcome,
  missingEventOf,
  openQuote,
  orderWithoutEvent,
  paidOrder,
  welcomeOfferSettings
} from "../ordering/OrderFixtures.ts"
import { addSubscription } from "../ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { corruptLink, corruptQuote } from "./CorruptBooks.ts"

const MANY = 1_000

/** The invariants that any of these subjects breaks. */
export const brokenBy = Effect.fnUntraced(function* (...subjects: ReadonlyArray<string>) {
  const { reconcile } = yield* Reconciliation
  const { violations } = yield* reconcile(MANY)
  return violations.filter(({ subject }) => subjects.includes(subject)).map(({ invariant }) => invariant)
})

/** What contradicts itself cannot be written in every store. Where it can, it is reported; the invariants that it breaks are returned. */
export const brokenUnlessRefused = Effect.fnUntraced(function* <E, R>(
  written: Effect.Effect<unknown, E, R>,
  subject: string
) {
  return Exit.isSuccess(yield* Effect.exit(written)) ? yield* brokenBy(subject) : ("refused" as const)
})

export const reconciliationSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Reconciliation of ${name}, over sound books,`, store, (it) => {
    it.effect("reports no violation after every outcome of quotes, orders and links", () =>
      Effect.gen(function* () {
        const { reconcile } = yield* Reconciliation
        yield* everyOutcome
        const { violations, checked } = yield* reconcile(MANY)
        expect(violations).toEqual([])
        expect(checked).toEqual({
          accounts: 10,
          ledgerEntries: 24,
          quotes: 11,
          orders: 8,
          links: 10,
          events: 10,
          deliveries: 2
        })
      })
    )
  })

  storeSuite(`Reconciliation of ${name} reports`, store, (it) => {
    it.effect("a quote that does not add up, and a day that does not count it", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        const quoteId = QuoteId.make(`${quote.quoteId}b`)
        const copy = { ...quote, quoteId, paymentToken: quoteId, grossCents: quote.grossCents + 1 }
        yield* corruptQuote(quote.quoteId, () => [{ _tag: "QuoteOpened", quote: copy }])
        expect(yield* brokenBy(quoteId)).toEqual(["quote_adds_up"])
        expect(yield* brokenBy(`${quote.keyId}/${utcDay(quote.createdAtMs)}`)).toEqual(["day_is_counted"])
      })
    )

    it.effect("a payment that neither paid an order nor became credit, and a paid quote without its order", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        const { quoteId, accountId } = quote
        yield* corruptQuote(quoteId, () => [
          {
            _tag: "PaymentRecorded",
            payment: { paymentId: PaymentId.make(`pay_${quoteId}`), quoteId, amountCents: 7, currency: "EUR" }
          }
        ])
        expect(yield* brokenBy(quoteId)).toEqual(["payment_is_kept"])
        expect(yield* brokenBy(accountId)).toEqual(["money_is_conserved"])
        const settled = corruptQuote(quoteId, () => [
          { _tag: "QuoteSettled", quoteId, orderId: OrderId.make("ord_none"), holdId: null }
        ])
        const broken = yield* brokenUnlessRefused(settled, quoteId)
        if (broken === "refused") expect(yield* brokenBy(quoteId)).toEqual(["payment_is_kept"])
        else expect(broken).toEqual(["payment_is_kept", "quote_has_its_order"])
      })
    )

    it.effect("an order without links, and without the event that a webhook awaits", () =>
      Effect.gen(function* () {
        const { orderId } = yield* orderWithoutEvent
        expect(new Set(yield* brokenBy(orderId))).toEqual(new Set(["order_has_its_links", "event_is_queued"]))
      })
    )

    it.effect("a cancelled link that was not recredited, and a published link without its event", () =>
      Effect.gen(function* () {
        const { plain, inArticle, accountId, orderId, article } = yield* paidOrder
        const to = { atMs: 0, reason: null, publishedUrl: null }
        yield* corruptLink(plain, () => [{ _tag: "LinkMoved", move: { ...to, linkId: plain, to: "cancelled" } }])
        expect(yield* brokenBy(plain, orderId)).toEqual(["recredited_once"])
        expect(yield* brokenBy(accountId)).toEqual(["money_is_conserved"])
        yield* corruptLink(inArticle, () => [
          { _tag: "LinkMoved", move: { ...to, linkId: inArticle, to: "published" } }
        ])
        expect(yield* brokenBy(orderId)).toEqual(["order_is_announced"])
        yield* corruptLink(inArticle, () => [
          { _tag: "LinkMoved", move: { ...to, linkId: inArticle, to: "cancelled" } }
        ])
        expect(yield* brokenBy(String(article.articleId))).toEqual(["article_is_sold_once"])
      })
    )

    it.effect("a quote bound to two idempotency keys", () =>
      Effect.gen(function* () {
        const { quote } = yield* paidOrder
        const { quoteId, keyId, accountId, mode } = quote
        const whose = { keyId, accountId, mode, boundScope: "account" as const }
        const binding = { ...whose, idempotencyKey: "other", fingerprint: "f", quoteId, response: null, boundAtMs: 0 }
        const written = corruptQuote(quoteId, () => [{ _tag: "KeyBound", binding }])
        const broken = yield* brokenUnlessRefused(written, quoteId)
        if (broken === "refused") expect(yield* brokenBy(quoteId)).toEqual([])
        else expect(broken).toContain("key_is_bound_once")
      })
    )

    it.effect("a day that counts one quote too many", () =>
      Effect.gen(function* () {
        const { quoteId, keyId, createdAtMs } = (yield* paidOrder).quote
        const day = utcDay(createdAtMs)
        yield* corruptQuote(quoteId, () => [{ _tag: "DailyOrderCounted", keyId, day }])
        expect(yield* brokenBy(`${keyId}/${day}`)).toEqual(["day_is_counted"])
      })
    )

    it.effect("an article that is free, or sold, while an open quote reserves it", () =>
      Effect.gen(function* () {
        for (const _tag of ["ArticleFreed", "ArticleSold"] as const) {
          const { quoteId, article } = yield* openQuote
          const { articleId } = article
          yield* corruptQuote(quoteId, () => [{ _tag, articleId, quoteId }])
          expect(new Set(yield* brokenBy(String(articleId)))).toEqual(new Set(["article_is_sold_once"]))
        }
      })
    )

    it.effect("a promotion code that is released, or spent, while an open quote reserves it, if written", () =>
      Effect.gen(function* () {
        for (const _tag of ["PromoReleased", "PromoSpent"] as const) {
          const { quoteId, accountId, code } = yield* openQuote
          const written = yield* Effect.exit(corruptQuote(quoteId, () => [{ _tag, code, quoteId, accountId }]))
          const expected = Exit.isSuccess(written) ? ["promo_is_counted"] : []
          expect(new Set(yield* brokenBy(code))).toEqual(new Set(expected))
        }
      })
    )

    it.effect("a welcome offer that is released, or spent, while an open quote reserves it", () =>
      Effect.gen(function* () {
        for (const _tag of ["WelcomeReleased", "WelcomeSpent"] as const) {
          const { caller } = yield* buyer()
          const items = linksOn(yield* listSite())
          const { quoteId, accountId } = (yield* order(caller, { items, settings: welcomeOfferSettings })).quote
          yield* corruptQuote(quoteId, () => [{ _tag, accountId, quoteId, domains: [] }])
          expect(new Set(yield* brokenBy(accountId))).toEqual(new Set(["welcome_is_given_once"]))
        }
      })
    )

    it.effect("an event that was not queued, and a delivery with a body other than its event's", () =>
      Effect.gen(function* () {
        const corrupt = yield* orderWithoutEvent
        const event = missingEventOf(corrupt)
        const { quoteId } = corrupt.quote
        yield* corruptQuote(quoteId, () => [{ _tag: "EventRaised", event }])
        expect(yield* brokenBy(event.eventId)).toEqual(["event_is_queued"])
        const subscription = yield* addSubscription(corrupt.caller)
        const deliveryId = DeliveryId.make(`dlv_${event.eventId}`)
        yield* corruptQuote(quoteId, (books, context) => {
          const draft = new Draft(books, context)
          const delivery = newDelivery(draft, subscription, { ...event, event: event.type, body: "[]" })
          return [{ _tag: "DeliveryQueued", delivery: { ...delivery, deliveryId } }]
        })
        expect(yield* brokenBy(deliveryId)).toEqual(["delivery_is_true"])
      })
    )

    it.effect("at most the requested number of violations per invariant", () =>
      Effect.gen(function* () {
        const { reconcile } = yield* Reconciliation
        const { accountId } = (yield* buyer()).account
        yield* topUpAccount(accountId, 5)
        const { violations } = yield* reconcile(1)
        const named = violations.map(({ invariant }) => invariant)
        expect(named.length).toBeGreaterThan(10)
        expect(new Set(named).size).toBe(named.length)
        expect(violations.every(({ message }) => message.length > 0)).toBe(true)
      })
    )
  })
}
