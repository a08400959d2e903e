// Records delivery attempts in batches per endpoint: attempts that end while others of their endpoint are written are written together
// next. An idle endpoint is written at once, and no endpoint waits for another.
import { Cause, Deferred, Effect, Exit, Option, Schedule, type Scope } from "effect"
import { type MadeAttempt, recordAttempts } from "#core/decisions/Deliveries.ts"
import type { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

/** Retries for as long as the lease lasts: the receiver would get the delivery again if its outcome were lost. */
const RETRY = { schedule: Schedule.exponential("100 millis"), times: 5 }

interface Entry extends MadeAttempt {
  readonly done: Deferred.Deferred<void, StoreUnavailable>
}

/** Waits until the attempt is recorded. An interrupted caller's attempt is recorded all the same. */
export type RecordAttempt = (webhookId: string, made: MadeAttempt) => Effect.Effect<void, StoreUnavailable>

/** Records until the scope closes. */
export const makeRecordAttempts = Effect.fnUntraced(function* (
  book: OrderBook["Service"]
): Effect.fn.Return<RecordAttempt, never, Scope.Scope> {
  const scope = yield* Effect.scope
  /** The waiting attempts by endpoint. An endpoint has an entry exactly while a fiber is writing for it. */
  const waiting = new Map<string, Array<Entry>>()

  const write = (batch: ReadonlyArray<Entry>) => {
    const reads = { _tag: "ForDeliveries" as const, deliveryIds: batch.map(({ claimed }) => claimed.deliveryId) }
    return Effect.asVoid(book.transact(reads, recordAttempts(batch))).pipe(Effect.retry(RETRY))
  }

  /** If a batch fails for another reason than the store, one of its attempts is the cause: each is written again on its own. */
  const complete = (batch: ReadonlyArray<Entry>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(write(batch)), (exit) => {
      const isFinal = Exit.isSuccess(exit) || Option.isSome(Cause.findErrorOption(exit.cause))
      if (!isFinal && batch.length > 1) {
        return Effect.forEach(batch, (entry) => complete([entry]), { concurrency: "unbounded", discard: true })
      }
      return Effect.sync(() => {
        for (const { done } of batch) Deferred.doneUnsafe(done, exit)
      })
    })

  /** Finding nothing left and removing the endpoint is one step, so that no attempt joins a list that is no longer written. */
  const drain = (webhookId: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const batch = waiting.get(webhookId) ?? []
      if (batch.length > 0) {
        waiting.set(webhookId, [])
        return Effect.andThen(Effect.uninterruptible(complete(batch)), drain(webhookId))
      }
      waiting.delete(webhookId)
      return Effect.void
    })

  return (webhookId, made) =>
    Effect.suspend(() => {
      const entry: Entry = { ...made, done: Deferred.makeUnsafe() }
      const recorded = Deferred.await(entry.done)
      const others = waiting.get(webhookId)
      if (others !== undefined) {
        others.push(entry)
        return recorded
      }
      waiting.set(webhookId, [entry])
      return Effect.andThen(Effect.forkIn(drain(webhookId), scope, { startImmediately: true }), recorded)
    })
})
