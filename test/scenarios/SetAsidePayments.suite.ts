// Payments that do not fit their quote: the quote ends like any other, and the operator decides once what becomes of the money.
import { Effect, HashMap } from "effect"
import { expect } from "vitest"
import { find } from "#core/decisions/Books.ts"
import type { Payment } from "#core/domain/ordering/Quote.ts"
import { PaymentId } from "#core/domain/shared/Ids.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { freshKey, insertion, order } from "./Buyers.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { press } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { noticeFor } from "./Payments.suite.ts"
import { openQuote, quotesInEveryState } from "./QuoteSteps.ts"
import { RunningService } from "./RunningService.ts"
import { everyProcessor } from "./ScenarioSuite.ts"

const settle = (payment: Payment) => Effect.flatMap(Payments, ({ settle }) => settle(payment))
const sweep = Effect.flatMap(SweepQuotes, ({ sweep }) => Effect.asVoid(sweep()))

const MISFITS = 10
const MANY = 200

export const setAsidePaymentsSuite = everyProcessor("payments set aside", {}, (it) => {
  it.effect("a notice with a wrong amount or currency is set aside once, whatever became of the quote", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { setAside } = yield* Payments
      const quotes = yield* quotesInEveryState(openQuote)
      const before = yield* books
      for (const { quoteId } of quotes) {
        for (const over of [{ amountCents: 299 }, { amountCents: 500 }, { currency: "USD" }, { currency: "eur" }]) {
          const notice = noticeFor(quoteId, { paymentId: PaymentId.make(freshKey()), ...over })
          const outcomes = yield* concurrently(times(3, () => Effect.map(settle(notice), ({ outcome }) => outcome)))
          expect(countEach(outcomes)).toEqual({ set_aside: 1, repeated: 2 })
          expect(yield* setAside(MANY)).toContainEqual(expect.objectContaining({ ...notice, outcome: null }))
        }
      }
      const { quotes: after, ledger } = yield* books
      expect([after, ledger]).toEqual([before.quotes, before.ledger])
      expect(yield* setAside(MANY)).toHaveLength(12)
      yield* expectConsistentBooks
    })
  )

  it.effect(
    "a payment that does not fit, expiry, abandonment and the operator's decision at once: the quote ends",
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { advance } = yield* MovableClock
        const { resolve } = yield* Payments
        const decisions: Array<string> = []
        for (let round = 0; round < MISFITS; round++) {
          const { who, url, quoteId, article } = yield* openQuote
          yield* advance("24 hours")
          const notice = noticeFor(quoteId, { paymentId: PaymentId.make(freshKey()), amountCents: 250 })
          const pay = Effect.asVoid(settle(notice))
          const givenUp = Effect.asVoid(press("abandon", url))
          yield* concurrently(round % 2 === 0 ? [pay, sweep, givenUp, pay] : [givenUp, pay, pay, sweep])
          const ended = yield* who.api.quotes.getQuote({ params: { id: quoteId } })
          expect(ended.status).toBe("abandoned")
          expect(yield* who.api.balance.getBalance()).toMatchObject({ available_cents: 200, held_cents: 0 })
          expect((yield* order(who, [insertion(article)])).status).toBe("awaiting_payment")

          const decide = (outcome: "refunded" | "credited") =>
            resolve({ paymentId: notice.paymentId, outcome, reason: "It came twice.", actor: "ada" }).pipe(
              Effect.map(({ outcome }) => outcome),
              Effect.catchTag("PaymentResolved", () => Effect.succeed(null))
            )
          const outcomes = ["refunded", "credited", "credited", "refunded"] as const
          const decided = yield* concurrently((round % 2 === 0 ? outcomes : outcomes.toReversed()).map(decide))
          const row = find((yield* books).setAside, notice.paymentId)
          expect(new Set(decided.filter((one) => one !== null))).toEqual(new Set([row?.outcome]))
          const { available_cents, held_cents } = yield* who.api.balance.getBalance()
          expect(available_cents + held_cents).toBe(row?.outcome === "credited" ? 450 : 200)
          decisions.push(row?.outcome ?? "none")
        }
        const audited = HashMap.toValues((yield* books).audit).filter(({ action }) => action === "payment.resolve")
        expect(audited).toHaveLength(MISFITS)
        expect(decisions).not.toContain("none")
        yield* expectConsistentBooks
      })
  )
})
