// Commits of several decisions in one statement: each gets its own result, whatever the database answers to all of them.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch } from "effect"
import { describe, expect } from "vitest"
import { AdmissionQueue, queueFull } from "#adapters/postgres/database/AdmissionQueue.ts"
import { MAX_CONCURRENT_BATCHES } from "#adapters/postgres/database/Batcher.ts"
import { skipAdmission } from "#adapters/postgres/database/Semaphore.ts"
import { ConflictError, unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { makeCommitBatcher } from "#adapters/postgres/orderbook/Commits.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { fakeDatabase, settled } from "../FakeDatabase.ts"

const conflict = new ConflictError({ code: "40001" })

type Rows = { readonly names: ReadonlyArray<string>; readonly nested: { readonly more: ReadonlyArray<string> } }

/** Commits `others` while as many batches as may run are blocked, so that they share the next batch. */
const commitTogether = Effect.fnUntraced(function* (
  answer: (names: ReadonlyArray<string>) => Effect.Effect<void, ConflictError | StoreUnavailable>,
  others: ReadonlyArray<readonly [name: string, ...conflictKeys: ReadonlyArray<string>]>,
  capacity = 100
) {
  const released = yield* Latch.make()
  const written: Array<Rows> = []
  const database = fakeDatabase(new AdmissionQueue(capacity), {
    write: (_, [rows], admission) =>
      Effect.gen(function* () {
        // The commits of the batch were admitted before.
        expect(admission).toBe(skipAdmission)
        yield* released.await
        const parsed: Rows = JSON.parse(String(rows))
        written.push(parsed)
        yield* answer(parsed.names)
        return []
      })
  })
  const commit = yield* makeCommitBatcher(database)
  const send = ([name, ...conflictKeys]: readonly [name: string, ...conflictKeys: ReadonlyArray<string>]) =>
    Effect.forkChild(Effect.exit(commit({ rows: { names: [name], nested: { more: [name] } }, conflictKeys })), {
      startImmediately: true
    })
  for (let running = 0; running < MAX_CONCURRENT_BATCHES; running++) yield* Effect.tap(send(["before"]), settled)
  const sent = yield* Effect.forEach(others, send)
  yield* released.open
  const exits = yield* Fiber.joinAll(sent)
  return { written: written.filter(({ names }) => !names.includes("before")), exits }
})

const rowsOf = (...names: ReadonlyArray<string>): Rows => ({ names, nested: { more: names } })

describe("commits in one batch", () => {
  it.effect("are written in one statement with the rows of each", () =>
    Effect.gen(function* () {
      const { written, exits } = yield* commitTogether(
        () => Effect.void,
        [["a", "account a"], ["b", "account b"], ["c"]]
      )
      expect(written).toEqual([rowsOf("a", "b", "c")])
      expect(exits).toEqual([Exit.void, Exit.void, Exit.void])
    })
  )

  it.effect("need a slot in the admission queue while they wait", () =>
    Effect.gen(function* () {
      const { written, exits } = yield* commitTogether(() => Effect.void, [["a"], ["b"], ["c"]], 2)
      expect(written).toEqual([rowsOf("a", "b")])
      expect(exits).toEqual([Exit.void, Exit.void, Exit.fail(queueFull)])
    })
  )

  it.effect("exclude a commit that replaces a row of an earlier one, which fails with a conflict", () =>
    Effect.gen(function* () {
      const { written, exits } = yield* commitTogether(
        () => Effect.void,
        [
          ["first", "account a"],
          ["conflicting", "article 1", "account a"],
          ["free", "article 1"]
        ]
      )
      expect(written).toEqual([rowsOf("first", "free")])
      expect(exits).toMatchObject([Exit.void, Exit.fail({ _tag: "ConflictError" }), Exit.void])
    })
  )

  it.effect("are retried singly if the database rejects them together", () =>
    Effect.gen(function* () {
      const rejectsOdd = (names: ReadonlyArray<string>) => (names.includes("odd") ? Effect.fail(conflict) : Effect.void)
      const { written, exits } = yield* commitTogether(rejectsOdd, [["a"], ["odd"], ["b"]])
      expect(written).toEqual([rowsOf("a", "odd", "b"), rowsOf("a"), rowsOf("odd"), rowsOf("b")])
      expect(exits).toEqual([Exit.void, Exit.fail(conflict), Exit.void])
    })
  )

  it.effect("are not retried if it is unknown whether they were written", () =>
    Effect.gen(function* () {
      const loseConnection = (names: ReadonlyArray<string>) =>
        names.includes("a") ? Effect.fail(unavailable) : Effect.void
      const { written, exits } = yield* commitTogether(loseConnection, [["a"], ["b"]])
      expect(written).toEqual([rowsOf("a", "b")])
      expect(exits).toEqual([Exit.fail(unavailable), Exit.fail(unavailable)])
    })
  )
})
