// Statements over a few connections: none is waited for beyond the deadline, none is in the way of the next, and a transaction goes on
// to its end. Why there are none the log says.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Latch, Logger, Redacted } from "effect"
import { expect } from "vitest"
import { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import { openPool } from "#adapters/postgres/database/Connections.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { concurrently, times } from "#test/ports/StoreSuite.ts"
import { execute, freshDatabase, untilLockWaiter } from "../TestDatabase.ts"

const limits = (connections: number, deadline: Duration.Input = "1 minute", pipeline = 1) => ({
  connections,
  pipeline,
  deadline: Duration.fromInputUnsafe(deadline),
  admission: new AdmissionQueue(100)
})

const nowhere = Redacted.make("postgres://nobody@127.0.0.1:1/nothing")

/** So many connections to a database with one row, `word`, of which a stranger has hold until the stranger lets go. */
const connected = Effect.fnUntraced(function* (connections: number, deadline?: Duration.Input, pipeline?: number) {
  const url = yield* freshDatabase
  yield* execute(url, "CREATE TABLE words (word text)", "INSERT INTO words VALUES ('old')")
  const stranger = yield* PgConnection.make({ url })
  yield* stranger.query("BEGIN")
  yield* stranger.query("SELECT FROM words FOR UPDATE")
  const { send, transaction } = yield* openPool({ url }, limits(connections, deadline, pipeline))
  return { stranger, send, transaction, words: send("SELECT word FROM words", []) }
})

const untouched = [{ word: "old" }]

const rewrite = "UPDATE words SET word = 'new'"

describe("connections", () => {
  it.live("are given up where they are silent beyond the deadline, and whoever comes next has another", () =>
    Effect.gen(function* () {
      const { send, transaction, words } = yield* connected(1, "200 millis")
      // As whoever writes: not even to be interrupted.
      expect(yield* Effect.flip(Effect.uninterruptible(send(rewrite, [])))).toBe(unavailable)
      expect(yield* words).toEqual(untouched)
      expect(yield* Effect.flip(transaction((run) => run(rewrite, [])))).toBe(unavailable)
      expect(yield* words).toEqual(untouched)
    }).pipe(Effect.scoped)
  )

  it.live("that carry several in a row make each of them a transaction: one is refused, those around it are not", () =>
    Effect.gen(function* () {
      const { stranger, send, words } = yield* connected(1, "1 minute", 3)
      const row = [
        rewrite,
        "INSERT INTO words SELECT word FROM words WHERE 1 / 0 = 0",
        "INSERT INTO words VALUES ('next')"
      ]
      const sent = yield* Effect.forEach(row, (sql) => Effect.forkChild(send(sql, []), { startImmediately: true }))
      yield* untilLockWaiter(stranger)
      expect(sent.map((one) => one.pollUnsafe())).toEqual([undefined, undefined, undefined])
      yield* stranger.query("COMMIT")
      const exits = yield* Effect.forEach(sent, Fiber.await)
      expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
      expect(yield* words).toEqual([{ word: "new" }, { word: "next" }])
    }).pipe(Effect.scoped)
  )

  it.live("end a transaction that nobody waits for any more as if somebody did", () =>
    Effect.gen(function* () {
      const { stranger, transaction, words } = yield* connected(2)
      const begun = yield* Effect.forkChild(
        transaction((run) => run(rewrite, [])),
        { startImmediately: true }
      )
      yield* untilLockWaiter(stranger)
      const givenUp = yield* Effect.forkChild(Fiber.interrupt(begun), { startImmediately: true })
      yield* stranger.query("COMMIT")
      yield* Fiber.join(givenUp)
      expect(yield* words).toEqual([{ word: "new" }])
    }).pipe(Effect.scoped)
  )

  it.live("are never all taken by transactions", () =>
    Effect.gen(function* () {
      const { transaction, words } = yield* connected(3)
      const ground = yield* Latch.make()
      const staying = transaction((run) => Effect.andThen(run("SELECT", []), ground.await))
      const all = yield* Effect.forkChild(concurrently(times(3, () => staying)), { startImmediately: true })
      expect(yield* Effect.ensuring(words, ground.open)).toEqual(untouched)
      yield* Fiber.join(all)
    }).pipe(Effect.scoped)
  )

  it.live("say in the log why they are lost, whoever meets it, and why there are none", () =>
    Effect.gen(function* () {
      const lose = "SELECT pg_terminate_backend(pg_backend_pid())"
      const lost = [
        Effect.flatMap(connected(1), ({ send }) => send(lose, [])),
        Effect.flatMap(connected(1), ({ transaction }) => transaction((run) => run(lose, []))),
        Effect.flatMap(openPool({ url: nowhere }, limits(1)), ({ transaction }) => transaction((run) => run(lose, [])))
      ]
      const said: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ message }) => void said.push([message].flat()))])
      for (const deed of lost) yield* Effect.exit(Effect.provide(deed, log))
      const line = ["The database is unavailable", { code: expect.any(String), reason: expect.any(String) }]
      expect(said).toEqual([line, line, line])
    }).pipe(Effect.scoped)
  )

  it.live("are asked about text that no row can have, and find nothing like it", () =>
    Effect.gen(function* () {
      const { send } = yield* connected(1)
      expect(yield* send("SELECT word FROM words WHERE word = $1", ["o\0ld"])).toEqual([])
      expect(yield* send("SELECT word FROM words WHERE word = $1", ["old"])).toEqual(untouched)
    }).pipe(Effect.scoped)
  )
})
