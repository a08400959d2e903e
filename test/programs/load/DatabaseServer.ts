// The PostgreSQL of the loads: a fresh embedded one that keeps what it confirmed, or the one of `LOAD_POSTGRES_URL`. Each server under
// load has its own database on it, under the same settings.
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"

/** A folder for a database, removed when the scope ends. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "backlinks-load-"))
    // Under root the database belongs to another user, who must be able to enter the folder.
    await chmod(folder, 0o755)
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const { LOAD_POSTGRES_URL } = process.env

/** Scripts one after the other, as the server's owner. */
export const execute = (url: Redacted.Redacted, ...scripts: ReadonlyArray<string>) =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const client = new Client(Redacted.value(url))
      await client.connect()
      return client
    }),
    (client) => Effect.forEach(scripts, (script) => Effect.tryPromise(() => client.query(script)), { discard: true }),
    (client) => Effect.promise(() => client.end())
  )

/** Reads one row, while its connection is open. */
export const queryOne = <A>(
  url: Redacted.Redacted,
  sql: string,
  read: (row: Readonly<Record<string, unknown>>) => Promise<A>
) =>
  Effect.tryPromise({
    try: async () => {
      const client = new Client(Redacted.value(url))
      await client.connect()
      try {
        return await read((await client.query(sql)).rows[0])
      } finally {
        await client.end()
      }
    },
    catch: (error) => String(error)
  })

/** Removed with its data when the scope ends. */
const server = Effect.gen(function* () {
  if (LOAD_POSTGRES_URL !== undefined) return Redacted.make(LOAD_POSTGRES_URL)
  return yield* embeddedServer(yield* temporaryFolder)
})

/** Makes a database by name. On `LOAD_POSTGRES_URL` it replaces the one of an earlier load. */
export const databaseServer = Effect.map(server, (address) =>
  Effect.fnUntraced(function* (name: string) {
    const database = `backlinks_load_${name}`
    yield* execute(address, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    yield* execute(address, `CREATE DATABASE ${database}`)
    const url = new URL(Redacted.value(address))
    url.pathname = `/${database}`
    return Redacted.make(url.href)
  })
)
