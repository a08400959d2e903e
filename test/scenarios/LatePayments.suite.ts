// A payment after its quote expired or was abandoned: an order if everything is still available, prepaid credit otherwise. The quote and
// the payment page say which, and no payment is lost or counted twice.
import { Effect } from "effect"
import { expect } from "vitest"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { movements, ordersOf } from "../core/BookReads.ts"
import { buyer, by, insertion, item, order } from "./Buyers.ts"
import { definePromo, listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { press, viewPage } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { everyProcessor } from "./ScenarioSuite.ts"

const HOUR_MS = 3_600_000

/** A quote for an article (5.00 EUR) with a code that halves it: 2.50 EUR, of which 1.00 is held credit and 1.50 is to be paid. */
const quoted = Effect.gen(function* () {
  const { nowMs } = yield* MovableClock
  const { siteId } = yield* listSite()
  const article = yield* listArticle(siteId)
  const half = { kind: "percent" as const, basisPoints: 5_000 }
  const promo = yield* definePromo({ reduction: half, maxRedemptions: 1, endsAtMs: nowMs() + 48 * HOUR_MS })
  const who = yield* buyer({ creditCents: 100 })
  const { quote_id, payment_url } = yield* order(who, [insertion(article)], { promo_code: promo.code })
  const id = quote_id ?? QuoteId.make("")
  const url = payment_url ?? ""
  return { who, siteId, article, promo, id, url, status: who.api.quotes.getQuote({ params: { id } }) }
})

type Quoted = Effect.Success<typeof quoted>

const sweep = Effect.flatMap(SweepQuotes, ({ sweep }) => sweep())

const lapse = Effect.flatMap(MovableClock, ({ advance }) => advance("24 hours"))

const payLate = ({ url }: Quoted) => concurrently(times(3, () => press("pay", url)))

/** A quote that was swept has no hold any more: its order spends free credit. */
const expectOrder = Effect.fnUntraced(function* ({ who, status, url }: Quoted, swept: boolean) {
  const { books } = yield* RunningService
  const quote = yield* status
  expect([quote.status, quote.paid, quote.credited_cents]).toEqual(["paid", true, undefined])
  expect(ordersOf(yield* books, who).length).toBe(1)
  const released = swept ? ["release 100"] : []
  expect(movements(yield* books, who.accountId)).toEqual(["top_up 100", "hold 100", ...released, "capture 100"])
  expect((yield* who.api.balance.getBalance()).available_cents).toBe(0)
  expect((yield* viewPage(url)).text).toContain("Paid: thank you")
})

const expectCredit = Effect.fnUntraced(function* ({ who, status, url, id }: Quoted, availableCents: number) {
  const { books } = yield* RunningService
  const quote = yield* status
  expect([quote.status, quote.order_id, quote.credited_cents]).toEqual(["abandoned", null, 150])
  expect(quote.payment_url).toBeNull()
  expect(ordersOf(yield* books, who).filter(({ quoteId }) => quoteId === id)).toEqual([])
  expect(movements(yield* books, who.accountId).filter((move) => move.startsWith("late"))).toEqual(["late_payment 150"])
  expect((yield* who.api.balance.getBalance()).available_cents).toBe(availableCents)
  const page = (yield* viewPage(url)).text
  expect(page).toContain("This order was not placed")
  expect(page).toContain("A payment of 1.50 EUR arrived")
})

/** What is gone when the payment arrives, and the account's credit then: its own, and the payment's 1.50 EUR. */
const GONE = {
  "its article is sold": Effect.fnUntraced(function* ({ article }: Quoted) {
    yield* order(yield* buyer({ creditCents: 500 }), [insertion(article)])
    return 250
  }),
  "its article is reserved": Effect.fnUntraced(function* ({ article }: Quoted) {
    yield* order(yield* buyer(), [insertion(article)])
    return 250
  }),
  "its credit is spent": Effect.fnUntraced(function* ({ who, siteId }: Quoted) {
    yield* sweep
    expect(yield* order(who, [item(siteId)])).toMatchObject({ credit_applied_cents: 100 })
    return 150
  }),
  "its code is used up": Effect.fnUntraced(function* ({ promo, siteId }: Quoted) {
    yield* order(yield* buyer(), [item(siteId)], { promo_code: promo.code })
    return 250
  }),
  "its code is over": Effect.fnUntraced(function* (_: Quoted) {
    const { advance } = yield* MovableClock
    yield* advance("24 hours")
    // The code is over for a quote that no longer has its reservation.
    yield* sweep
    return 250
  })
}

/** Ways to abandon a quote. */
const GIVEN_UP = {
  "its human": ({ url }: Quoted) => press("abandon", url),
  "its agent": ({ who, id }: Quoted) => who.api.quotes.abandonQuote({ params: { id } })
}

const withWelcomeOffer = { WELCOME_OFFER_PERCENT: "20" }

export const latePaymentsSuite = everyProcessor("late payments", withWelcomeOffer, (it) => {
  for (const swept of [true, false]) {
    const expired = swept ? "expired and swept" : "expired and not yet swept"

    it.effect(`${expired}, with everything still available: the payment becomes an order`, () =>
      Effect.gen(function* () {
        const quote = yield* quoted
        yield* lapse
        if (swept) yield* sweep
        for (const { status } of yield* payLate(quote)) expect(status).toBe(303)
        yield* expectOrder(quote, swept)
      })
    )

    for (const [what, take] of Object.entries(GONE)) {
      it.effect(`${expired}, and ${what}: the payment becomes prepaid credit, once`, () =>
        Effect.gen(function* () {
          const quote = yield* quoted
          yield* lapse
          if (swept) yield* sweep
          const availableCents = yield* take(quote)
          for (const { status } of yield* payLate(quote)) expect(status).toBe(303)
          yield* expectCredit(quote, availableCents)
        })
      )
    }
  }

  it.effect(
    "expired and not yet swept, and its code is over: the quote still has its reservation, and becomes an order",
    () =>
      Effect.gen(function* () {
        const { advance } = yield* MovableClock
        const quote = yield* quoted
        yield* lapse
        yield* advance("25 hours")
        for (const { status } of yield* payLate(quote)) expect(status).toBe(303)
        yield* expectOrder(quote, false)
      })
  )

  for (const [whom, giveUp] of Object.entries(GIVEN_UP)) {
    it.effect(`abandoned by ${whom}, the payment becomes credit, although everything is still available`, () =>
      Effect.gen(function* () {
        const quote = yield* quoted
        yield* giveUp(quote)
        yield* payLate(quote)
        yield* expectCredit(quote, 250)
        yield* lapse
        yield* sweep
        yield* payLate(quote)
        yield* expectCredit(quote, 250)
      })
    )
  }

  it.effect("expired with the welcome offer, which another order has used since: the payment becomes credit", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer()
      const first = yield* order(who, [item(siteId)])
      yield* lapse
      const second = yield* order(who, [item(siteId)])
      expect([first.discount.source, second.discount.source]).toEqual(["welcome", "welcome"])
      yield* press("pay", first.payment_url ?? "")
      const late = yield* who.api.quotes.getQuote({ params: { id: first.quote_id ?? QuoteId.make("") } })
      expect([late.status, late.credited_cents]).toEqual(["abandoned", 400])
      yield* press("pay", second.payment_url ?? "")
      expect(yield* order(who, [item(siteId)])).toMatchObject({ status: "awaiting_payment", credit_applied_cents: 400 })
    })
  )

  it.effect("an order made by a late payment is fulfilled and cancelled like any other", () =>
    Effect.gen(function* () {
      const { cancelOrder } = yield* FulfilLinks
      const quote = yield* quoted
      yield* lapse
      yield* sweep
      yield* payLate(quote)
      const { order_id } = yield* quote.status
      yield* cancelOrder(order_id ?? OrderId.make(""), "as a test", by)
      expect((yield* quote.who.api.balance.getBalance()).available_cents).toBe(250)
      const rival = yield* buyer({ creditCents: 500 })
      expect(yield* order(rival, [insertion(quote.article)])).toMatchObject({ status: "paid" })
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
