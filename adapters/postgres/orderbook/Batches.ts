// Batches of the calls of several lines: at most two run at a time, each with what waits in the lines whose turn it is. Calls that could not
// be written together run one by one, each line beside the others.
import { Cause, Context, Deferred, Effect, Exit, References } from "effect"
import type { Waiter } from "#adapters/concurrency/AdmissionQueue.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { BoundedSet } from "#core/domain/shared/BoundedMap.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { CONCURRENT_COMMITS } from "../database/Database.ts"

/** A decision on the books that its reads name. */
export interface Call<Reads> {
  readonly reads: Reads
  readonly decide: Decide<unknown, Refusal>
}

export interface QueuedCall<Reads> extends Call<Reads>, Waiter {
  readonly done: Deferred.Deferred<unknown, Refusal | StoreUnavailable>
  /** The context of its caller. */
  readonly services: Context.Context<never>
}

export type Batch<Reads> = ReadonlyArray<QueuedCall<Reads>>

export const completeAll = <A, E>(
  calls: ReadonlyArray<{ readonly done: Deferred.Deferred<A, E> }>,
  exit: Exit.Exit<NoInfer<A>, NoInfer<E>>
): void => {
  for (const { done } of calls) Deferred.doneUnsafe(done, exit)
}

export interface BatchesOptions<Reads> {
  /** How many calls a batch takes: in a larger one, one more should cost as much as it would alone. */
  readonly batchSize: number
  /** Returns whether all of the batch was answered. If not, nothing was written. */
  readonly runBatch: (batch: Batch<Reads>) => Effect.Effect<boolean>
  /** Decides and writes one call, with retries after conflicts. Called in the turn of its line. */
  readonly runSingly: <A, E extends Refusal>(
    reads: Reads,
    decide: Decide<A, E>
  ) => Effect.Effect<A, E | StoreUnavailable>
}

/** A line whose turn it is: until it ends, nothing else touches its account. */
export interface Head<Reads> {
  readonly key: string
  /** The context of its first call, whose trace has the statements of the batch. */
  readonly services: Context.Context<never>
  /** Takes up to `count` calls from the line, if any are left. From here on they run to their end. */
  readonly start: (count: number) => Batch<Reads>
  readonly end: () => void
}

interface StartedHead<Reads> {
  readonly head: Head<Reads>
  readonly batch: Batch<Reads>
}

/**
 * A second batch starts when it would have as many lines as the one that runs: smaller ones cost the database more per call, and what
 * waits has its turn when the first batch ends. But no head waits longer than this for one that is held up.
 */
const MAX_GATHERING = "50 millis"

/** If more lines than these fail, the cause is not the lines. */
const MAX_QUARANTINED = 1_000

const isUnavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable

/** For work that serves others too: its log lines carry no annotations of the request that started it. */
const forkFor = <Reads>({ services }: Head<Reads>, work: Effect.Effect<unknown>): void => {
  // After all that runs now, so that what comes together shares a batch.
  Effect.runForkWith(Context.add(services, References.CurrentLogAnnotations, {}))(Effect.andThen(Effect.yieldNow, work))
}

export class Batches<Reads> {
  readonly #options: BatchesOptions<Reads>
  /** Heads that wait for a batch. */
  readonly #ready: Array<Head<Reads>> = []
  /** Lines whose last batch failed. They run singly until one succeeds, so that a blocked account blocks no others. */
  readonly #quarantined = new BoundedSet<string>(MAX_QUARANTINED)
  #running = 0
  /** In the batches that run. */
  #runningHeads = 0
  #isGathering = false

  constructor(options: BatchesOptions<Reads>) {
    this.#options = options
  }

  add(head: Head<Reads>): void {
    if (this.#quarantined.has(head.key)) {
      this.#runSingly({ head, batch: head.start(this.#options.batchSize) })
      return
    }
    this.#ready.push(head)
    if (this.#ready.length >= this.#runningHeads) this.#startBatches()
    else if (!this.#isGathering) {
      this.#isGathering = true
      forkFor(head, this.#endGathering)
    }
  }

  readonly #endGathering = Effect.map(Effect.sleep(MAX_GATHERING), () => {
    this.#isGathering = false
    this.#startBatches()
  })

  #startBatches(): void {
    const [head] = this.#ready
    if (head === undefined || this.#running === CONCURRENT_COMMITS) return
    this.#running++
    forkFor(head, this.#runBatches)
  }

  #nextBatch(): ReadonlyArray<StartedHead<Reads>> {
    const heads: Array<StartedHead<Reads>> = []
    for (let room = this.#options.batchSize; room > 0; ) {
      const head = this.#ready.shift()
      if (head === undefined) break
      const batch = head.start(room)
      room -= batch.length
      if (batch.length === 0) head.end()
      else heads.push({ head, batch })
    }
    return heads
  }

  /** A run without a next batch counts as ended in the same step, so that the next head starts another. */
  readonly #runBatches: Effect.Effect<void> = Effect.suspend(() => {
    const started = this.#nextBatch()
    if (started.length === 0) {
      this.#running--
      return Effect.void
    }
    const batch = started.flatMap((one) => one.batch)
    this.#runningHeads += started.length
    const answered = Effect.catchCause(this.#options.runBatch(batch), (cause) =>
      Effect.sync(() => {
        completeAll(batch, Exit.failCause(cause))
        return true
      })
    )
    return Effect.flatMap(answered, (isAnswered) => {
      this.#runningHeads -= started.length
      for (const one of started) isAnswered ? one.head.end() : this.#runSingly(one)
      return this.#runBatches
    })
  })

  #runSingly({ head, batch }: StartedHead<Reads>): void {
    if (batch.length === 0) {
      head.end()
      return
    }
    const ended = Effect.map(this.#runEach(batch), (allRan) => {
      if (allRan) this.#quarantined.delete(head.key)
      else this.#quarantined.add(head.key)
      head.end()
    })
    forkFor(head, ended)
  }

  /**
   * Runs calls one after another, and returns whether all ran. If the store is unavailable for one of them, or another session has locked
   * the account, the rest fail at once with the same error.
   */
  readonly #runEach = Effect.fnUntraced({ self: this }, function* (batch: Batch<Reads>) {
    for (const [index, { reads, decide, done }] of batch.entries()) {
      const exit = yield* Effect.exit(this.#options.runSingly(reads, decide))
      Deferred.doneUnsafe(done, exit)
      if (Exit.isSuccess(exit) || !isUnavailable(exit)) continue
      completeAll(batch.slice(index + 1), exit)
      return false
    }
    return true
  })
}
