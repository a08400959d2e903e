// A batch of placements: each is answered once, with what was written, or is left for a single run.
import { it } from "@effect/vitest"
import { Context, Deferred, Effect, Result } from "effect"
import { describe, expect } from "vitest"
import type { Row } from "#adapters/postgres/database/Connections.ts"
import { ConflictError, unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import type { QueuedCall } from "#adapters/postgres/orderbook/Batches.ts"
import { batchRun } from "#adapters/postgres/orderbook/BatchRun.ts"
import type { ForPlacement } from "#adapters/postgres/orderbook/PlacementQuery.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { NOON } from "#test/core/Given.ts"
import { emptyPlacementReads } from "#test/core/ports/ordering/VisibleBooks.ts"
import { contextAt } from "#test/core/RunDecision.ts"
import { admissionQueue, fakeDatabase } from "../FakeDatabase.ts"
import { emptyShop, unreadable } from "./TestLines.ts"

type CommitResult = Effect.Effect<void, ConflictError | StoreUnavailable>

const conflict: CommitResult = Effect.fail(new ConflictError({ code: "40001" }))
const lockTimeout: CommitResult = Effect.fail(new ConflictError({ code: "55P03" }))
const connectionLost: CommitResult = Effect.fail(unavailable)

/** Counts an order for its key, which serves as its name. */
const queued = (keyId: KeyId): QueuedCall<ForPlacement> => ({
  reads: emptyPlacementReads({ keyId, accountId: AccountId.make("acc") }),
  decide: () => Result.succeed({ reply: keyId, changes: [{ _tag: "DailyOrderCounted", keyId, day: 1 }] }),
  done: Deferred.makeUnsafe<unknown, Refusal | StoreUnavailable>(),
  services: Context.empty(),
  refuse: () => undefined
})

/** The result, if there is one by now. */
const resultOf = ({ done }: QueuedCall<ForPlacement>) =>
  Deferred.isDoneUnsafe(done)
    ? Effect.map(Effect.result(Deferred.await(done)), Result.merge)
    : Effect.succeed("none yet")

/**
 * Runs a batch of two placements. Queries for books and commits have these results in order; after the last, books are of an empty shop and
 * commits succeed.
 */
const runWhere = Effect.fnUntraced(function* (
  loads: ReadonlyArray<Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>>,
  ...commits: ReadonlyArray<CommitResult>
) {
  const batch = [queued(KeyId.make("key 0")), queued(KeyId.make("key 1"))]
  const written: Array<ReadonlyArray<string>> = []
  const committed: Array<number> = []
  let loaded = 0
  const database = fakeDatabase(admissionQueue(0), {
    read: () => loads[loaded++] ?? emptyShop,
    commit: (_, [rows]) => {
      const { new_tallies } = JSON.parse(String(rows))
      // Each row is a list that begins with the key's id.
      written.push(Array.from(new_tallies, ([keyId]) => String(keyId)).sort())
      return Effect.as(commits[written.length - 1] ?? Effect.void, [])
    }
  })
  const run = batchRun({
    read: database.read,
    write: database.commit,
    contexts: () => Effect.succeed(() => contextAt(NOON)),
    onCommitted: ({ dailyUsage }) => Effect.sync(() => void committed.push(dailyUsage.length))
  })
  const isAnswered = yield* run(batch)
  // A written batch is answered after the next one was sent.
  yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  return { isAnswered, written, committed, results: yield* Effect.forEach(batch, resultOf) }
})

const BOTH = ["key 0", "key 1"]
const neither = { committed: [], results: ["none yet", "none yet"], isAnswered: false }

describe("a batch of placements", () => {
  it.effect("is answered once it is written", () =>
    Effect.gen(function* () {
      expect(yield* runWhere([])).toEqual({ isAnswered: true, written: [BOTH], committed: [2], results: BOTH })
    })
  )

  it.effect("is loaded and decided again after a conflict", () =>
    Effect.gen(function* () {
      const all = { isAnswered: true, written: [BOTH, BOTH], committed: [2], results: BOTH }
      expect(yield* runWhere([], conflict)).toEqual(all)
    })
  )

  it.effect("is left for single runs after two conflicts, a lock timeout, or rows that cannot be decoded", () =>
    Effect.gen(function* () {
      expect(yield* runWhere([], conflict, conflict)).toEqual({ ...neither, written: [BOTH, BOTH] })
      expect(yield* runWhere([], lockTimeout)).toEqual({ ...neither, written: [BOTH] })
      expect(yield* runWhere([unreadable])).toEqual({ ...neither, written: [] })
    })
  )

  it.effect("fails without a retry if its books cannot be loaded, or it is unknown whether it was written", () =>
    Effect.gen(function* () {
      const failed = { isAnswered: true, committed: [], results: [unavailable, unavailable] }
      expect(yield* runWhere([Effect.fail(unavailable)])).toEqual({ ...failed, written: [] })
      expect(yield* runWhere([], connectionLost)).toEqual({ ...failed, written: [BOTH] })
    })
  )
})
