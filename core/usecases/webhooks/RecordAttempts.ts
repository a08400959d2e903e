// Records delivery attempts in batches over all endpoints: attempts that end while others are written are written together next. No
// endpoint is in two batches at once, so that they do not conflict, and one that cannot be written does not keep the others waiting.
import { Cause, Deferred, Effect, Exit, Option, Schedule, type Scope } from "effect"
import { type MadeAttempt, recordAttempts } from "#core/decisions/webhooks/Deliveries.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import type { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Retries for as long as the lease lasts: the receiver would get the delivery again if its outcome were lost. */
const RETRY = { schedule: Schedule.exponential("100 millis"), times: 5 }

/** Two, so that the store is not idle while the next batch is prepared. */
const MAX_CONCURRENT_BATCHES = 2

/** A batch takes whole endpoints, until it has as many attempts. */
const FULL_BATCH = 128

interface Entry extends MadeAttempt {
  readonly webhookId: WebhookId
  readonly done: Deferred.Deferred<void, StoreUnavailable>
}

const IN_PARALLEL = { concurrency: "unbounded", discard: true } as const

type Batch = ReadonlyArray<Entry>

/** Waits until the attempt is recorded. An interrupted caller's attempt is recorded all the same. */
export type RecordAttempt = (webhookId: WebhookId, made: MadeAttempt) => Effect.Effect<void, StoreUnavailable>

/** Not the store, but one of the attempts is the cause of the failure. */
const isDefect = (exit: Exit.Exit<void, StoreUnavailable>): boolean =>
  Exit.isFailure(exit) && Option.isNone(Cause.findErrorOption(exit.cause))

/** Records until the scope closes. */
export const makeRecordAttempts = Effect.fnUntraced(function* (
  book: OrderBook["Service"]
): Effect.fn.Return<RecordAttempt, never, Scope.Scope> {
  const scope = yield* Effect.scope
  /** The waiting attempts by endpoint, in the order in which the endpoints began to wait. */
  const waiting = new Map<WebhookId, Array<Entry>>()
  /** The endpoints that are being written. */
  const written = new Set<WebhookId>()
  let batches = 0

  const write = (batch: Batch) => {
    const reads = { _tag: "ForDeliveries" as const, deliveryIds: batch.map(({ claimed }) => claimed.deliveryId) }
    return Effect.asVoid(book.transact(reads, recordAttempts(batch)))
  }

  const complete = (batch: Batch, exit: Exit.Exit<void, StoreUnavailable>) =>
    Effect.sync(() => {
      for (const { done } of batch) Deferred.doneUnsafe(done, exit)
    })

  /** If one attempt is the cause of a failure, each is written again on its own. */
  const writeWithRetries = (batch: Batch): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(Effect.retry(write(batch), RETRY)), (exit) =>
      isDefect(exit) && batch.length > 1
        ? Effect.forEach(batch, (entry) => writeWithRetries([entry]), IN_PARALLEL)
        : complete(batch, exit)
    )

  const takeBatch = (): Batch => {
    const batch: Array<Entry> = []
    for (const [webhookId, entries] of waiting) {
      if (batch.length >= FULL_BATCH) break
      if (written.has(webhookId)) continue
      waiting.delete(webhookId)
      written.add(webhookId)
      // Emptied, because a `Map` that resizes keeps its earlier entries until the next major garbage collection.
      batch.push(...entries.splice(0))
    }
    return batch
  }

  /** Their next attempts may be written. */
  const release = (webhookIds: Iterable<WebhookId>) =>
    Effect.suspend(() => {
      for (const webhookId of webhookIds) written.delete(webhookId)
      return startBatch
    })

  /** A batch that cannot be written, perhaps because of one endpoint, is written apart for each, and the next batch may begin. */
  const writeBatch = (batch: Batch): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(write(batch)), (exit) => {
      const endpoints = Map.groupBy(batch, ({ webhookId }) => webhookId)
      batches--
      if (Exit.isSuccess(exit)) return Effect.andThen(complete(batch, exit), release(endpoints.keys()))
      const apart = Effect.forEach(
        endpoints,
        ([webhookId, entries]) => Effect.andThen(writeWithRetries(entries), release([webhookId])),
        IN_PARALLEL
      )
      return Effect.andThen(startBatch, apart)
    })

  const startBatch: Effect.Effect<void> = Effect.suspend(() => {
    const batch = batches < MAX_CONCURRENT_BATCHES ? takeBatch() : []
    if (batch.length === 0) return Effect.void
    batches++
    return Effect.asVoid(Effect.forkIn(Effect.uninterruptible(writeBatch(batch)), scope, { startImmediately: true }))
  })

  return (webhookId, made) =>
    Effect.suspend(() => {
      const entry: Entry = { ...made, webhookId, done: Deferred.makeUnsafe() }
      const others = waiting.get(webhookId)
      if (others === undefined) waiting.set(webhookId, [entry])
      else others.push(entry)
      return Effect.andThen(startBatch, Deferred.await(entry.done))
    })
})
