// Conformance of Reconciliation: nothing is found in a shop that only decisions have written, and whatever breaks a law is named.
import { Effect } from "effect"
import { expect } from "vitest"
import { begin } from "#core/decisions/Draft.ts"
import { newDelivery } from "#core/decisions/Fulfil.ts"
import { utcDay } from "#core/domain/DecisionContext.ts"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import { listen } from "./Deeds.ts"
import { commit, entry, onLink, onQuote } from "./Misdeeds.ts"
import { bought, busy, eventOf, open, silentOrder, welcoming } from "./Situations.ts"
import { type StoreLayer, storeSuite } from "./StoreSuite.ts"
import { buyer, deposit, linksOn, listSite, order } from "./World.ts"

const MANY = 1_000

/** The laws that are broken about any of these subjects. */
const brokenAbout = Effect.fnUntraced(function* (...subjects: ReadonlyArray<string>) {
  const { prove } = yield* Reconciliation
  const { findings } = yield* prove(MANY)
  return findings.filter(({ subject }) => subjects.includes(subject)).map(({ law }) => law)
})

export const reconciliationSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Reconciliation of ${name}, where all is well,`, store, (it) => {
    it.effect("finds nothing, whatever has become of quotes, orders and links", () =>
      Effect.gen(function* () {
        const { prove } = yield* Reconciliation
        yield* busy
        const { findings, looked } = yield* prove(MANY)
        expect(findings).toEqual([])
        expect(looked).toEqual({
          accounts: 10,
          ledgerEntries: 29,
          quotes: 11,
          orders: 8,
          links: 10,
          events: 10,
          deliveries: 2
        })
      })
    )
  })

  storeSuite(`Reconciliation of ${name} names`, store, (it) => {
    it.effect("an entry that leaves another wallet than it says", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer(100)
        const { accountId } = account
        yield* commit({ _tag: "ForAccount", accountId }, () => {
          const entryId = `led_${accountId}`
          const wallet = { balanceCents: 100, heldCents: 0 }
          const over = { accountId, entryId: `led_zz${entryId}`, balanceAfterCents: 106 }
          return [{ _tag: "Credited", entry: entry(wallet, { kind: "top_up", cents: 5 }, over) }]
        })
        expect(yield* brokenAbout(accountId)).toEqual(["ledger_adds_up", "money_is_conserved"])
        expect(yield* brokenAbout(`led_zzled_${accountId}`)).toEqual(["ledger_runs_on"])
      })
    )

    it.effect("a hold that ended as one thing and was booked as another", () =>
      Effect.gen(function* () {
        const { quoteId, accountId, holdId } = yield* open
        yield* onQuote(quoteId, () => {
          const over = { accountId, quoteId, entryId: `led_zz${quoteId}` }
          const booked = entry({ balanceCents: 200, heldCents: 200 }, { kind: "capture", cents: 200 }, over)
          return [{ _tag: "HoldReleased", holdId: holdId ?? "", entry: booked }]
        })
        expect(yield* brokenAbout(quoteId)).toEqual(expect.arrayContaining(["hold_ends_once", "hold_fits_quote"]))
        expect(yield* brokenAbout(accountId)).toEqual(["money_is_conserved"])
      })
    )

    it.effect("a hold of another amount, beside the one that was captured", () =>
      Effect.gen(function* () {
        const { quote, accountId } = yield* bought
        const { quoteId } = quote
        yield* onQuote(quoteId, () => {
          const over = { accountId, quoteId, entryId: `led_zz${quoteId}` }
          const booked = entry({ balanceCents: 4_000, heldCents: 0 }, { kind: "hold", cents: 200 }, over)
          const hold = {
            holdId: `hld_${quoteId}`,
            accountId,
            quoteId,
            cents: 300,
            state: "open" as const,
            expiresAtMs: 0
          }
          return [{ _tag: "HoldPlaced", hold, entry: booked }]
        })
        expect(yield* brokenAbout(quoteId)).toEqual(expect.arrayContaining(["hold_ends_once", "hold_fits_quote"]))
        expect(yield* brokenAbout(accountId)).toEqual(["holds_add_up"])
      })
    )

    it.effect("a quote that does not add up, and a day that did not count it", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        const quoteId = `${quote.quoteId}b`
        const copy = { ...quote, quoteId, paymentToken: quoteId, grossCents: quote.grossCents + 1 }
        yield* onQuote(quote.quoteId, () => [{ _tag: "QuoteOpened", quote: copy }])
        expect(yield* brokenAbout(quoteId)).toEqual(["quote_adds_up"])
        expect(yield* brokenAbout(`${quote.keyId}/${utcDay(quote.createdAtMs)}`)).toEqual(["day_is_counted"])
      })
    )

    it.effect("a payment that came to nothing, and an order that is not there", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        const { quoteId, accountId } = quote
        yield* onQuote(quoteId, () => [
          {
            _tag: "PaymentRecorded",
            payment: { paymentId: `pay_${quoteId}`, quoteId, amountCents: 7, currency: "EUR" }
          }
        ])
        expect(yield* brokenAbout(quoteId)).toEqual(["payment_is_kept"])
        expect(yield* brokenAbout(accountId)).toEqual(["money_is_conserved"])
        yield* onQuote(quoteId, () => [{ _tag: "QuoteSettled", quoteId, orderId: "ord_none", holdId: null }])
        expect(yield* brokenAbout(quoteId)).toEqual(["payment_is_kept", "quote_has_its_order"])
      })
    )

    it.effect("an order without links, that nobody was told of", () =>
      Effect.gen(function* () {
        const { orderId } = yield* silentOrder
        expect(new Set(yield* brokenAbout(orderId))).toEqual(new Set(["order_has_its_links", "order_is_announced"]))
      })
    )

    it.effect("a link that was cancelled and gave nothing back, and one that went online in silence", () =>
      Effect.gen(function* () {
        const { plain, inArticle, accountId, orderId, article } = yield* bought
        const to = { atMs: 0, reason: null, publishedUrl: null }
        yield* onLink(plain, () => [{ _tag: "LinkMoved", move: { ...to, linkId: plain, to: "cancelled" } }])
        expect(yield* brokenAbout(plain, orderId)).toEqual(["recredited_once"])
        expect(yield* brokenAbout(accountId)).toEqual(["money_is_conserved"])
        yield* onLink(inArticle, () => [{ _tag: "LinkMoved", move: { ...to, linkId: inArticle, to: "published" } }])
        expect(yield* brokenAbout(orderId)).toEqual(["order_is_announced"])
        yield* onLink(inArticle, () => [{ _tag: "LinkMoved", move: { ...to, linkId: inArticle, to: "cancelled" } }])
        expect(yield* brokenAbout(String(article.articleId))).toEqual(["article_is_sold_once"])
      })
    )

    it.effect("a quote that two keys are bound to", () =>
      Effect.gen(function* () {
        const { quote } = yield* bought
        const { quoteId, keyId } = quote
        const binding = { keyId, idempotencyKey: "other", fingerprint: "f", quoteId, answer: null, boundAtMs: 0 }
        yield* onQuote(quoteId, () => [{ _tag: "KeyBound", binding }])
        expect(yield* brokenAbout(quoteId)).toContain("key_is_bound_once")
      })
    )

    it.effect("a day that counts a quote too many", () =>
      Effect.gen(function* () {
        const { quoteId, keyId, createdAtMs } = (yield* bought).quote
        const day = utcDay(createdAtMs)
        yield* onQuote(quoteId, () => [{ _tag: "CapCounted", keyId, day }])
        expect(yield* brokenAbout(`${keyId}/${day}`)).toEqual(["day_is_counted"])
      })
    )

    it.effect("an article that is free, or sold, while a quote that is open has it", () =>
      Effect.gen(function* () {
        for (const _tag of ["ArticleFreed", "ArticleSold"] as const) {
          const { quoteId, article } = yield* open
          const { articleId } = article
          yield* onQuote(quoteId, () => [{ _tag, articleId, quoteId }])
          expect(new Set(yield* brokenAbout(String(articleId)))).toEqual(new Set(["article_is_sold_once"]))
        }
      })
    )

    it.effect("a code that is given back, or spent, while a quote that is open has it", () =>
      Effect.gen(function* () {
        for (const _tag of ["PromoReleased", "PromoSpent"] as const) {
          const { quoteId, accountId, code } = yield* open
          yield* onQuote(quoteId, () => [{ _tag, code, quoteId, accountId }])
          expect(new Set(yield* brokenAbout(code))).toEqual(new Set(["promo_is_counted"]))
        }
      })
    )

    it.effect("a welcome offer that is given back, or spent, while a quote that is open has it", () =>
      Effect.gen(function* () {
        for (const _tag of ["WelcomeReleased", "WelcomeSpent"] as const) {
          const { caller } = yield* buyer()
          const items = linksOn(yield* listSite())
          const { quoteId, accountId } = (yield* order(caller, { items, terms: welcoming })).quote
          yield* onQuote(quoteId, () => [{ _tag, accountId, quoteId }])
          expect(new Set(yield* brokenAbout(accountId))).toEqual(new Set(["welcome_is_given_once"]))
        }
      })
    )

    it.effect("an event that was not queued, and a delivery of other bytes", () =>
      Effect.gen(function* () {
        const silent = yield* silentOrder
        const event = eventOf(silent)
        const { quoteId } = silent.quote
        yield* onQuote(quoteId, () => [{ _tag: "EventRaised", event }])
        expect(yield* brokenAbout(event.eventId)).toEqual(["event_is_queued"])
        const subscription = yield* listen(silent.caller)
        const deliveryId = `dlv_${event.eventId}`
        yield* onQuote(quoteId, (books, moment) => {
          const draft = begin(books, moment)
          const delivery = newDelivery(draft, subscription, { ...event, event: event.type, body: "[]" })
          return [{ _tag: "DeliveryQueued", delivery: { ...delivery, deliveryId } }]
        })
        expect(yield* brokenAbout(deliveryId)).toEqual(["delivery_is_true"])
      })
    )

    it.effect("no more of each than was asked for", () =>
      Effect.gen(function* () {
        const { prove } = yield* Reconciliation
        const { accountId } = (yield* buyer()).account
        yield* deposit(accountId, 5)
        const { findings } = yield* prove(1)
        const named = findings.map(({ law }) => law)
        expect(named.length).toBeGreaterThan(10)
        expect(new Set(named).size).toBe(named.length)
        expect(findings.every(({ message }) => message.length > 0)).toBe(true)
      })
    )
  })
}
