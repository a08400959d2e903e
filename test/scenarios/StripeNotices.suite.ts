// Stripe's notices over HTTP: ten times, out of order, before the session is stored, while the store is unavailable; and those that are
// forged, stale or match no quote, which change nothing.
import { Effect, HashMap } from "effect"
import { expect } from "vitest"
import { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, ordersOf, quotesOf } from "../core/BookReads.ts"
import { buyer, cart, freshKey, item, order } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { call, placedBy, postOrder, press, QUOTES, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { quotesInEveryState, settlesOnce } from "./QuoteSteps.ts"
import { LogLines, RunningService } from "./RunningService.ts"
import { paidByStripe } from "./ScenarioSuite.ts"
import { deliver, eventAbout, openQuote, payUnnoticed } from "./StripeQuoteSteps.ts"
import { NOTICES } from "./StripeService.ts"

const outcomeOf = ({ status, text }: { readonly status: number; readonly text: string }): string => {
  expect(status, text).toBe(200)
  return JSON.parse(text).outcome
}

const ASYNC = "checkout.session.async_payment_succeeded"

export const stripeNoticesSuite = paidByStripe("notices of Stripe", {}, (it) => {
  it.effect("a payment notified ten times at once, as several events, and again days later: one order", () =>
    Effect.gen(function* () {
      const { who, sessionId } = yield* openQuote
      const paid = yield* payUnnoticed(sessionId)
      const again = yield* eventAbout(sessionId)
      const notice = (event: typeof paid) => Effect.map(deliver(event), outcomeOf)
      const ten = times(10, (index) => notice(index % 3 === 0 ? again : paid))
      yield* settlesOnce(who, concurrently(ten), notice(paid))
    })
  )

  it.effect("out of order: paid first, then processing, then expired", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const { status, sessionId } = yield* openQuote
      const underWay = account.pay(sessionId, { by: "debit" })
      const arrived = account.arrive(sessionId)
      const unpaid = { status: "expired", payment_status: "unpaid" } as const
      const expired = yield* eventAbout(sessionId, unpaid, "checkout.session.expired")
      const outcomes = []
      for (const event of [arrived, underWay, expired, arrived]) outcomes.push(outcomeOf(yield* deliver(event)))
      expect(outcomes).toEqual(["settled", "ignored", "ignored", "repeated"])
      expect((yield* status).status).toBe("paid")
    })
  )

  it.effect("before the session is stored: one order, and the replay shows it", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { account, server } = yield* StripeStandIn
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 200 })
      const send = postOrder(who.key, cart([item(siteId)]), freshKey())
      server.troubles.push("hangs up", "hangs up", "hangs up")
      expect(refusalIn(yield* send).code).toBe("payment_processor_unavailable")
      const [quote] = quotesOf(yield* books, who)
      const [session, ...more] = account.sessionsOf(quote?.quoteId ?? "")
      expect([quote?.sessionId, more]).toEqual([null, []])
      const paid = yield* payUnnoticed(session?.id ?? "")
      expect((yield* concurrently(times(3, () => deliver(paid)))).map(outcomeOf).sort()).toContain("settled")
      expect(placedBy(yield* send)).toMatchObject({ quote_id: quote?.quoteId, status: "paid", payment_url: null })
      expect(ordersOf(yield* books, who).length).toBe(1)
    })
  )

  it.effect("while the store is unavailable: 503, and Stripe's next attempt counts, once", () =>
    Effect.gen(function* () {
      const { injectFaults } = yield* OrderBookFaults
      const { sessionId, status } = yield* openQuote
      const paid = yield* payUnnoticed(sessionId)
      yield* injectFaults("is refused", "loses its answer")
      for (const _ of times(2, () => 0)) {
        const away = yield* deliver(paid)
        expect(refusalIn(away).code).toBe("store_unavailable")
        expect(away.headers.get("retry-after")).toBe("7")
      }
      expect(outcomeOf(yield* deliver(paid))).toBe("repeated")
      expect((yield* status).paid).toBe(true)
    })
  )

  it.effect("forged or stale: 400, and nothing is written", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { notice } = yield* StripeStandIn
      const { sessionId } = yield* openQuote
      const paid = yield* payUnnoticed(sessionId)
      const genuine = notice(paid)
      const before = yield* books
      const attempts = [
        deliver(paid, { secret: "whsec_another" }),
        deliver(paid, { signedSecondsAgo: 302 }),
        call("POST", NOTICES, { body: genuine.body }),
        call("POST", NOTICES, {
          body: genuine.body.replace("300", "301"),
          headers: { "stripe-signature": genuine.signature }
        }),
        call("POST", NOTICES, { headers: { "stripe-signature": genuine.signature } })
      ]
      for (const attempt of attempts) {
        const error = refusalIn(yield* attempt)
        expect([error.code, error.status]).toEqual(["invalid_signature", 400])
      }
      expect(yield* books).toBe(before)
      expect(outcomeOf(yield* deliver(paid, { signedSecondsAgo: 290 }))).toBe("settled")
    })
  )

  it.effect("a hundred forged notices are logged once in ten seconds by an instance, with the number left out", () =>
    Effect.gen(function* () {
      const { lines } = yield* LogLines
      const { advance } = yield* MovableClock
      const { account } = yield* StripeStandIn
      const event = account.event("checkout.session.completed", {})
      const forge = deliver(event, { secret: "whsec_another" })
      yield* advance("11 seconds")
      const before = lines.length
      yield* concurrently(times(100, () => forge))
      yield* advance("11 seconds")
      yield* forge
      const logged = lines.slice(before).filter((line) => line.includes("A payment notice was refused"))
      // Each of at most three instances counts for itself.
      expect(logged.length, "one line of each instance, and one ten seconds later").toBeLessThanOrEqual(4)
      expect(logged.at(-1)).toMatch(/"unloggedBefore":[1-9]/)
    })
  )

  it.effect("a negative amount or a wrong quote is refused, in every state of the quote", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const quotes = yield* quotesInEveryState(openQuote)
      const covered = yield* order(yield* buyer({ creditCents: 500 }), [item(siteId)])
      const before = yield* books
      const about = (quoteId: string) => ({ client_reference_id: quoteId, metadata: { quote_id: quoteId } })
      for (const { sessionId } of quotes) {
        const fresh = { id: `cs_test_${freshKey().replaceAll("-", "")}` }
        for (const [over, code] of [
          [{ amount_total: -300 }, "payment_mismatch"],
          [about("q_none"), "quote_not_found"],
          [about(covered.quote_id ?? ""), "quote_not_found"],
          [{ client_reference_id: "q_another" }, "validation_failed"],
          [about("q_test_0"), "validation_failed"]
        ] as const) {
          const refused = yield* deliver(yield* eventAbout(sessionId, { ...fresh, ...over }, ASYNC))
          expect(refusalIn(refused).code).toBe(code)
        }
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect(
    "a wrong amount without a notice is set aside and logged as an error, and the quote ends like any other",
    () =>
      Effect.gen(function* () {
        const { account } = yield* StripeStandIn
        const { advance } = yield* MovableClock
        const { books } = yield* RunningService
        const { lines } = yield* LogLines
        const left = yield* openQuote
        const { who, quoteId, sessionId } = left
        account.pay(sessionId, { cents: 299 })
        const logged = () => lines.filter((line) => line.includes("A payment could not be booked"))
        const before = yield* books
        expect((yield* call("POST", `${QUOTES}/${quoteId}/abandon`, { key: who.key })).status).toBe(200)
        expect(logged().map((line) => [JSON.parse(line).level, line.includes(quoteId)])).toEqual([["ERROR", true]])
        const lapsed = yield* openQuote
        account.pay(lapsed.sessionId, { cents: 500 })
        yield* advance("25 hours")
        for (const { status, who } of [left, lapsed]) {
          expect(yield* status).toMatchObject({ status: "abandoned", payment_url: null })
          expect(yield* who.api.balance.getBalance()).toMatchObject({ available_cents: 200, held_cents: 0 })
        }
        expect(logged().length).toBe(2)
        const { setAside, events } = yield* books
        expect(
          Array.from(HashMap.values(setAside), ({ amountCents, outcome }) => [amountCents, outcome]).sort()
        ).toEqual([
          [299, null],
          [500, null]
        ])
        const came = HashMap.filter(events, (_, eventId) => !HashMap.has(before.events, eventId))
        expect(Array.from(HashMap.values(came), (event) => [event.quoteId, event.type]).sort()).toEqual(
          [
            [quoteId, "quote.abandoned"],
            [lapsed.quoteId, "quote.expired"]
          ].sort()
        )
      })
  )

  it.effect("a second payment of a paid quote becomes credit, once", () =>
    Effect.gen(function* () {
      const { who, status, url, sessionId } = yield* openQuote
      yield* press("pay", url)
      const second = yield* eventAbout(sessionId, { id: `cs_test_second${who.keyId}` })
      const outcomes = (yield* concurrently(times(5, () => deliver(second)))).map(outcomeOf)
      expect(countEach(outcomes)).toEqual({ credited: 1, repeated: 4 })
      expect(yield* status).toMatchObject({ status: "paid", credited_cents: 300 })
      expect((yield* who.api.balance.getBalance()).available_cents).toBe(300)
    })
  )

  it.effect("a notice about other payments is answered with 200, so that Stripe does not repeat it", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { account } = yield* StripeStandIn
      const { sessionId } = yield* openQuote
      const before = yield* books
      for (const event of [
        account.event("invoice.paid", { id: "in_1", metadata: {} }),
        account.event("checkout.session.completed", { id: "cs_other", metadata: {}, payment_status: "paid" }),
        yield* eventAbout(sessionId, { id: "cs_another", payment_status: "unpaid" }),
        yield* eventAbout(
          sessionId,
          { id: "cs_another", payment_status: "unpaid" },
          "checkout.session.async_payment_failed"
        ),
        yield* eventAbout(sessionId, { id: "cs_another", payment_status: "unpaid" }, "checkout.session.expired")
      ]) {
        expect(outcomeOf(yield* deliver(event))).toBe("ignored")
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect("the limit of a body is half a MiB, and only POST is accepted", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const padded = (length: number) => account.event("invoice.paid", { note: "x".repeat(length) })
      expect(outcomeOf(yield* deliver(padded(500_000)))).toBe("ignored")
      const refused = yield* deliver(padded(512 * 1_024))
      expect(refusalIn(refused)).toMatchObject({ code: "body_too_large", details: { limit_bytes: 512 * 1_024 } })
      const got = yield* call("GET", NOTICES)
      expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"])
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
