// Bank debits, which take days: with Stripe, over HTTP.
import { Effect } from "effect"
import { expect } from "vitest"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { buyer, cart, insertion, order } from "./Buyers.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { postOrder, press, refusalIn, viewPage } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { paidByStripe } from "./ScenarioSuite.ts"
import {
  abandonByAgent,
  debited,
  deliver,
  eventAbout,
  linkOf,
  openQuote,
  outcomeOf,
  sweep
} from "./StripeQuoteSteps.ts"

const PENDING = { status: "awaiting_payment", payment_pending: true, payment_url: null, paid: false }

const RACES = 8

export const bankDebitsSuite = paidByStripe("bank debits", {}, (it) => {
  it.effect("a debit under way keeps the quote and all that it reserves, for days, and says so", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const { advance } = yield* MovableClock
      const { reconcile } = yield* Reconcile
      const quote = yield* debited
      const { who, status, url, quoteId } = quote
      expect(yield* status).toMatchObject(PENDING)
      const other = yield* buyer({ creditCents: 500 })
      yield* advance("4 days")
      yield* sweep
      expect(yield* status).toMatchObject(PENDING)
      const balance = yield* who.api.balance.getBalance()
      expect(balance).toMatchObject({ held_cents: 200, open_quotes: [{ quote_id: quoteId, payment_pending: true }] })
      const taken = yield* postOrder(other.key, cart([insertion(quote.article)]))
      expect(refusalIn(taken).code).toBe("article_unavailable")
      const page = yield* viewPage(url)
      expect(page.text).toContain("Your payment is under way")
      expect(page.text).toContain("<dt>Being confirmed</dt>")
      expect(page.text).not.toContain("Left to pay")
      expect(page.text).not.toMatch(/<form|<a (?!class="brand")/)
      expect((yield* reconcile()).violations).toEqual([])
      const arrived = account.arrive(quote.sessionId)
      expect(countEach((yield* concurrently(times(5, () => deliver(arrived)))).map(outcomeOf))).toEqual({
        settled: 1,
        repeated: 4
      })
      expect(yield* status).toMatchObject({ status: "paid", payment_pending: false })
    })
  )

  it.effect("it cannot be abandoned: 409 says what to do, the page shows how it stands, and nothing ends", () =>
    Effect.gen(function* () {
      const quote = yield* debited
      const refused = refusalIn(yield* abandonByAgent(quote))
      expect(refused).toMatchObject({ code: "not_cancellable", status: 409, recovery: "human" })
      expect(refused.suggestion).toContain("payment_pending")
      expect((yield* press("abandon", quote.url)).status).toBe(303)
      expect(yield* quote.status).toMatchObject(PENDING)
    })
  )

  it.effect("a debit that Stripe has not told of is found when the quote would expire, or be abandoned", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const { advance } = yield* MovableClock
      const left = yield* openQuote
      account.pay(left.sessionId, { by: "debit" })
      expect(refusalIn(yield* abandonByAgent(left)).code).toBe("not_cancellable")
      const lapsing = yield* openQuote
      account.pay(lapsing.sessionId, { by: "debit" })
      yield* advance("25 hours")
      yield* sweep
      for (const { status } of [left, lapsing]) expect(yield* status).toMatchObject(PENDING)
    })
  )

  it.effect("a debit that fails in time: another link for the same amount, once, whatever is told how often", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const quote = yield* debited
      const { sessionId, quoteId, status } = quote
      const failed = account.fail(sessionId)
      const again = yield* eventAbout(sessionId, { payment_status: "unpaid" }, "checkout.session.async_payment_failed")
      const expired = yield* eventAbout(sessionId, { payment_status: "unpaid" }, "checkout.session.expired")
      const notices = [failed, again, expired, failed, again, expired].map((event) =>
        Effect.map(deliver(event), outcomeOf)
      )
      expect(countEach(yield* concurrently(notices))).toEqual({ reopened: 1, ignored: 5 })
      const underWay = yield* eventAbout(sessionId, { payment_status: "unpaid" })
      expect(outcomeOf(yield* deliver(underWay)), "told late").toBe("ignored")
      const open = yield* status
      expect(open).toMatchObject({ status: "awaiting_payment", payment_pending: false, card_amount_cents: 300 })
      expect(account.sessionsOf(quoteId).map(({ amount_total, status }) => [amount_total, status])).toEqual([
        [300, "complete"],
        [300, "open"]
      ])
      expect(linkOf(open)).toBe(account.sessionsOf(quoteId)[1]?.id)
      expect((yield* viewPage(quote.url)).text).toContain(`href="${open.payment_url}"`)
      yield* press("pay", open.payment_url ?? "")
      expect(yield* status).toMatchObject({ paid: true })
    })
  )

  it.effect("a debit that fails after the quote's time ends it, and everything comes back", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const { advance } = yield* MovableClock
      const quote = yield* debited
      yield* advance("3 days")
      const failed = account.fail(quote.sessionId)
      expect(countEach((yield* concurrently(times(4, () => deliver(failed)))).map(outcomeOf))).toEqual({
        lapsed: 1,
        ignored: 3
      })
      expect(yield* quote.status).toMatchObject({ status: "abandoned", payment_pending: false, payment_url: null })
      expect(yield* quote.who.api.balance.getBalance()).toMatchObject({ available_cents: 200, held_cents: 0 })
      expect((yield* order(quote.who, [insertion(quote.article)])).status).toBe("awaiting_payment")
      expect(account.sessionsOf(quote.quoteId)).toHaveLength(1)
    })
  )

  it.effect("debit, expiry, abandonment and notices at once: it waits, or it ends with everything given back", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const { advance } = yield* MovableClock
      for (let round = 0; round < RACES; round++) {
        const quote = yield* openQuote
        const { who, sessionId, status } = quote
        const underWay = account.pay(sessionId, { by: "debit" })
        yield* advance("25 hours")
        const told = Effect.asVoid(deliver(underWay))
        const rivals = [told, Effect.asVoid(sweep), Effect.asVoid(abandonByAgent(quote)), told, Effect.asVoid(status)]
        yield* concurrently(round % 2 === 0 ? rivals : rivals.toReversed())
        expect(yield* status).toMatchObject(PENDING)
        const end = round % 4 < 2 ? account.arrive(sessionId) : account.fail(sessionId)
        const ended = Effect.asVoid(deliver(end))
        yield* concurrently([ended, Effect.asVoid(sweep), Effect.asVoid(abandonByAgent(quote)), ended])
        const isPaid = round % 4 < 2
        expect((yield* status).status).toBe(isPaid ? "paid" : "abandoned")
        const { available_cents, held_cents } = yield* who.api.balance.getBalance()
        expect([available_cents, held_cents]).toEqual([isPaid ? 0 : 200, 0])
      }
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
