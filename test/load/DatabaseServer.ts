// The PostgreSQL that loads are run on: a fresh one of the service's own kind, which loses nothing it has confirmed, or the one of
// `LOAD_POSTGRES_URL`. Everybody gets a database of their own on it, under the same settings.
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"

/** A folder until the scope ends, where a database may live. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "backlinks-load-"))
    // Run as root, the database is another user's, who must be able to get there.
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

/** Gone when the scope ends, with all that it holds. */
const server = Effect.gen(function* () {
  if (LOAD_POSTGRES_URL !== undefined) return Redacted.make(LOAD_POSTGRES_URL)
  return yield* embeddedServer(yield* temporaryFolder)
})

/** Makes databases, by name. Those of `LOAD_POSTGRES_URL` replace what an earlier load left under the name. */
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
