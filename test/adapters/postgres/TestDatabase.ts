// PostgreSQL for tests: one server per worker, started on first use and ended by `TestDatabaseProcess`, and a new database for each caller.
// `TEST_POSTGRES_URL` names another server to use instead; its databases are kept.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted, Schedule } from "effect"
import { PASSWORD, USER } from "./Credentials.ts"

const startProcess = async (): Promise<number> => {
  const server = spawn(process.execPath, [fileURLToPath(new URL("./TestDatabaseProcess.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
    // Signals that stop a test run must not reach it, because it cleans up afterwards.
    detached: true
  })
  for await (const line of createInterface({ input: server.stdout })) {
    // Does not keep the worker alive: when the worker ends, the pipe closes and the server ends.
    server.unref()
    return Number(line)
  }
  throw new Error("PostgreSQL did not start")
}

const { TEST_POSTGRES_URL } = process.env

const startServer = async (): Promise<string> =>
  TEST_POSTGRES_URL ?? `postgres://${USER}:${PASSWORD}@127.0.0.1:${await startProcess()}/postgres`

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

/** Runs statements one after the other, as superuser and without the store. Returns the rows of each. */
export const execute = (url: Redacted.Redacted, ...statements: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.flatMap(PgConnection.make({ url }), (connection) =>
      Effect.forEach(statements, (sql) => Effect.map(connection.query(sql, [], false), ({ rows }) => rows))
    )
  )

/** `settings` are of the database, as `name = value`; they apply to every connection to it. */
const createDatabase = Effect.fnUntraced(function* (options: string, settings: ReadonlyArray<string> = []) {
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const at = yield* address
  const set = settings.map((setting) => `ALTER DATABASE ${name} SET ${setting}`)
  yield* Effect.orDie(execute(Redacted.make(at), `CREATE DATABASE ${name} ${options}`, ...set))
  return databaseAt(at, name)
})

/** The address of a new and empty database, which is deleted with the server. */
export const freshDatabase: Effect.Effect<Redacted.Redacted> = createDatabase("")

/** The address of a new database with all that another one has, to which nothing is connected. Settings of a database are in no copy. */
export const copyOf = (
  template: Redacted.Redacted,
  settings: ReadonlyArray<string> = []
): Effect.Effect<Redacted.Redacted> =>
  createDatabase(`TEMPLATE ${new URL(Redacted.value(template)).pathname.slice(1)} STRATEGY FILE_COPY`, settings)

/** The locks that are blocked by the connection that runs this query. */
export const LOCK_WAITERS = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"

/** Polls until a lock of this connection blocks another one. Over the open connection, so that even a short wait is noticed. */
export const untilLockWaiter = (holder: PgConnection.PgConnection) =>
  holder
    .query(LOCK_WAITERS)
    .pipe(Effect.repeat({ until: ({ rows }) => rows.length > 0, schedule: Schedule.spaced("5 millis") }))
