// A real PostgreSQL for one data directory, started by the service itself. It survives `kill -9` of the service: the next one
// finds it running, or starts it again. Two services on one directory are told apart by a lock inside that very database, which
// ends with whoever holds it.

import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Effect, Redacted, Schema } from "effect"
import { type Binaries, findBinaries, type RunAs, runAs } from "./Binaries.ts"
import { awaitPostmaster, findPostmaster, startPostmaster, stopPostmaster } from "./Postmaster.ts"
import { reasonOf } from "./SqlFaults.ts"

/** The database cannot be had. The sentence is for whoever starts the service. */
export class EmbeddedFault extends Schema.TaggedError<EmbeddedFault>()("EmbeddedFault", { reason: Schema.String }) {}

const USER = "backlinks"

/** Any number that nobody else takes in a database that is ours alone. */
const SERVICE_LOCK = 4_011_960

const run = promisify(execFile)

const pgdataIn = (dataDir: string): string => join(dataDir, "postgres")

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )

/** The superuser's password, beside the data: as readable as the data itself. */
const passwordIn = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, "postgres.password")
  if (!(await isThere(file))) {
    await writeFile(file, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx", flush: true })
  }
  return (await readFile(file, "utf8")).trim()
}

/** Made beside its place and moved there when it is whole, so that a crash leaves no half of a database. */
const initialise = async (binaries: Binaries, pgdata: string, password: string, as: RunAs): Promise<void> => {
  if (await isThere(join(pgdata, "PG_VERSION"))) return
  const draft = `${pgdata}.${process.pid}`
  const passwordFile = `${draft}.password`
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (as.uid !== undefined && as.gid !== undefined) {
    await chown(draft, as.uid, as.gid)
    await chown(passwordFile, as.uid, as.gid)
  }
  try {
    const flags = [`--username=${USER}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--encoding=UTF8"]
    await run(binaries.initdb, [`--pgdata=${draft}`, ...flags, "--locale=C", "--no-instructions"], as)
    // Where another start was quicker, its directory is in the way: then that one is used.
    await rename(draft, pgdata).catch(async (error) => {
      if (!(await isThere(join(pgdata, "PG_VERSION")))) throw error
    })
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

/** Its address, with the superuser's password. */
const start = async (dataDir: string): Promise<Redacted.Redacted<string>> => {
  await mkdir(dataDir, { recursive: true })
  const pgdata = pgdataIn(dataDir)
  const binaries = findBinaries()
  const as = await runAs()
  const password = await passwordIn(dataDir)
  await initialise(binaries, pgdata, password, as)
  // Two starts at once: the database lets only one begin, and the other waits for it.
  const running = (await findPostmaster(pgdata)) !== null
  const postmaster = running ? await awaitPostmaster(pgdata) : await startPostmaster(binaries, pgdata, as)
  return Redacted.make(`postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${postmaster.port}/postgres`)
}

const explain = (dataDir: string) => (cause: unknown) => {
  const hint = "The directory, and the project itself, must be readable for the system user postgres when run as root."
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EmbeddedFault({ reason: `No database could be started in ${dataDir}: ${reason} (${hint})` })
}

/** Takes the one lock of the directory, on a connection of its own, until the scope ends. */
const lock = Effect.fnUntraced(function* (url: Redacted.Redacted<string>, dataDir: string) {
  const pool = yield* PgPool.make({ url, applicationName: "backlinks lock", maxConnections: 1 })
  const connection = yield* pool.reserve
  const { rows } = yield* connection.query("SELECT pg_try_advisory_lock($1) AS mine", [SERVICE_LOCK])
  if (rows[0]?.["mine"] === true) return
  const reason = `Another service is running on ${dataDir}. Stop it, or give this one a DATA_DIR of its own.`
  return yield* new EmbeddedFault({ reason })
})

/**
 * The address of the directory's database, running and ours alone until the scope ends; then it is stopped. A database that a
 * killed service left running is taken over as it is.
 */
export const embeddedServer = Effect.fn("EmbeddedServer.start")(function* (directory: string) {
  const dataDir = resolve(directory)
  const url = yield* Effect.tryPromise({ try: () => start(dataDir), catch: explain(dataDir) })
  const held = { current: false }
  // Released after the lock's connection is closed; a database that another service holds is left alone.
  yield* Effect.addFinalizer(() =>
    held.current ? Effect.promise(() => stopPostmaster(pgdataIn(dataDir))) : Effect.void
  )
  yield* lock(url, dataDir).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(explain(dataDir)(reasonOf(error)))))
  held.current = true
  return url
})
