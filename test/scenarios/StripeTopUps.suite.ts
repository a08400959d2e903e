// Top-ups over Stripe: the notice of a payment ten times, lost, late, repeated, and of another amount. One entry of the ledger, or none.
import { randomUUID } from "node:crypto"
import { Effect, Ref } from "effect"
import { expect } from "vitest"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { OpenTopUps } from "#core/usecases/wallet/OpenTopUps.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { StripeStandIn, sessionIdIn } from "#test/adapters/payments/StripeStandIn.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { paidByStripe } from "./ScenarioSuite.ts"
import { deliver, eventAbout, outcomeOf, payUnnoticed } from "./StripeQuoteSteps.ts"
import { begun, booked, CENTS, opened } from "./StripeTopUpSteps.ts"

const DAY_MS = 86_400_000

const paidOnce = [`top_up ${CENTS}`]

/** `count` of them that began while Stripe was away, which is back now. */
const begunMeanwhile = Effect.fnUntraced(function* (count: number) {
  const { down } = yield* ProcessorFaults
  yield* Ref.set(down, true)
  const stuck = yield* Effect.forEach(
    times(count, () => null),
    () => begun
  )
  yield* Ref.set(down, false)
  expect(new Set(stuck.map(({ paymentUrl }) => paymentUrl))).toEqual(new Set([null]))
  return stuck
})

export const stripeTopUpsSuite = paidByStripe("top-ups over Stripe", {}, (it) => {
  it.effect("a payment that is notified ten times at once, as several events, and again days later: one entry", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const topUp = yield* opened
      const paid = yield* payUnnoticed(topUp.sessionId)
      const again = yield* eventAbout(topUp.sessionId)
      const ten = times(10, (index) => Effect.map(deliver(index % 3 === 0 ? again : paid), outcomeOf))
      expect(countEach(yield* concurrently(ten))).toEqual({ credited: 1, repeated: 9 })
      yield* advance(3 * DAY_MS)
      expect(outcomeOf(yield* deliver(paid))).toBe("repeated")
      expect(yield* booked(topUp)).toEqual(paidOnce)
      expect(yield* topUp.view).toBe("paid")
    })
  )

  it.effect("a notice that is lost: the page asks Stripe, and many readers at once book it once", () =>
    Effect.gen(function* () {
      const topUp = yield* opened
      const paid = yield* payUnnoticed(topUp.sessionId)
      expect(yield* booked(topUp)).toEqual([])
      expect(new Set(yield* concurrently(times(10, () => topUp.view)))).toEqual(new Set(["paid"]))
      expect(yield* booked(topUp)).toEqual(paidOnce)
      expect(outcomeOf(yield* deliver(paid))).toBe("repeated")
      expect(yield* booked(topUp)).toEqual(paidOnce)
    })
  )

  it.effect("a notice that is lost, of a member who never comes back: the sweep books it when the top-up ends", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { sweep } = yield* FollowTopUps
      const [paid, unpaid] = [yield* opened, yield* opened]
      yield* payUnnoticed(paid.sessionId)
      yield* advance(DAY_MS + 60_000)
      yield* concurrently([sweep, sweep])
      expect([yield* booked(paid), yield* booked(unpaid)]).toEqual([paidOnce, []])
      expect([yield* paid.view, yield* unpaid.view]).toEqual(["paid", "ended"])
    })
  )

  it.effect("a payment that is told after the top-up has ended still counts, once", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const topUp = yield* opened
      const expired = yield* eventAbout(
        topUp.sessionId,
        { status: "expired", payment_status: "unpaid" },
        "checkout.session.expired"
      )
      expect(outcomeOf(yield* deliver(expired))).toBe("expired")
      expect(yield* booked(topUp)).toEqual([])
      const late = account.pay(topUp.sessionId, { late: true })
      const outcomes = yield* concurrently(times(5, () => Effect.map(deliver(late), outcomeOf)))
      expect(countEach(outcomes)).toEqual({ credited: 1, repeated: 4 })
      expect(outcomeOf(yield* deliver(expired))).toBe("expired")
      expect(yield* booked(topUp)).toEqual(paidOnce)
      expect(yield* topUp.view).toBe("paid")
    })
  )

  it.effect("a bank debit counts when its money has come, and not before", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const topUp = yield* opened
      const underWay = account.pay(topUp.sessionId, { by: "debit" })
      yield* deliver(underWay)
      expect([yield* booked(topUp), yield* topUp.view]).toEqual([[], "open"])
      const arrived = account.arrive(topUp.sessionId)
      yield* concurrently(times(3, () => deliver(arrived)))
      expect([yield* booked(topUp), yield* topUp.view]).toEqual([paidOnce, "paid"])
    })
  )

  it.effect("begun while Stripe is away: several sweepers open one payment page for each, which is paid once", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { sweep } = yield* OpenTopUps
      const { byId } = yield* TopUps
      const stuck = yield* begunMeanwhile(4)
      yield* advance(60_000)
      yield* concurrently(times(4, () => sweep))
      const found = yield* Effect.forEach(stuck, ({ topUpId }) => byId(topUpId))
      const ids = found.map((topUp) => sessionIdIn(topUp?.paymentUrl ?? ""))
      expect(new Set(ids).size).toBe(stuck.length)
      for (const [index, topUp] of stuck.entries()) {
        const paid = yield* payUnnoticed(ids[index] ?? "")
        yield* concurrently(times(3, () => deliver(paid)))
        expect([yield* topUp.view, yield* booked(topUp)]).toEqual(["paid", paidOnce])
      }
    })
  )

  it.effect("begun while Stripe is away, and withdrawn while sweepers open its page: it ends, and cannot be paid", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { sweep } = yield* OpenTopUps
      const { cancel } = yield* TopUpCredit
      const { account } = yield* StripeStandIn
      const stuck = yield* begunMeanwhile(6)
      yield* advance(60_000)
      const withdrawals = stuck.map(({ who, topUpId }) => Effect.map(cancel(who, topUpId), ({ status }) => status))
      const [ended] = yield* Effect.all([concurrently(withdrawals), concurrently([sweep, sweep])], { concurrency: 2 })
      expect(new Set(ended)).toEqual(new Set(["ended"]))
      for (const topUp of stuck) {
        expect([yield* topUp.view, yield* booked(topUp)]).toEqual(["ended", []])
        const sessions = account.sessions.filter((session) => session.client_reference_id === topUp.topUpId)
        for (const { status } of sessions) expect(status).toBe("expired")
      }
    })
  )

  it.effect("another amount, another currency, an unknown top-up: refused, and nothing is booked", () =>
    Effect.gen(function* () {
      const topUp = yield* opened
      const wrong = [
        { amount_total: CENTS + 1 },
        { amount_total: CENTS - 1 },
        { currency: "usd" },
        { client_reference_id: "top_unknown", metadata: { quote_id: "top_unknown" } }
      ]
      const codes = []
      for (const over of wrong) {
        const event = yield* eventAbout(topUp.sessionId, { payment_intent: `pi_${randomUUID()}`, ...over })
        codes.push(refusalIn(yield* deliver(event)).code)
      }
      expect(codes).toEqual(["payment_mismatch", "payment_mismatch", "payment_mismatch", "top_up_not_found"])
      expect(yield* booked(topUp)).toEqual([])
      expect(outcomeOf(yield* deliver(yield* payUnnoticed(topUp.sessionId)))).toBe("credited")
      expect(yield* booked(topUp)).toEqual(paidOnce)
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
