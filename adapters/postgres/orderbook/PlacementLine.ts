// The line of placements: each waits in its account's queue, accounts take turns, and each batch takes what waits of the accounts whose
// turn it is. Placements that cannot be written together run singly.
import { Cause, Context, Deferred, Effect, Exit, References, type Scope } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { BoundedSet } from "#core/domain/shared/BoundedMap.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { queueFull } from "../database/AdmissionQueue.ts"
import { completeAll, MAX_BATCH_SIZE } from "../database/Batcher.ts"
import { CONCURRENT_COMMITS, type Database } from "../database/Database.ts"
import { unavailable } from "../database/SqlErrors.ts"
import type { ForPlacement } from "./PlacementQuery.ts"
import { type Batch, type PlacementRunOptions, placementRun, type QueuedPlacement } from "./PlacementRun.ts"

export type PlaceOrder = <A, E extends Refusal>(
  reads: ForPlacement,
  decide: Decide<A, E>
) => Effect.Effect<A, E | StoreUnavailable>

export interface PlacementLineOptions extends PlacementRunOptions {
  /** Decides and writes one placement, with retries after conflicts. Called while its account is locked in this process. */
  readonly placeSingly: PlaceOrder
}

/**
 * The placements of one account that wait. It refers to nothing else of a call: a `Map` that resizes keeps its earlier entries until the next major
 * garbage collection.
 */
interface AccountQueue {
  readonly accountId: AccountId
  readonly waiting: Array<QueuedPlacement>
}

/** An account that no other work in this process touches until the turn ends. */
interface Turn {
  readonly queue: AccountQueue
  /** The context of the placement that began it, whose trace has the statements of the turn's batch. */
  readonly services: Context.Context<never>
  readonly release: () => void
}

interface StartedTurn extends Turn {
  readonly batch: Batch
}

/**
 * A second batch starts when it would have as many accounts as the one that runs: smaller ones cost the database more per order, and what
 * waits has its turn when the first batch ends. But no turn waits longer than this for one that is held up.
 */
const MAX_GATHERING = "50 millis"

/** If more accounts than these fail, the cause is not the accounts. */
const MAX_QUARANTINED = 1_000

const isUnavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable

/** For work that serves others too: its log lines carry no annotations of the request that started it. */
const forkFor = ({ services }: Turn, work: Effect.Effect<unknown>): void => {
  // After all that runs now, so that what comes together shares a batch.
  Effect.runForkWith(Context.add(services, References.CurrentLogAnnotations, {}))(Effect.andThen(Effect.yieldNow, work))
}

/**
 * Runs placements one after another, and returns whether all ran. If the store is unavailable for one of them, or another session has
 * locked the account, the rest fail at once with the same error.
 */
const placeEach = Effect.fnUntraced(function* (placeSingly: PlaceOrder, batch: Batch) {
  for (const [index, { reads, decide, done }] of batch.entries()) {
    const exit = yield* Effect.exit(placeSingly(reads, decide))
    Deferred.doneUnsafe(done, exit)
    if (!isUnavailable(exit)) continue
    completeAll(batch.slice(index + 1), exit)
    return false
  }
  return true
})

class PlacementLine {
  readonly #database: Database["Service"]
  readonly #placeSingly: PlaceOrder
  readonly #runBatch: (batch: Batch) => Effect.Effect<boolean>
  /** Accounts of which placements wait or run. */
  readonly #queues = new Map<string, AccountQueue>()
  /** Turns that wait for a batch. */
  readonly #ready: Array<Turn> = []
  /** Accounts whose last batch failed. They run singly until one succeeds, so that a blocked account blocks no others. */
  readonly #quarantined = new BoundedSet<string>(MAX_QUARANTINED)
  readonly #drained = Deferred.makeUnsafe<void>()
  #running = 0
  /** In the batches that run. */
  #runningTurns = 0
  #isGathering = false
  #isClosed = false

  constructor({ placeSingly, ...options }: PlacementLineOptions) {
    this.#database = options.database
    this.#placeSingly = placeSingly
    this.#runBatch = placementRun(options)
  }

  place<A, E extends Refusal>(reads: ForPlacement, decide: Decide<A, E>): Effect.Effect<A, E | StoreUnavailable> {
    const { admission } = this.#database
    return Effect.uninterruptibleMask((restore) =>
      Effect.contextWith((services: Context.Context<never>) => {
        if (this.#isClosed) return Effect.fail(unavailable)
        const done = Deferred.makeUnsafe<A, E | StoreUnavailable>()
        const timeOut = () => void Deferred.doneUnsafe(done, Exit.fail(queueFull))
        // `done` is only completed with the result of this placement's own decision.
        const one = { reads, decide, done, timeOut, account: reads.accountId, services } as QueuedPlacement
        if (!admission.admit(one)) return Effect.fail(queueFull)
        this.#enqueue(one)
        return Effect.onInterrupt(restore(Deferred.await(done)), () => Effect.sync(() => void admission.remove(one)))
      })
    )
  }

  /** Fails what waits, and ends once all that runs has ended. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.#isClosed = true
    for (const queue of this.#queues.values()) {
      completeAll(this.#start(queue, queue.waiting.length), Exit.fail(unavailable))
    }
    return this.#queues.size === 0 ? Effect.void : Deferred.await(this.#drained)
  })

  #enqueue(one: QueuedPlacement): void {
    const { accountId } = one.reads
    const queue = this.#queues.get(accountId)
    if (queue !== undefined) {
      queue.waiting.push(one)
      return
    }
    const first = { accountId, waiting: [one] }
    this.#queues.set(accountId, first)
    this.#beginTurn(first, one)
  }

  #beginTurn(queue: AccountQueue, { services }: QueuedPlacement): void {
    this.#database.takeExclusively(queue.accountId, (release) => this.#takeTurn({ queue, services, release }))
  }

  #takeTurn(turn: Turn): void {
    const { queue } = turn
    if (this.#quarantined.has(queue.accountId)) {
      this.#runSingly({ ...turn, batch: this.#start(queue, MAX_BATCH_SIZE) })
      return
    }
    this.#ready.push(turn)
    if (this.#ready.length >= this.#runningTurns) this.#startBatches()
    else if (!this.#isGathering) {
      this.#isGathering = true
      forkFor(turn, this.#endGathering)
    }
  }

  readonly #endGathering = Effect.map(Effect.sleep(MAX_GATHERING), () => {
    this.#isGathering = false
    this.#startBatches()
  })

  /** Other work on the account comes before what waits by now. */
  #endTurn({ queue, release }: Turn): void {
    release()
    const [next] = queue.waiting
    if (next !== undefined) this.#beginTurn(queue, next)
    else {
      this.#queues.delete(queue.accountId)
      if (this.#isClosed && this.#queues.size === 0) Deferred.doneUnsafe(this.#drained, Exit.void)
    }
  }

  /** Up to as many as fit that have neither timed out nor been interrupted. From here on they run to their end. */
  #start({ waiting }: AccountQueue, count: number): Batch {
    return waiting.splice(0, count).filter((one) => this.#database.admission.remove(one))
  }

  #startBatches(): void {
    const [turn] = this.#ready
    if (turn === undefined || this.#running === CONCURRENT_COMMITS) return
    this.#running++
    forkFor(turn, this.#runBatches)
  }

  #nextBatch(): ReadonlyArray<StartedTurn> {
    const turns: Array<StartedTurn> = []
    for (let room = MAX_BATCH_SIZE; room > 0; ) {
      const turn = this.#ready.shift()
      if (turn === undefined) break
      const batch = this.#start(turn.queue, room)
      room -= batch.length
      if (batch.length === 0) this.#endTurn(turn)
      else turns.push({ ...turn, batch })
    }
    return turns
  }

  /** A run without a next batch counts as ended in the same step, so that the next turn starts another. */
  readonly #runBatches: Effect.Effect<void> = Effect.suspend(() => {
    const turns = this.#nextBatch()
    if (turns.length === 0) {
      this.#running--
      return Effect.void
    }
    const batch = turns.flatMap((turn) => turn.batch)
    this.#runningTurns += turns.length
    const answered = Effect.catchCause(this.#runBatch(batch), (cause) =>
      Effect.sync(() => {
        completeAll(batch, Exit.failCause(cause))
        return true
      })
    )
    return Effect.flatMap(answered, (isAnswered) => {
      this.#runningTurns -= turns.length
      for (const turn of turns) isAnswered ? this.#endTurn(turn) : this.#runSingly(turn)
      return this.#runBatches
    })
  })

  #runSingly(turn: StartedTurn): void {
    const { queue, batch } = turn
    const placed = Effect.map(placeEach(this.#placeSingly, batch), (allRan) => {
      if (allRan) this.#quarantined.delete(queue.accountId)
      else this.#quarantined.add(queue.accountId)
      this.#endTurn(turn)
    })
    if (batch.length === 0) this.#endTurn(turn)
    else forkFor(turn, placed)
  }
}

export const makePlacementLine = Effect.fnUntraced(function* (
  options: PlacementLineOptions
): Effect.fn.Return<PlaceOrder, never, Scope.Scope> {
  const line = new PlacementLine(options)
  yield* Effect.addFinalizer(() => line.close)
  return (reads, decide) => line.place(reads, decide)
})
