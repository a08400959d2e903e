// Sessions that end unpaid, payments that are told late or never, and payments in another session: with Stripe, over HTTP.
import { Effect, HashMap, Schedule } from "effect"
import { expect } from "vitest"
import { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, known } from "../core/BookReads.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, viewPage } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { LogLines, RunningService } from "./RunningService.ts"
import { paidByStripe } from "./ScenarioSuite.ts"
import {
  abandonByAgent,
  debited,
  deliver,
  eventAbout,
  linkOf,
  openQuote,
  outcomeOf,
  payUnnoticed,
  sweep
} from "./StripeQuoteSteps.ts"

const RACES = 8

export const untoldPaymentsSuite = paidByStripe("ended sessions and untold payments", {}, (it) => {
  it.effect("a session that ended is replaced, also when Stripe cannot open one just then", () =>
    Effect.gen(function* () {
      const { account, server } = yield* StripeStandIn
      const { advance } = yield* MovableClock
      const { sessionId, quoteId, status } = yield* openQuote
      account.expire(sessionId)
      const expired = yield* eventAbout(
        sessionId,
        { status: "expired", payment_status: "unpaid" },
        "checkout.session.expired"
      )
      server.troubles.push("refuses", "refuses", "refuses")
      expect(outcomeOf(yield* deliver(expired))).toBe("reopened")
      expect(yield* status).toMatchObject({ status: "awaiting_payment", payment_url: null })
      yield* advance("16 seconds")
      yield* concurrently([sweep, sweep])
      const sessions = account.sessionsOf(quoteId)
      expect(sessions.map(({ status }) => status)).toEqual(["expired", "open"])
      expect(linkOf(yield* status)).toBe(sessions[1]?.id)
      expect(outcomeOf(yield* deliver(expired))).toBe("ignored")
    })
  )

  it.effect("abandonment closes whichever session the quote has by then", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      for (let round = 0; round < RACES; round++) {
        const quote = yield* openQuote
        const { sessionId, quoteId, status } = quote
        // Stripe tells of the end that the abandonment itself brings about.
        account.expire(sessionId)
        const expired = yield* eventAbout(
          sessionId,
          { status: "expired", payment_status: "unpaid" },
          "checkout.session.expired"
        )
        const rivals = [Effect.asVoid(abandonByAgent(quote)), Effect.asVoid(deliver(expired))]
        yield* concurrently(round % 2 === 0 ? rivals : rivals.toReversed())
        expect((yield* status).status).toBe("abandoned")
        expect(account.sessionsOf(quoteId).filter((one) => one.status === "open")).toEqual([])
      }
    })
  )

  it.effect("a payment that Stripe never tells of counts when the quote is read, once", () =>
    Effect.gen(function* () {
      const { account, server } = yield* StripeStandIn
      const { advance } = yield* MovableClock
      const { status, sessionId, url } = yield* openQuote
      expect((yield* status).status).toBe("awaiting_payment")
      const paid = yield* payUnnoticed(sessionId)
      yield* advance("11 seconds")
      const asked = server.asked.length
      const answers = yield* concurrently(times(20, () => status))
      // A read that began before the answer came may show the quote as it was.
      expect(answers.some(({ paid }) => paid)).toBe(true)
      expect((yield* status).paid).toBe(true)
      expect(server.asked.length - asked, "each of at most three instances asks once").toBeLessThanOrEqual(3)
      expect(outcomeOf(yield* deliver(paid))).toBe("repeated")
      const returning = yield* openQuote
      yield* payUnnoticed(returning.sessionId)
      yield* advance("11 seconds")
      const session = account.sessionsOf((yield* returning.status).quote_id)[0]
      expect((yield* call("GET", session?.success_url ?? "")).text).toContain("Paid: thank you")
      expect((yield* viewPage(url)).text).toContain("Paid: thank you")
    })
  )

  it.effect("a failed or arrived debit that Stripe never tells of is found by a read, or by the sweeper", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const { advance } = yield* MovableClock
      const read = yield* debited
      account.fail(read.sessionId)
      yield* advance("11 minutes")
      expect(yield* read.status).toMatchObject({ status: "awaiting_payment", payment_pending: false })
      expect(account.sessionsOf(read.quoteId).map(({ status }) => status)).toEqual(["complete", "open"])
      const arrived = yield* debited
      const failed = yield* debited
      yield* advance("2 days")
      account.arrive(arrived.sessionId)
      account.fail(failed.sessionId)
      // A pass asks about a few of them, and the next one about others.
      yield* sweep.pipe(Effect.andThen(Effect.sleep("1100 millis")), Effect.repeat({ times: 3 }))
      const { quotes } = yield* (yield* RunningService).books
      expect([arrived, failed].map(({ quoteId }) => known(quotes, quoteId).status)).toEqual(["paid", "abandoned"])
    })
  )

  it.effect(
    "a read is neither failed nor slowed by a Stripe that does not answer, and does not ask it again soon",
    () =>
      Effect.gen(function* () {
        const { server } = yield* StripeStandIn
        const { advance } = yield* MovableClock
        const { lines } = yield* LogLines
        const givenUp = () =>
          lines.filter((line) => line.includes("the processor's word on a quote was not had")).length
        const before = givenUp()
        const quotes = yield* Effect.all(times(6, () => openQuote))
        yield* advance("11 seconds")
        server.troubles.push(...times(12, () => "never answers" as const))
        const answers = yield* concurrently(quotes.flatMap(({ status }) => [status, status]))
        expect(givenUp() - before, "questions that a read has waited for").toBe(0)
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["awaiting_payment"]))
        // Each of at most three instances asks about four quotes at a time.
        const asked = server.asked.length
        yield* concurrently(quotes.map(({ status }) => status))
        expect(server.asked.length - asked).toBeLessThanOrEqual(3)
        server.troubles.length = 0
        const ended = Effect.sync(() => server.unanswered.size === 0)
        yield* Effect.repeat(ended, { until: (it) => it, schedule: Schedule.spaced("50 millis") })
        yield* advance("1 minute")
      })
  )

  it.effect("a fitting payment in another session is set aside while the quote is open, and the operator is told", () =>
    Effect.gen(function* () {
      const { lines } = yield* LogLines
      const { books } = yield* RunningService
      const { quoteId, sessionId, status, who } = yield* openQuote
      const elsewhere = yield* eventAbout(sessionId, { id: `cs_elsewhere_${quoteId}` })
      expect(countEach((yield* concurrently(times(4, () => deliver(elsewhere)))).map(outcomeOf))).toEqual({
        set_aside: 1,
        repeated: 3
      })
      const { setAside } = yield* books
      expect(HashMap.toValues(setAside).filter((one) => one.quoteId === quoteId)).toMatchObject([
        { reason: "session", amountCents: 300, outcome: null }
      ])
      expect(lines.some((line) => line.includes("was set aside") && line.includes(quoteId))).toBe(true)
      expect(yield* status).toMatchObject({ status: "awaiting_payment" })
      expect(outcomeOf(yield* deliver(yield* eventAbout(sessionId)))).toBe("settled")
      expect((yield* who.api.balance.getBalance()).available_cents).toBe(0)
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
