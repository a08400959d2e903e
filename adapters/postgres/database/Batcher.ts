// Runs concurrent calls in batches: a call starts a batch at once unless the maximum is running; calls that wait share the next one.
import { Deferred, Effect, Exit, References, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type AdmissionQueue, queueFull, type Waiter } from "./AdmissionQueue.ts"
import { unavailable } from "./SqlErrors.ts"

/** Enough that the database is never idle while the next batch is prepared. */
export const MAX_CONCURRENT_BATCHES = 4

/** In a larger batch, one more entry costs as much as it would alone. */
export const MAX_BATCH_SIZE = 64

export interface BatchEntry<In, A, E> extends Waiter {
  readonly input: In
  readonly done: Deferred.Deferred<A, E | StoreUnavailable>
}

export interface BatcherOptions<In, A, E> {
  readonly maxConcurrent: number
  /** Where entries wait. */
  readonly admission: AdmissionQueue
  /** Completes every entry. */
  readonly runBatch: (batch: ReadonlyArray<BatchEntry<In, A, E>>) => Effect.Effect<void>
}

export const completeAll = <A, E>(
  entries: ReadonlyArray<{ readonly done: Deferred.Deferred<A, E | StoreUnavailable> }>,
  exit: Exit.Exit<A, E | StoreUnavailable>
): void => {
  for (const { done } of entries) Deferred.doneUnsafe(done, exit)
}

/**
 * For work that one request starts and that then serves others: its log lines carry no annotations of that request. Its statements
 * stay in that request's trace until that ends.
 */
const forkDetached = (work: Effect.Effect<void>): Effect.Effect<unknown> =>
  Effect.forkDetach(Effect.provideService(work, References.CurrentLogAnnotations, {}))

/**
 * Batches run to their end even if their callers are interrupted. When the scope ends, entries that still wait fail with
 * `StoreUnavailable`, and the finalizer awaits the running batches.
 */
export const makeBatcher = Effect.fnUntraced(function* <In, A, E>({
  maxConcurrent,
  admission,
  runBatch
}: BatcherOptions<In, A, E>): Effect.fn.Return<
  (input: In) => Effect.Effect<A, E | StoreUnavailable>,
  never,
  Scope.Scope
> {
  const waiting: Array<BatchEntry<In, A, E>> = []
  const drained = yield* Deferred.make<void>()
  let running = 0
  let isClosed = false

  const dequeue = (count: number): ReadonlyArray<BatchEntry<In, A, E>> => {
    const entries = waiting.splice(0, count)
    for (const entry of entries) admission.remove(entry)
    return entries
  }

  /** If there is no next batch, the loop counts as ended in the same step, so that the next call starts a new one. */
  const nextBatch = (): ReadonlyArray<BatchEntry<In, A, E>> => {
    if (waiting.length > 0) return dequeue(MAX_BATCH_SIZE)
    running--
    if (isClosed && running === 0) Deferred.doneUnsafe(drained, Exit.void)
    return []
  }

  const loop: Effect.Effect<void> = Effect.suspend(() => {
    const batch = nextBatch()
    if (batch.length === 0) return Effect.void
    const completed = Effect.catchCause(runBatch(batch), (cause) =>
      Effect.sync(() => completeAll(batch, Exit.failCause(cause)))
    )
    return Effect.flatMap(completed, () => loop)
  })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      completeAll(dequeue(waiting.length), Exit.fail(unavailable))
      return running === 0 ? Effect.void : Deferred.await(drained)
    })
  )

  /** Whether it was still waiting. */
  const cancel = (entry: BatchEntry<In, A, E>): boolean => {
    const index = waiting.indexOf(entry)
    if (index >= 0) waiting.splice(index, 1)
    return index >= 0
  }

  const makeEntry = (input: In): BatchEntry<In, A, E> => {
    const entry: BatchEntry<In, A, E> = {
      input,
      done: Deferred.makeUnsafe(),
      timeOut: () => {
        if (cancel(entry)) completeAll([entry], Exit.fail(queueFull))
      }
    }
    return entry
  }

  return (input) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        if (isClosed) return Effect.fail(unavailable)
        const entry = makeEntry(input)
        // An entry that can start at once needs no slot.
        if (!admission.admit(entry) && running >= maxConcurrent) return Effect.fail(queueFull)
        waiting.push(entry)
        const result = Effect.onInterrupt(restore(Deferred.await(entry.done)), () =>
          Effect.sync(() => {
            cancel(entry)
            admission.remove(entry)
          })
        )
        if (running >= maxConcurrent) return result
        running++
        return Effect.andThen(forkDetached(loop), result)
      })
    )
})
