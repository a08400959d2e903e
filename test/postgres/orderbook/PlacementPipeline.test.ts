// Pipelined batches of placements: each placement is answered once, with what was written, or is left for a single run.
import { it } from "@effect/vitest"
import { Deferred, Effect, Result } from "effect"
import { describe, expect } from "vitest"
import { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import type { Row } from "#adapters/postgres/database/Connections.ts"
import { ConflictError, unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { placementPipeline, type QueuedPlacement } from "#adapters/postgres/orderbook/PlacementPipeline.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { NOON } from "#test/core/Given.ts"
import { contextAt } from "#test/core/RunDecision.ts"
import { emptyPlacementReads } from "#test/ports/VisibleBooks.ts"
import { fakeDatabase } from "../FakeDatabase.ts"
import { emptyShop, unreadable } from "./TestPlacementQueue.ts"

type CommitResult = Effect.Effect<void, ConflictError | StoreUnavailable>

const conflict: CommitResult = Effect.fail(new ConflictError({ code: "40001" }))
const lockTimeout: CommitResult = Effect.fail(new ConflictError({ code: "55P03" }))
const connectionLost: CommitResult = Effect.fail(unavailable)

/** Counts an order for its key, which serves as its name. */
const queued = (keyId: string): QueuedPlacement => ({
  reads: emptyPlacementReads({ keyId, accountId: "acc" }),
  decide: () => Result.succeed({ reply: keyId, changes: [{ _tag: "DailyOrderCounted", keyId, day: 1 }] }),
  done: Deferred.makeUnsafe<unknown, Refusal | StoreUnavailable>(),
  timeOut: () => undefined
})

const nameOf = ({ reads }: QueuedPlacement): string => reads.keyId

/** The result, if there is one by now. */
const resultOf = ({ done }: QueuedPlacement) =>
  Deferred.isDoneUnsafe(done)
    ? Effect.map(Effect.result(Deferred.await(done)), Result.merge)
    : Effect.succeed("none yet")

/** Results of the queries for books, in order. */
type Loads = ReadonlyArray<Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>>

/**
 * Runs a batch of two placements, followed by batches of two from the account's queue of `others`. Commits have these results in order,
 * and succeed after the last; so do the queries for books, which select an empty shop.
 */
const pipelineWhere = Effect.fnUntraced(function* (
  loads: Loads,
  others: number,
  ...commits: ReadonlyArray<CommitResult>
) {
  const all = Array.from({ length: 2 + others }, (_, index) => queued(`key ${index}`))
  const queue = all.slice(2)
  const written: Array<ReadonlyArray<string>> = []
  const committed: Array<number> = []
  let loaded = 0
  const database = fakeDatabase(new AdmissionQueue(0), {
    read: () => loads[loaded++] ?? emptyShop,
    commit: (_, [rows]) => {
      const { tallies } = JSON.parse(String(rows))
      // Each row is a list that begins with the key's id.
      written.push(Array.from(tallies, ([keyId]) => String(keyId)))
      return Effect.as(commits[written.length - 1] ?? Effect.void, [])
    }
  })
  const { runPipelined } = placementPipeline({
    database,
    contexts: () => Effect.succeed(() => contextAt(NOON)),
    onCommitted: (changes) => Effect.sync(() => void committed.push(changes.length))
  })
  const singles = yield* runPipelined(all.slice(0, 2), "acc", () => queue.splice(0, 2))
  // A written batch is answered after the next one was sent.
  yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  const results = yield* Effect.forEach(all, resultOf)
  return { written, committed, results, singles: singles.map(nameOf), waiting: queue.map(nameOf) }
})

const pipeline = (others: number, ...commits: ReadonlyArray<CommitResult>) => pipelineWhere([], others, ...commits)

const pairs = (count: number) => Array.from({ length: count }, (_, nth) => [`key ${2 * nth}`, `key ${2 * nth + 1}`])

describe("a pipeline of placements", () => {
  it.effect("runs batches that were queued meanwhile, and answers each once it is written", () =>
    Effect.gen(function* () {
      const { written, committed, results, singles } = yield* pipeline(4)
      expect(written).toEqual(pairs(3))
      expect(committed).toEqual([2, 2, 2])
      expect(results).toEqual(pairs(3).flat())
      expect(singles).toEqual([])
    })
  )

  it.effect("runs at most three batches after the first before other work on the account", () =>
    Effect.gen(function* () {
      const { written, waiting } = yield* pipeline(10)
      expect(written).toEqual(pairs(4))
      expect(waiting).toEqual(pairs(6).slice(4).flat())
    })
  )

  it.effect("answers a written batch even if the books of the next one cannot be loaded, and loads these again", () =>
    Effect.gen(function* () {
      for (const load of [Effect.fail(unavailable), unreadable]) {
        const { written, results, singles } = yield* pipelineWhere([emptyShop, load], 2)
        expect(written).toEqual(pairs(2))
        expect(results).toEqual(pairs(2).flat())
        expect(singles).toEqual([])
      }
    })
  )

  it.effect("retries a batch after a conflict, and decides the next one again", () =>
    Effect.gen(function* () {
      const { written, committed, results, singles } = yield* pipeline(4, conflict)
      expect(written).toEqual([...pairs(1), ...pairs(3)])
      expect(committed).toEqual([2, 2, 2])
      expect(results).toEqual(pairs(3).flat())
      expect(singles).toEqual([])
    })
  )

  it.effect("returns a batch for single runs after two conflicts, with the next one, and answers neither", () =>
    Effect.gen(function* () {
      const { written, committed, results, singles, waiting } = yield* pipeline(4, conflict, conflict)
      expect(written).toEqual([...pairs(1), ...pairs(1)])
      expect(committed).toEqual([])
      expect(singles).toEqual(pairs(2).flat())
      expect(waiting).toEqual(pairs(3).slice(2).flat())
      expect(results).toEqual(pairs(3).flatMap((pair) => pair.map(() => "none yet")))
    })
  )

  it.effect("does not retry after a lock timeout", () =>
    Effect.gen(function* () {
      const { written, singles } = yield* pipeline(2, lockTimeout)
      expect(written).toEqual(pairs(1))
      expect(singles).toEqual(pairs(2).flat())
    })
  )

  it.effect("fails a batch if it is unknown whether it was written, without a retry, and writes the next one", () =>
    Effect.gen(function* () {
      const { written, committed, results, singles } = yield* pipeline(2, connectionLost)
      expect(written).toEqual(pairs(2))
      expect(committed).toEqual([2])
      expect(results).toEqual([unavailable, unavailable, ...pairs(2).slice(1).flat()])
      expect(singles).toEqual([])
    })
  )
})
