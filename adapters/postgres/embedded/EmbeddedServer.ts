// A real PostgreSQL for one data directory, started by the service itself. It survives `kill -9` of the service: the next one
// finds it running, or starts it again. Where it is the database that was killed, it is brought back. Two services on one directory
// are told apart by a lock inside that very database, which ends with whoever holds it.

import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Deferred, Effect, Queue, Redacted, Schedule, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { reasonOf } from "../database/SqlErrors.ts"
import { type Binaries, findBinaries, type RunAs, runAs } from "./Binaries.ts"
import { awaitPostmaster, findPostmaster, freePort, startPostmaster, stopPostmaster } from "./Postmaster.ts"

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
  const fresh = randomBytes(24).toString("base64url")
  // Only the first start of a directory writes; every other, and a second one at the same moment, reads what is there.
  await writeFile(file, fresh, { mode: 0o600, flag: "wx", flush: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
  })
  return (await readFile(file, "utf8")).trim()
}

const DRAFT = ".draft-"

/** Whatever starts that were killed have left of their drafts. A start that is still at one finds the database there instead. */
const tidy = async (pgdata: string): Promise<void> => {
  const [dataDir, prefix] = [dirname(pgdata), `${basename(pgdata)}${DRAFT}`]
  for (const name of await readdir(dataDir)) {
    // What somebody is still writing to is removed by them.
    if (name.startsWith(prefix)) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Made beside its place and moved there when it is whole, so that a crash leaves no half of a database. In a folder of its own name
 * each time: where process ids repeat, as in containers, the half that a crash left would be in the way of the next start.
 */
const initialise = async (binaries: Binaries, pgdata: string, password: string, as: RunAs): Promise<void> => {
  const isMade = () => isThere(join(pgdata, "PG_VERSION"))
  if (await isMade()) return
  const draft = await mkdtemp(`${pgdata}${DRAFT}`)
  const [data, passwordFile] = [join(draft, "data"), join(draft, "password")]
  try {
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (as.uid !== undefined && as.gid !== undefined) {
      await chown(draft, as.uid, as.gid)
      await chown(passwordFile, as.uid, as.gid)
    }
    const flags = [`--username=${USER}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--encoding=UTF8"]
    await run(binaries.initdb, [`--pgdata=${data}`, ...flags, "--locale=C", "--no-instructions"], as)
    await rename(data, pgdata)
  } catch (error) {
    // Where another start was quicker, its directory is in the way: then that one is used.
    if (!(await isMade())) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await tidy(pgdata)
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
  const { port } = running
    ? await awaitPostmaster(pgdata)
    : await startPostmaster(binaries, pgdata, as, await freePort())
  return Redacted.make(`postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`)
}

/** At the address that everybody knows by now. One that is there may be recovering, or about to go. */
const startAgain = async (dataDir: string, url: Redacted.Redacted<string>): Promise<void> => {
  const pgdata = pgdataIn(dataDir)
  const port = Number(new URL(Redacted.value(url)).port)
  const running = (await findPostmaster(pgdata)) !== null
  const found = running
    ? await awaitPostmaster(pgdata, () => true)
    : await startPostmaster(findBinaries(), pgdata, await runAs(), port)
  if (found.port !== port) throw new Error(`it runs at port ${found.port} now, and not at ${port}`)
}

const explain = (dataDir: string) => (cause: unknown) => {
  const hint = "The directory, and the project itself, must be readable for the system user postgres when run as root."
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EmbeddedFault({ reason: `No database could be started in ${dataDir}: ${reason} (${hint})` })
}

const unusable = (dataDir: string) => (error: SqlError) => Effect.fail(explain(dataDir)(reasonOf(error)))

/** Takes the one lock of the directory, on a connection of its own, until the scope ends. What comes of it fails once it is lost. */
const lock = Effect.fnUntraced(function* (url: Redacted.Redacted<string>) {
  const connection = yield* PgConnection.make({ url, applicationName: "backlinks lock" })
  const { rows } = yield* connection.query("SELECT pg_try_advisory_lock($1) AS mine", [SERVICE_LOCK])
  if (rows[0]?.["mine"] !== true) return null
  // Nobody ever says anything there: all that is heard is the end of the connection.
  const silence = yield* connection.listen("silence")
  return Effect.forever(Queue.take(silence))
})

const anothers = (dataDir: string) =>
  new EmbeddedFault({
    reason: `Another service is running on ${dataDir}. Stop it, or give this one a DATA_DIR of its own.`
  })

/** A minute for a database to recover, or for what is in the way of its start to go. */
const lookAgain = { times: 120, schedule: Schedule.spaced("500 millis") }

/** The lock on the database that was lost, as soon as there is one again: nothing else than what is in the directory will do. */
const lockAgain = Effect.fnUntraced(function* (url: Redacted.Redacted<string>, dataDir: string) {
  const begun = Effect.tryPromise({ try: () => startAgain(dataDir, url), catch: explain(dataDir) })
  // A start that has begun is waited for: whoever stops the service meanwhile would not find what is to be stopped.
  return yield* Effect.andThen(Effect.uninterruptible(begun), lock(url))
})

/** For as long as the database can be brought back whenever it is lost. */
const keep = Effect.fnUntraced(function* (
  url: Redacted.Redacted<string>,
  dataDir: string,
  first: Effect.Effect<never, SqlError>
) {
  let reason = reasonOf(yield* Effect.flip(first))
  for (;;) {
    yield* Effect.logError("The database is lost, and will be brought back", { reason })
    reason = yield* Effect.retry(lockAgain(url, dataDir), lookAgain).pipe(
      Effect.catchTag("SqlError", unusable(dataDir)),
      Effect.filterOrFail(
        (locked) => locked !== null,
        () => anothers(dataDir)
      ),
      Effect.tap(() => Effect.logInfo("The database is back")),
      Effect.flatMap((locked) => Effect.map(Effect.flip(locked), reasonOf)),
      Effect.scoped
    )
  }
})

/**
 * The address of the directory's database, running and ours alone until the scope ends; then it is stopped. A database that a
 * killed service left running is taken over as it is. One that ends by itself is brought back, at the same address; where that
 * cannot be done, or another service was quicker, `lost` fails with the reason.
 */
export const embeddedServer = Effect.fn("EmbeddedServer.start")(function* (
  directory: string,
  lost?: Deferred.Deferred<never, EmbeddedFault>
) {
  const dataDir = resolve(directory)
  const url = yield* Effect.tryPromise({ try: () => start(dataDir), catch: explain(dataDir) })
  const held = { current: false }
  // Released after the lock's connection is closed; a database that another service holds is left alone.
  yield* Effect.addFinalizer(() =>
    held.current ? Effect.promise(() => stopPostmaster(pgdataIn(dataDir))) : Effect.void
  )
  const locked = yield* Effect.catchTag(lock(url), "SqlError", unusable(dataDir))
  if (locked === null) return yield* anothers(dataDir)
  held.current = true
  const giveUp = (fault: EmbeddedFault) => {
    held.current = false
    return lost === undefined ? Effect.void : Deferred.fail(lost, fault)
  }
  yield* keep(url, dataDir, locked).pipe(Effect.catch(giveUp), Effect.forkScoped)
  return url
})
