// A real PostgreSQL for tests: one server for all tests of a worker, started when the first asks, and a database of its own for
// whoever wants one. `Keeper` ends it with the worker. `TEST_POSTGRES_URL` names another server to use instead, of another version
// for instance; its databases stay.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted, Schedule } from "effect"
import { PASSWORD, USER } from "./Credentials.ts"

const startKeeper = async (): Promise<number> => {
  const keeper = spawn(process.execPath, [fileURLToPath(new URL("./Keeper.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
    // Out of reach of what stops a test run: it is to tidy up after it.
    detached: true
  })
  for await (const line of createInterface({ input: keeper.stdout })) {
    // From here on it keeps nobody alive: when the worker ends, the pipe closes, and the keeper follows.
    keeper.unref()
    return Number(line)
  }
  throw new Error("PostgreSQL did not start")
}

const { TEST_POSTGRES_URL } = process.env

const startServer = async (): Promise<string> =>
  TEST_POSTGRES_URL ?? `postgres://${USER}:${PASSWORD}@127.0.0.1:${await startKeeper()}/postgres`

let server: Promise<string> | undefined

const address = Effect.promise(() => {
  server ??= startServer()
  return server
})

const databaseAt = (address: string, database: string): Redacted.Redacted => {
  const url = new URL(address)
  url.pathname = `/${database}`
  return Redacted.make(url.href)
}

/** Statements one after the other, as the server's owner and outside of any store. */
export const execute = (url: Redacted.Redacted, ...statements: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.flatMap(PgConnection.make({ url }), (connection) =>
      Effect.forEach(statements, (sql) => Effect.map(connection.query(sql, [], false), ({ rows }) => rows))
    )
  )

/** The address of a new and empty database. It goes with the server. */
export const freshDatabase: Effect.Effect<Redacted.Redacted> = Effect.gen(function* () {
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const at = yield* address
  yield* Effect.orDie(execute(Redacted.make(at), `CREATE DATABASE ${name}`))
  return databaseAt(at, name)
})

/** Who waits for what the asking connection holds. */
export const LOCK_WAITERS = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"

/** Until somebody waits for what this connection holds. It is there already: whoever waits for a moment only is not missed. */
export const untilLockWaiter = (holder: PgConnection.PgConnection) =>
  holder
    .query(LOCK_WAITERS)
    .pipe(Effect.repeat({ until: ({ rows }) => rows.length > 0, schedule: Schedule.spaced("5 millis") }))
