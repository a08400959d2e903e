// Renewed connections: later statements run on new ones, and those under way finish on the old.
import * as PgPool from "@effect/sql-pg/PgPool"
import { describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { expect } from "vitest"
import { makeRenewable } from "#adapters/postgres/database/Renewable.ts"
import { makeSwitchOvers } from "#adapters/postgres/database/SwitchOvers.ts"
import { execute, freshDatabase } from "../TestDatabase.ts"

const readOnly = new SqlError({ reason: new ConnectionError({ cause: { code: "25006" }, message: "read-only" }) })

const opened = Effect.fnUntraced(function* (lifetime?: Duration.Duration) {
  const url = yield* freshDatabase
  const switchOvers = makeSwitchOvers()
  const open = PgPool.make({ url, multiplex: true, maxConnections: 1 })
  const using = yield* makeRenewable(open, switchOvers, lifetime)
  const run = (sql: string) =>
    using((pool) => pool.use((connection) => Effect.map(connection.query(sql), ({ rows }) => rows)))
  return {
    url,
    run,
    renew: switchOvers.failed(readOnly),
    pid: Effect.map(run("SELECT pg_backend_pid() AS pid"), ([row]) => row?.["pid"])
  }
})

describe("a renewable pool", () => {
  it.live("gives up its connections when told to, and statements under way finish", () =>
    Effect.gen(function* () {
      const { url, run, renew, pid } = yield* opened()
      const first = yield* pid
      expect(yield* pid).toBe(first)
      const slow = yield* Effect.forkChild(run("SELECT pg_sleep(1), 'finished' AS word"))
      const active = "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'"
      yield* Effect.repeat(execute(url, active), { until: ([rows]) => rows?.length === 1 })
      yield* renew
      expect(yield* pid).not.toBe(first)
      expect(yield* Fiber.join(slow)).toMatchObject([{ word: "finished" }])
      const left = `SELECT FROM pg_stat_activity WHERE pid = ${first}`
      yield* Effect.repeat(execute(url, left), { until: ([rows]) => rows?.length === 0 })
    }).pipe(Effect.scoped)
  )

  it.live("gives them up at the end of their lifetime, in use or not", () =>
    Effect.gen(function* () {
      const { pid } = yield* opened(Duration.millis(200))
      const first = yield* pid
      yield* Effect.timeout(Effect.repeat(pid, { until: (now) => now !== first }), "20 seconds")
    }).pipe(Effect.scoped)
  )
})
