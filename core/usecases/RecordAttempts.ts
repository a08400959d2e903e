// Notes what came of attempts. Those at one endpoint are noted together: whoever comes while others are being noted waits for the
// next writing, which takes all who wait. Nobody waits when nobody is being noted, and no endpoint waits for another.
import { Cause, Deferred, Effect, Exit, Option, Schedule, type Scope } from "effect"
import { type MadeAttempt, recordAttempts } from "#core/decisions/Deliveries.ts"
import type { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

/** While the lease lasts. A receiver that got it would get it again if the outcome were lost. */
const NOTING_AGAIN = { schedule: Schedule.exponential("100 millis"), times: 5 }

const SIDE_BY_SIDE = { concurrency: "unbounded", discard: true } as const

interface Call extends MadeAttempt {
  readonly done: Deferred.Deferred<void, StoreUnavailable>
}

/** Waits until it is noted. Whoever stops waiting is noted all the same. */
export type RecordAttempt = (webhookId: string, made: MadeAttempt) => Effect.Effect<void, StoreUnavailable>

/** Notes for as long as the scope is open. */
export const makeRecordAttempts = Effect.fnUntraced(function* (
  book: OrderBook["Service"]
): Effect.fn.Return<RecordAttempt, never, Scope.Scope> {
  const scope = yield* Effect.scope
  /** Who waits, by endpoint; nobody is being noted at one that is not here. */
  const waiting = new Map<string, Array<Call>>()

  const write = (calls: ReadonlyArray<Call>) => {
    const reads = { _tag: "ForDeliveries" as const, deliveryIds: calls.map(({ claimed }) => claimed.deliveryId) }
    return Effect.asVoid(book.transact(reads, recordAttempts(calls))).pipe(Effect.retry(NOTING_AGAIN))
  }

  /** Where it is not the store that failed, one of them must be to blame: each goes once more and by itself. */
  const settle = (calls: ReadonlyArray<Call>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(write(calls)), (exit) => {
      const isOfAll = Exit.isSuccess(exit) || Option.isSome(Cause.findErrorOption(exit.cause))
      if (!isOfAll && calls.length > 1) return Effect.forEach(calls, (call) => settle([call]), SIDE_BY_SIDE)
      return Effect.sync(() => {
        for (const { done } of calls) Deferred.doneUnsafe(done, exit)
      })
    })

  /** Taking the last and leaving is one step, so that nobody joins a line that is not served any more. */
  const noteAll = (webhookId: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const calls = waiting.get(webhookId) ?? []
      if (calls.length > 0) {
        waiting.set(webhookId, [])
        return Effect.andThen(Effect.uninterruptible(settle(calls)), noteAll(webhookId))
      }
      waiting.delete(webhookId)
      return Effect.void
    })

  return (webhookId, made) =>
    Effect.suspend(() => {
      const call: Call = { ...made, done: Deferred.makeUnsafe() }
      const landed = Deferred.await(call.done)
      const line = waiting.get(webhookId)
      if (line !== undefined) {
        line.push(call)
        return landed
      }
      waiting.set(webhookId, [call])
      return Effect.andThen(Effect.forkIn(noteAll(webhookId), scope, { startImmediately: true }), landed)
    })
})
