// Queues placements per account and submits them in batches: of one account at a time, or of several accounts together. Placements that
// cannot be written together run singly.
import { Cause, Deferred, Effect, Exit, type Scope } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import { BoundedSet } from "#core/domain/BoundedMap.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { queueFull } from "../database/AdmissionQueue.ts"
import {
  type BatchEntry,
  completeAll,
  forkDetached,
  MAX_BATCH_SIZE,
  MAX_CONCURRENT_BATCHES,
  makeBatcher
} from "../database/Batcher.ts"
import { skipAdmission } from "../database/Semaphore.ts"
import { unavailable } from "../database/SqlErrors.ts"
import {
  type AccountBatch,
  type PipelineOptions,
  placementPipeline,
  type QueuedPlacement
} from "./PlacementPipeline.ts"
import type { ForPlacement } from "./PlacementQuery.ts"

export type PlaceOrder = <A, E extends Refusal>(
  reads: ForPlacement,
  decide: Decide<A, E>
) => Effect.Effect<A, E | StoreUnavailable>

export interface PlacementQueueOptions extends PipelineOptions {
  /** Decides and writes one placement, with retries after conflicts. Called while its account is locked in this process. */
  readonly placeSingly: PlaceOrder
}

/** As many account batches as fit; the first always does. */
const batchSize = (waiting: ReadonlyArray<BatchEntry<AccountBatch, AccountBatch, never>>): number => {
  let placements = 0
  const tooMany = waiting.findIndex(({ input }) => {
    placements += input.length
    return placements > MAX_BATCH_SIZE
  })
  return tooMany < 0 ? waiting.length : Math.max(1, tooMany)
}

/** If more accounts than these fail, the cause is not the accounts. */
const MAX_QUARANTINED = 1_000

const isUnavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable

export const makePlacementQueue = Effect.fnUntraced(function* ({
  placeSingly,
  ...options
}: PlacementQueueOptions): Effect.fn.Return<PlaceOrder, never, Scope.Scope> {
  const { admission, runExclusive } = options.database
  const pipeline = placementPipeline(options)
  /** Placements that wait, by account. A fiber drains each account's queue and removes it once it is empty. */
  const queues = new Map<string, Array<QueuedPlacement>>()
  /** Accounts whose last batch failed. They run singly until one succeeds, so that a blocked account blocks no others. */
  const quarantined = new BoundedSet<string>(MAX_QUARANTINED)
  const drained = yield* Deferred.make<void>()
  let isClosed = false

  /** Those that have neither timed out nor been interrupted. From here on they run to their end. */
  const start = (batch: AccountBatch): AccountBatch => batch.filter((one) => admission.remove(one))

  /** Returns the placements of an account batch that have to run singly. All keep their slots until their batch starts. */
  const submit = yield* makeBatcher<AccountBatch, AccountBatch, never>({
    maxConcurrent: MAX_CONCURRENT_BATCHES,
    admission: null,
    batchSize,
    runBatch: Effect.fnUntraced(function* (entries) {
      const started = entries.map((entry) => ({ ...entry, input: start(entry.input) }))
      const batches = started.map(({ input }) => input).filter(({ length }) => length > 0)
      const [[first] = [], ...others] = batches
      if (first !== undefined && others.length === 0) {
        const { accountId } = first.reads
        const startNext = () => start(queues.get(accountId)?.splice(0, MAX_BATCH_SIZE) ?? [])
        const unwritten = yield* pipeline.runPipelined(batches.flat(), accountId, startNext)
        for (const entry of started) completeAll([entry], Exit.succeed(entry.input.length > 0 ? unwritten : []))
      } else {
        const answered = batches.length === 0 || (yield* pipeline.runTogether(batches))
        for (const entry of started) completeAll([entry], Exit.succeed(answered ? [] : entry.input))
      }
    })
  })

  /**
   * Runs placements one after another, and returns whether all ran. If the store is unavailable for one of them, or another session has
   * locked the account, the rest fail at once with the same error.
   */
  const runSingly = Effect.fnUntraced(function* (batch: AccountBatch) {
    for (const [index, { reads, decide, done }] of batch.entries()) {
      const exit = yield* Effect.exit(placeSingly(reads, decide))
      Deferred.doneUnsafe(done, exit)
      if (!isUnavailable(exit)) continue
      completeAll(batch.slice(index + 1), exit)
      return false
    }
    return true
  })

  const runBatch = (batch: AccountBatch) =>
    Effect.flatMap(submit(batch), (unwritten) => (unwritten.length === 0 ? Effect.succeed(true) : runSingly(unwritten)))

  /** Removes an empty queue in the same step, so that the next placement starts a new one. */
  const hasMore = (accountId: string, queue: ReadonlyArray<QueuedPlacement>): boolean => {
    if (queue.length > 0) return true
    queues.delete(accountId)
    if (isClosed && queues.size === 0) Deferred.doneUnsafe(drained, Exit.void)
    return false
  }

  const runNext = Effect.fnUntraced(function* (accountId: string, queue: Array<QueuedPlacement>) {
    const isQuarantined = quarantined.has(accountId)
    const next = queue.splice(0, MAX_BATCH_SIZE)
    const batch = isQuarantined ? start(next) : next
    if (batch.length === 0) return
    const outcome = yield* Effect.exit(isQuarantined ? runSingly(batch) : runBatch(batch))
    if (Exit.isFailure(outcome)) {
      start(batch)
      completeAll(batch, outcome)
    } else if (outcome.value) quarantined.delete(accountId)
    else quarantined.add(accountId)
  })

  const drainAccount = (accountId: string, queue: Array<QueuedPlacement>) =>
    Effect.whileLoop({
      while: () => hasMore(accountId, queue),
      body: () => Effect.ignore(runExclusive(accountId, () => runNext(accountId, queue), skipAdmission)),
      step: () => {}
    })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      for (const queue of queues.values()) completeAll(start(queue.splice(0)), Exit.fail(unavailable))
      return queues.size === 0 ? Effect.void : Deferred.await(drained)
    })
  )

  const enqueue = (one: QueuedPlacement) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const { accountId } = one.reads
        if (isClosed) return Effect.fail(unavailable)
        if (!admission.admit(one)) return Effect.fail(queueFull)
        const result = Effect.onInterrupt(restore(Deferred.await(one.done)), () =>
          Effect.sync(() => void admission.remove(one))
        )
        const queue = queues.get(accountId)
        if (queue !== undefined) {
          queue.push(one)
          return result
        }
        const first = [one]
        queues.set(accountId, first)
        return Effect.andThen(forkDetached(drainAccount(accountId, first)), result)
      })
    )

  return <A, E extends Refusal>(reads: ForPlacement, decide: Decide<A, E>) =>
    Effect.suspend(() => {
      const done = Deferred.makeUnsafe<unknown, Refusal | StoreUnavailable>()
      const timeOut = () => void Deferred.doneUnsafe(done, Exit.fail(queueFull))
      // `done` is only completed with the result of this placement's own decision.
      return enqueue({ reads, decide, done, timeOut, account: reads.accountId }) as Effect.Effect<
        A,
        E | StoreUnavailable
      >
    })
})
