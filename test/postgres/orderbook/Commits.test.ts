// Decisions whose changes are written together: each is told what became of its own, whatever the database says to all of them.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch } from "effect"
import { describe, expect } from "vitest"
import { AdmissionQueue, queueFull } from "#adapters/postgres/database/AdmissionQueue.ts"
import { MAX_CONCURRENT_BATCHES } from "#adapters/postgres/database/Batcher.ts"
import { skipAdmission } from "#adapters/postgres/database/Semaphore.ts"
import { ConflictError, unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { makeCommitBatcher } from "#adapters/postgres/orderbook/Commits.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { fakeDatabase, settled } from "../FakeDatabase.ts"

const lost = new ConflictError({ code: "40001" })

type Rows = { readonly names: ReadonlyArray<string>; readonly nested: { readonly more: ReadonlyArray<string> } }

/** As many as fly at once are on their way while `send` sends the others, so that these go together. */
const writing = Effect.fnUntraced(function* (
  answer: (names: ReadonlyArray<string>) => Effect.Effect<void, ConflictError | StoreUnavailable>,
  others: ReadonlyArray<readonly [name: string, ...taken: ReadonlyArray<string>]>,
  seats = 100
) {
  const ground = yield* Latch.make()
  const written: Array<Rows> = []
  const database = fakeDatabase(new AdmissionQueue(seats), {
    write: (_, [rows], visit) =>
      Effect.gen(function* () {
        // The seats are for those who wait to go together.
        expect(visit).toBe(skipAdmission)
        yield* ground.await
        const parsed: Rows = JSON.parse(String(rows))
        written.push(parsed)
        yield* answer(parsed.names)
        return []
      })
  })
  const commit = yield* makeCommitBatcher(database)
  const send = ([name, ...taken]: readonly [name: string, ...taken: ReadonlyArray<string>]) =>
    Effect.forkChild(Effect.exit(commit({ rows: { names: [name], nested: { more: [name] } }, conflictKeys: taken })), {
      startImmediately: true
    })
  for (let flying = 0; flying < MAX_CONCURRENT_BATCHES; flying++) yield* Effect.tap(send(["before"]), settled)
  const sent = yield* Effect.forEach(others, send)
  yield* ground.open
  const exits = yield* Fiber.joinAll(sent)
  return { written: written.filter(({ names }) => !names.includes("before")), exits }
})

const rowsOf = (...names: ReadonlyArray<string>): Rows => ({ names, nested: { more: names } })

describe("decisions that are written together", () => {
  it.effect("are written in one statement, with all that each of them has", () =>
    Effect.gen(function* () {
      const { written, exits } = yield* writing(() => Effect.void, [["a", "account a"], ["b", "account b"], ["c"]])
      expect(written).toEqual([rowsOf("a", "b", "c")])
      expect(exits).toEqual([Exit.void, Exit.void, Exit.void])
    })
  )

  it.effect("have a seat until they go, and whoever finds none is told so", () =>
    Effect.gen(function* () {
      const { written, exits } = yield* writing(() => Effect.void, [["a"], ["b"], ["c"]], 2)
      expect(written).toEqual([rowsOf("a", "b")])
      expect(exits).toEqual([Exit.void, Exit.void, Exit.fail(queueFull)])
    })
  )

  it.effect("go without whoever would write what another of them writes, who has lost", () =>
    Effect.gen(function* () {
      const { written, exits } = yield* writing(
        () => Effect.void,
        [
          ["first", "account a"],
          ["rival", "article 1", "account a"],
          ["free", "article 1"]
        ]
      )
      expect(written).toEqual([rowsOf("first", "free")])
      expect(exits).toMatchObject([Exit.void, Exit.fail({ _tag: "ConflictError" }), Exit.void])
    })
  )

  it.effect("go each once more by itself where the database refuses them together", () =>
    Effect.gen(function* () {
      const refusing = (names: ReadonlyArray<string>) => (names.includes("odd") ? Effect.fail(lost) : Effect.void)
      const { written, exits } = yield* writing(refusing, [["a"], ["odd"], ["b"]])
      expect(written).toEqual([rowsOf("a", "odd", "b"), rowsOf("a"), rowsOf("odd"), rowsOf("b")])
      expect(exits).toEqual([Exit.void, Exit.fail(lost), Exit.void])
    })
  )

  it.effect("are not written again where nobody knows whether they were", () =>
    Effect.gen(function* () {
      const away = (names: ReadonlyArray<string>) => (names.includes("a") ? Effect.fail(unavailable) : Effect.void)
      const { written, exits } = yield* writing(away, [["a"], ["b"]])
      expect(written).toEqual([rowsOf("a", "b")])
      expect(exits).toEqual([Exit.fail(unavailable), Exit.fail(unavailable)])
    })
  )
})
