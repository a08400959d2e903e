// The line of placements: each waits in its account's queue, accounts take turns, and each batch takes what waits of the accounts whose
// turn it is. Placements that cannot be written together run singly.
import { Cause, Context, Deferred, Effect, Exit, References, type Scope } from "effect"
import { BoundedSet } from "#adapters/concurrency/BoundedMap.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { queueFull } from "../database/AdmissionQueue.ts"
import { completeAll, MAX_BATCH_SIZE } from "../database/Batcher.ts"
import { CONCURRENT_COMMITS } from "../database/Database.ts"
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
 * What waits of one account. It refers to nothing else of a call: a `Map` that resizes keeps its earlier entries until the next major
 * garbage collection.
 */
interface AccountQueue {
  readonly accountId: string
  readonly waiting: Array<QueuedPlacement>
}

/** An account that no other work in this process touches until the turn ends. */
interface Turn {
  readonly queue: AccountQueue
  /** Of the placement that began it: its trace has the statements of the turn's batch. */
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

export const makePlacementLine = Effect.fnUntraced(function* ({
  placeSingly,
  ...options
}: PlacementLineOptions): Effect.fn.Return<PlaceOrder, never, Scope.Scope> {
  const { admission, takeExclusively } = options.database
  const runBatch = placementRun(options)
  /** Accounts of which placements wait or run. */
  const queues = new Map<string, AccountQueue>()
  /** Turns that wait for a batch. */
  const ready: Array<Turn> = []
  /** Accounts whose last batch failed. They run singly until one succeeds, so that a blocked account blocks no others. */
  const quarantined = new BoundedSet<string>(MAX_QUARANTINED)
  const drained = yield* Deferred.make<void>()
  let running = 0
  /** In the batches that run. */
  let runningTurns = 0
  let isGathering = false
  let isClosed = false

  /** Up to as many as fit that have neither timed out nor been interrupted. From here on they run to their end. */
  const start = ({ waiting }: AccountQueue, count: number): Batch =>
    waiting.splice(0, count).filter((one) => admission.remove(one))

  const startBatches = (): void => {
    const [turn] = ready
    if (turn === undefined || running === CONCURRENT_COMMITS) return
    running++
    forkFor(turn, runBatches)
  }

  const endGathering = Effect.map(Effect.sleep(MAX_GATHERING), () => {
    isGathering = false
    startBatches()
  })

  const beginTurn = (queue: AccountQueue, { services }: QueuedPlacement): void => {
    const { accountId } = queue
    takeExclusively(accountId, (release) => {
      const turn = { queue, services, release }
      if (quarantined.has(accountId)) runSingly({ ...turn, batch: start(queue, MAX_BATCH_SIZE) })
      else {
        ready.push(turn)
        if (ready.length >= runningTurns) startBatches()
        else if (!isGathering) {
          isGathering = true
          forkFor(turn, endGathering)
        }
      }
    })
  }

  /** Other work on the account comes before what waits by now. */
  const endTurn = ({ queue, release }: Turn): void => {
    release()
    const [next] = queue.waiting
    if (next !== undefined) beginTurn(queue, next)
    else {
      queues.delete(queue.accountId)
      if (isClosed && queues.size === 0) Deferred.doneUnsafe(drained, Exit.void)
    }
  }

  /**
   * Runs placements one after another, and returns whether all ran. If the store is unavailable for one of them, or another session has
   * locked the account, the rest fail at once with the same error.
   */
  const placeEach = Effect.fnUntraced(function* (batch: Batch) {
    for (const [index, { reads, decide, done }] of batch.entries()) {
      const exit = yield* Effect.exit(placeSingly(reads, decide))
      Deferred.doneUnsafe(done, exit)
      if (!isUnavailable(exit)) continue
      completeAll(batch.slice(index + 1), exit)
      return false
    }
    return true
  })

  const runSingly = (turn: StartedTurn): void => {
    const { queue, batch } = turn
    const placed = Effect.map(placeEach(batch), (allRan) => {
      if (allRan) quarantined.delete(queue.accountId)
      else quarantined.add(queue.accountId)
      endTurn(turn)
    })
    if (batch.length === 0) endTurn(turn)
    else forkFor(turn, placed)
  }

  const nextBatch = (): ReadonlyArray<StartedTurn> => {
    const turns: Array<StartedTurn> = []
    for (let room = MAX_BATCH_SIZE; room > 0; ) {
      const turn = ready.shift()
      if (turn === undefined) break
      const batch = start(turn.queue, room)
      room -= batch.length
      if (batch.length === 0) endTurn(turn)
      else turns.push({ ...turn, batch })
    }
    return turns
  }

  /** Without a next batch, it is counted as ended in the same step, so that the next turn starts another. */
  const runBatches: Effect.Effect<void> = Effect.suspend(() => {
    const turns = nextBatch()
    if (turns.length === 0) {
      running--
      return Effect.void
    }
    const batch = turns.flatMap((turn) => turn.batch)
    runningTurns += turns.length
    const answered = Effect.catchCause(runBatch(batch), (cause) =>
      Effect.sync(() => {
        completeAll(batch, Exit.failCause(cause))
        return true
      })
    )
    return Effect.flatMap(answered, (isAnswered) => {
      runningTurns -= turns.length
      for (const turn of turns) isAnswered ? endTurn(turn) : runSingly(turn)
      return runBatches
    })
  })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      for (const queue of queues.values()) completeAll(start(queue, queue.waiting.length), Exit.fail(unavailable))
      return queues.size === 0 ? Effect.void : Deferred.await(drained)
    })
  )

  const enqueue = (one: QueuedPlacement): void => {
    const { accountId } = one.reads
    const queue = queues.get(accountId)
    if (queue !== undefined) {
      queue.waiting.push(one)
      return
    }
    const first = { accountId, waiting: [one] }
    queues.set(accountId, first)
    beginTurn(first, one)
  }

  return <A, E extends Refusal>(reads: ForPlacement, decide: Decide<A, E>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.contextWith((services: Context.Context<never>) => {
        if (isClosed) return Effect.fail(unavailable)
        const done = Deferred.makeUnsafe<A, E | StoreUnavailable>()
        const timeOut = () => void Deferred.doneUnsafe(done, Exit.fail(queueFull))
        // `done` is only completed with the result of this placement's own decision.
        const one = { reads, decide, done, timeOut, account: reads.accountId, services } as QueuedPlacement
        if (!admission.admit(one)) return Effect.fail(queueFull)
        enqueue(one)
        return Effect.onInterrupt(restore(Deferred.await(done)), () => Effect.sync(() => void admission.remove(one)))
      })
    )
})
