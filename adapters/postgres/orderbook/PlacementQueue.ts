// Gathers the placements that wait: those of one account take their turn together, and those of several accounts go in one flight.
// What cannot go together goes alone. What becomes of a flight on the way is `PlacementFlight`'s.
import { Cause, Deferred, Effect, Exit, type Scope } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
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
import { forgetOldest } from "../ForgetOldest.ts"
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
  /** Decides one placement by itself, in its account's turn and again wherever it loses a race. */
  readonly placeSingly: PlaceOrder
}

/** As many parties as there is room for. The first always goes, however large. */
const board = (waiting: ReadonlyArray<BatchEntry<AccountBatch, AccountBatch, never>>): number => {
  let count = 0
  const tooMany = waiting.findIndex(({ input: cargo }) => {
    count += cargo.length
    return count > MAX_BATCH_SIZE
  })
  return tooMany < 0 ? waiting.length : Math.max(1, tooMany)
}

/** So many accounts are remembered as unserved. Where there are more, it is not about them. */
const UNSERVED = 1_000

const isAway = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable

export const makePlacementQueue = Effect.fnUntraced(function* ({
  placeSingly: alone,
  ...placing
}: PlacementQueueOptions): Effect.fn.Return<PlaceOrder, never, Scope.Scope> {
  const { admission: room, runExclusive: inTurn } = placing.database
  const flight = placementPipeline(placing)
  /** Those who wait for their account's turn. Each account that somebody waits for has its turns taken until nobody does. */
  const queues = new Map<string, Array<QueuedPlacement>>()
  /** Accounts that could not be served the last time. They go alone until they are: who is held up holds up nobody else. */
  const unserved = new Set<string>()
  const ended = yield* Deferred.make<void>()
  let isClosed = false

  /** Those of them who have not given up. From now on they wait for nothing but their answer. */
  const call = (party: AccountBatch): AccountBatch => party.filter((one) => room.remove(one))

  /** Answers each party with those of it who have to go alone. Everybody keeps the seat until the flight leaves. */
  const travel = yield* makeBatcher<AccountBatch, AccountBatch, never>({
    maxConcurrent: MAX_CONCURRENT_BATCHES,
    admission: null,
    batchSize: board,
    runBatch: Effect.fnUntraced(function* (aboard) {
      const called = aboard.map((one) => ({ ...one, cargo: call(one.input) }))
      const parties = called.map(({ cargo }) => cargo).filter(({ length }) => length > 0)
      const [[first] = [], ...others] = parties
      if (first !== undefined && others.length === 0) {
        const { accountId } = first.reads
        const callNext = () => call(queues.get(accountId)?.splice(0, MAX_BATCH_SIZE) ?? [])
        const left = yield* flight.follow(parties.flat(), accountId, callNext)
        for (const one of called) completeAll([one], Exit.succeed(one.cargo.length > 0 ? left : []))
      } else {
        const areTold = parties.length === 0 || (yield* flight.together(parties))
        for (const one of called) completeAll([one], Exit.succeed(areTold ? [] : one.cargo))
      }
    })
  })

  /**
   * One after another. Where the store is away for one of them, or somebody holds the account, so it is for the rest: they are told
   * at once. Whether they could be served.
   */
  const goAlone = Effect.fnUntraced(function* (party: AccountBatch) {
    for (const [index, { reads, decide, done }] of party.entries()) {
      const exit = yield* Effect.exit(alone(reads, decide))
      Deferred.doneUnsafe(done, exit)
      if (!isAway(exit)) continue
      completeAll(party.slice(index + 1), exit)
      return false
    }
    return true
  })

  const goTogether = (party: AccountBatch) =>
    Effect.flatMap(travel(party), (left) => (left.length === 0 ? Effect.succeed(true) : goAlone(left)))

  /** Whether anybody waits. In one step with looking: whoever comes after it begins a new queue. */
  const goesOn = (accountId: string, queue: ReadonlyArray<QueuedPlacement>): boolean => {
    if (queue.length > 0) return true
    queues.delete(accountId)
    if (isClosed && queues.size === 0) Deferred.doneUnsafe(ended, Exit.void)
    return false
  }

  const remember = (accountId: string, isServed: boolean): void => {
    unserved.delete(accountId)
    if (isServed) return
    forgetOldest(unserved, UNSERVED)
    unserved.add(accountId)
  }

  const takeTurn = Effect.fnUntraced(function* (accountId: string, queue: Array<QueuedPlacement>) {
    const isUnserved = unserved.has(accountId)
    const all = queue.splice(0, MAX_BATCH_SIZE)
    const party = isUnserved ? call(all) : all
    if (party.length === 0) return
    const outcome = yield* Effect.exit(isUnserved ? goAlone(party) : goTogether(party))
    if (Exit.isSuccess(outcome)) return remember(accountId, outcome.value)
    call(party)
    completeAll(party, outcome)
  })

  /** One turn of the account after another. */
  const takeTurns = (accountId: string, queue: Array<QueuedPlacement>) =>
    Effect.whileLoop({
      while: () => goesOn(accountId, queue),
      body: () => Effect.ignore(inTurn(accountId, () => takeTurn(accountId, queue), skipAdmission)),
      step: () => {}
    })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      for (const queue of queues.values()) completeAll(call(queue.splice(0)), Exit.fail(unavailable))
      return queues.size === 0 ? Effect.void : Deferred.await(ended)
    })
  )

  const place = (one: QueuedPlacement) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const { accountId } = one.reads
        if (isClosed) return Effect.fail(unavailable)
        if (!room.admit(one)) return Effect.fail(queueFull)
        const answer = Effect.onInterrupt(restore(Deferred.await(one.done)), () =>
          Effect.sync(() => void room.remove(one))
        )
        const queue = queues.get(accountId)
        if (queue !== undefined) {
          queue.push(one)
          return answer
        }
        const first = [one]
        queues.set(accountId, first)
        return Effect.andThen(forkDetached(takeTurns(accountId, first)), answer)
      })
    )

  return <A, E extends Refusal>(reads: ForPlacement, decide: Decide<A, E>) =>
    Effect.suspend(() => {
      const done = Deferred.makeUnsafe<unknown, Refusal | StoreUnavailable>()
      const tire = () => void Deferred.doneUnsafe(done, Exit.fail(queueFull))
      // What it is told is what its own decision came to.
      return place({ reads, decide, done, timeOut: tire }) as Effect.Effect<A, E | StoreUnavailable>
    })
})
