// A pool's deadline, pipelined statements and transactions, and the log of lost connections.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Latch, Logger, Redacted } from "effect"
import { expect } from "vitest"
import { openPool } from "#adapters/postgres/database/Connections.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { makeSwitchOvers } from "#adapters/postgres/database/SwitchOvers.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { admissionQueue } from "../FakeDatabase.ts"
import { execute, freshDatabase, untilLockWaiter } from "../TestDatabase.ts"

const limits = (connections: number, deadline: Duration.Input = "1 minute", pipeline = 1) => ({
  connections,
  pipeline,
  deadline: Duration.fromInputUnsafe(deadline),
  admission: admissionQueue(100),
  switchOvers: makeSwitchOvers()
})

const nowhere = Redacted.make("postgres://shop@127.0.0.1:1/nothing")

/** A pool of connections to a database with one row, which another session has locked. */
const connected = Effect.fnUntraced(function* (connections: number, deadline?: Duration.Input, pipeline?: number) {
  const url = yield* freshDatabase
  yield* execute(url, "CREATE TABLE words (word text)", "INSERT INTO words VALUES ('old')")
  const other = yield* PgConnection.make({ url })
  yield* other.query("BEGIN")
  yield* other.query("SELECT FROM words FOR UPDATE")
  const { send, transaction } = yield* openPool({ url }, limits(connections, deadline, pipeline))
  return { other, send, transaction, words: send("SELECT word FROM words", []) }
})

const untouched = [{ word: "old" }]

const rewrite = "UPDATE words SET word = 'new'"

describe("connections", () => {
  it.live("are closed when they do not answer within the deadline, and replaced by new ones", () =>
    Effect.gen(function* () {
      const { send, transaction, words } = yield* connected(1, "200 millis")
      // Writes are uninterruptible.
      expect(yield* Effect.flip(Effect.uninterruptible(send(rewrite, [])))).toBe(unavailable)
      expect(yield* words).toEqual(untouched)
      expect(yield* Effect.flip(transaction((run) => run(rewrite, [])))).toBe(unavailable)
      expect(yield* words).toEqual(untouched)
    }).pipe(Effect.scoped)
  )

  it.live("are opened before anything is sent, as many as are asked for", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const other = yield* PgConnection.make({ url })
      yield* openPool({ url }, { ...limits(3), minConnections: 2 })
      const opened =
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      const isComplete = Effect.map(other.query(opened), ({ rows }) => rows[0]?.["count"] === 2)
      yield* Effect.repeat(Effect.delay(isComplete, "10 millis"), { until: (complete) => complete })
    }).pipe(Effect.scoped)
  )

  it.live("run each pipelined statement in a transaction of its own, so that a failure affects no other", () =>
    Effect.gen(function* () {
      const { other, send, words } = yield* connected(1, "1 minute", 3)
      const statements = [
        rewrite,
        "INSERT INTO words SELECT word FROM words WHERE 1 / 0 = 0",
        "INSERT INTO words VALUES ('next')"
      ]
      const sent = yield* Effect.forEach(statements, (sql) =>
        Effect.forkChild(send(sql, []), { startImmediately: true })
      )
      yield* untilLockWaiter(other)
      expect(sent.map((one) => one.pollUnsafe())).toEqual([undefined, undefined, undefined])
      yield* other.query("COMMIT")
      const exits = yield* Effect.forEach(sent, Fiber.await)
      expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
      expect(yield* words).toEqual([{ word: "new" }, { word: "next" }])
    }).pipe(Effect.scoped)
  )

  it.live("commit a transaction whose caller is interrupted", () =>
    Effect.gen(function* () {
      const { other, transaction, words } = yield* connected(2)
      const begun = yield* Effect.forkChild(
        transaction((run) => run(rewrite, [])),
        { startImmediately: true }
      )
      yield* untilLockWaiter(other)
      const interruption = yield* Effect.forkChild(Fiber.interrupt(begun), { startImmediately: true })
      yield* other.query("COMMIT")
      yield* Fiber.join(interruption)
      expect(yield* words).toEqual([{ word: "new" }])
    }).pipe(Effect.scoped)
  )

  it.live("are never all reserved by transactions", () =>
    Effect.gen(function* () {
      const { transaction, words } = yield* connected(3)
      const released = yield* Latch.make()
      const longTransaction = transaction((run) => Effect.andThen(run("SELECT", []), released.await))
      const all = yield* Effect.forkChild(concurrently(times(3, () => longTransaction)), { startImmediately: true })
      expect(yield* Effect.ensuring(words, released.open)).toEqual(untouched)
      yield* Fiber.join(all)
    }).pipe(Effect.scoped)
  )

  it.live("log why they are lost, and why they cannot be opened", () =>
    Effect.gen(function* () {
      const lose = "SELECT pg_terminate_backend(pg_backend_pid())"
      const lost = [
        Effect.flatMap(connected(1), ({ send }) => send(lose, [])),
        Effect.flatMap(connected(1), ({ transaction }) => transaction((run) => run(lose, []))),
        Effect.flatMap(openPool({ url: nowhere }, limits(1)), ({ transaction }) => transaction((run) => run(lose, [])))
      ]
      const logged: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ message }) => void logged.push([message].flat()))])
      for (const work of lost) yield* Effect.exit(Effect.provide(work, log))
      const line = ["The database is unavailable", { code: expect.any(String), reason: expect.any(String) }]
      expect(logged).toEqual([line, line, line])
    }).pipe(Effect.scoped)
  )

  it.live("find nothing for text that no row can contain", () =>
    Effect.gen(function* () {
      const { send } = yield* connected(1)
      expect(yield* send("SELECT word FROM words WHERE word = $1", ["o\0ld"])).toEqual([])
      expect(yield* send("SELECT word FROM words WHERE word = $1", ["old"])).toEqual(untouched)
    }).pipe(Effect.scoped)
  )
})
