// A real PostgreSQL for tests: one server for all tests of a worker, started when the first asks, and a database of its own for
// whoever wants one. `Keeper` ends it with the worker.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted } from "effect"
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

let server: Promise<number> | undefined

const port = Effect.promise(() => {
  server ??= startKeeper()
  return server
})

const urlOf = (port: number, database: string): Redacted.Redacted =>
  Redacted.make(`postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`)

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
  const at = yield* port
  yield* Effect.orDie(execute(urlOf(at, "postgres"), `CREATE DATABASE ${name}`))
  return urlOf(at, name)
})
