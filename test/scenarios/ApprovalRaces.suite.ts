// Everything that can end a wait for approval at once: one end, and the money is right.
import { Effect } from "effect"
import { expect } from "vitest"
import { DecideApproval } from "#core/usecases/DecideApproval.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import { SweepQuotes } from "#core/usecases/SweepQuotes.ts"
import { concurrently, times } from "#test/ports/StoreSuite.ts"
import { quotesOf } from "../core/BookReads.ts"
import { creditOf, operator, statusOf, waiting } from "./ApprovalSteps.ts"
import { buyer, by, cart, freshKey, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { placedBy, postOrder } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const approvalRacesSuite = scenarios("races for approval", {}, (it) => {
  it.effect("20 equal carts at once under different idempotency keys: one is placed, the others wait", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 50_000, limits: { holdLookAlikes: true } })
      const answers = yield* concurrently(times(20, () => postOrder(who.key, cart([item(siteId)]), freshKey())))
      const statuses = answers.map((answer) => placedBy(answer).status)
      expect(statuses.filter((status) => status === "paid")).toHaveLength(1)
      expect(statuses.filter((status) => status === "awaiting_approval")).toHaveLength(19)
    })
  )

  it.effect("approval, decline, expiry, abandonment and revocation at once: one end, and the money is right", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const approvals = yield* DecideApproval
      const keys = yield* ManageKeys
      const sweeper = yield* SweepQuotes
      for (const creditCents of [5_000, 100]) {
        const all = yield* Effect.forEach(
          times(6, () => 0),
          () => waiting({ creditCents })
        )
        yield* concurrently(
          all.flatMap(({ who, quoteId, repeat }) => [
            Effect.exit(approvals.approve(quoteId, operator)),
            Effect.exit(approvals.decline(quoteId, operator, "no")),
            Effect.exit(who.api.quotes.abandonQuote({ params: { id: quoteId } })),
            Effect.exit(Effect.andThen(keys.revoke(who.keyId, by), sweeper.sweepRevoked(who.accountId))),
            Effect.exit(approvals.approve(quoteId, operator)),
            Effect.exit(repeat)
          ])
        )
        yield* sweeper.sweep()
        for (const { who, quoteId, quote } of all) {
          const [only, ...others] = quotesOf(yield* books, who)
          expect([only?.quoteId, others]).toEqual([quoteId, []])
          expect(only?.status).not.toBe("awaiting_approval")
          const reader = yield* issueKey(who.accountId)
          const { held_cents, available_cents } = yield* creditOf(reader)
          const used = quote.credit_applied_cents
          const spent = only?.status === "paid" ? used : 0
          expect(held_cents).toBe(only?.status === "awaiting_payment" ? used : 0)
          expect(available_cents).toBe(creditCents - spent - held_cents)
        }
      }
    })
  )

  it.effect("approval races expiry: an order, or everything back", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const approvals = yield* DecideApproval
      const sweeper = yield* SweepQuotes
      const all = yield* Effect.forEach(
        times(5, () => 0),
        () => waiting()
      )
      yield* concurrently([
        advance("24 hours"),
        ...all.map(({ quoteId }) => Effect.exit(approvals.approve(quoteId, operator))),
        ...times(3, () => sweeper.sweep())
      ])
      yield* sweeper.sweep()
      for (const { who, quoteId, quote } of all) {
        const { status } = yield* statusOf(who, quoteId)
        expect(["paid", "abandoned"]).toContain(status)
        const { available_cents, held_cents } = yield* creditOf(who)
        expect([available_cents, held_cents]).toEqual([5_000 - (status === "paid" ? quote.credit_applied_cents : 0), 0])
      }
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
