// A PostgreSQL for one data directory, started by the service itself. It outlives `kill -9` of the service: the next start takes it
// over. A database that ends by itself is started again. An advisory lock in the database keeps a second service off the directory.

import { join, resolve } from "node:path"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Deferred, Effect, Queue, Redacted, Schedule, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { reasonOf } from "../database/SqlErrors.ts"
import { makeDirectory, passwordIn, prepareDataDirectory } from "./DataDirectory.ts"
import { type Launcher, openLauncher } from "./Launcher.ts"
import { awaitPostmaster, findPostmaster, freePort, startPostmaster, stopPostmaster } from "./Postmaster.ts"

/** The database cannot be started or used. The reason is a sentence for the operator. */
export class EmbeddedServerError extends Schema.TaggedError<EmbeddedServerError>()("EmbeddedServerError", {
  reason: Schema.String
}) {}

const USER = "backlinks"

/** Any number: no other program takes advisory locks in this database. */
const SERVICE_LOCK = 4_011_960

interface Server {
  readonly dataDir: string
  readonly pgdata: string
  readonly launcher: Launcher
  /** Contains the superuser's password. */
  readonly url: Redacted.Redacted<string>
}

const explain = (dataDir: string) => (cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EmbeddedServerError({ reason: `No database could be started in ${dataDir}: ${reason}` })
}

const directoryFor = (dataDir: string): Promise<void> =>
  makeDirectory(dataDir).catch((cause: Error) => {
    const wayOut = "Set DATA_DIR to a directory that the service may make, or write to."
    throw new Error(`the directory cannot be made (${cause.message}). ${wayOut}`, { cause })
  })

/** `isStarted` is false where the database was running. Nothing runs that was started here once `signal` has made it fail. */
const startIn = async (dataDir: string, signal: AbortSignal): Promise<Server & { readonly isStarted: boolean }> => {
  const pgdata = join(dataDir, "postgres")
  await directoryFor(dataDir)
  const launcher = await openLauncher(pgdata)
  const password = await passwordIn(dataDir)
  const { access } = launcher
  if (access._tag === "Copied" && access.data && (await findPostmaster(pgdata)) !== null) {
    throw new Error("a database that was started with more permissions still runs there; stop it first")
  }
  const found = await awaitPostmaster(pgdata, undefined, undefined, signal)
  if (found === null) await prepareDataDirectory(launcher, pgdata, { name: USER, password })
  signal.throwIfAborted()
  const { port } = found ?? (await startPostmaster(launcher, pgdata, await freePort(), {}, signal))
  const url = Redacted.make(`postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`)
  return { dataDir, pgdata, launcher, url, isStarted: found === null }
}

/** An interruption waits until no program that was started here runs any more. */
const start = (dataDir: string) =>
  Effect.callback<Server & { readonly isStarted: boolean }, EmbeddedServerError>((resume) => {
    const stop = new AbortController()
    const started = startIn(dataDir, stop.signal)
    started.then(
      (server) => resume(Effect.succeed(server)),
      (cause: unknown) => resume(Effect.fail(explain(dataDir)(cause)))
    )
    return Effect.promise(async () => {
      stop.abort()
      const server = await started.catch(() => null)
      if (server?.isStarted === true) await stopPostmaster(server.launcher, server.pgdata)
    })
  })

/** Starts a lost database at the same address as before. */
const restart = ({ dataDir, pgdata, launcher, url }: Server) =>
  Effect.tryPromise({
    try: async () => {
      const port = Number(new URL(Redacted.value(url)).port)
      const found = (await awaitPostmaster(pgdata)) ?? (await startPostmaster(launcher, pgdata, port))
      if (found.port !== port) throw new Error(`it runs at port ${found.port} now, and not at ${port}`)
    },
    catch: explain(dataDir)
  })

const warnOfCopies = ({ dataDir, launcher: { access } }: Server) =>
  access._tag === "Copied"
    ? Effect.logWarning("The database runs from copies, because its system user cannot enter a directory", {
        directory: access.blockedBy,
        copies: access.state,
        ...(access.data ? { dataOf: dataDir } : {})
      })
    : Effect.void

const unusable =
  ({ dataDir }: Server) =>
  (error: SqlError) =>
    Effect.fail(explain(dataDir)(reasonOf(error)))

/**
 * Takes the directory's lock, on a separate connection, until the scope ends. Returns an effect that fails when the lock is lost;
 * `null` if another service holds it.
 */
const lock = Effect.fnUntraced(function* ({ url }: Server) {
  const connection = yield* PgConnection.make({ url, applicationName: "backlinks lock" })
  const { rows } = yield* connection.query("SELECT pg_try_advisory_lock($1) AS mine", [SERVICE_LOCK])
  if (rows[0]?.["mine"] !== true) return null
  // No notification is ever sent on this channel: the queue fails when the connection ends.
  const silence = yield* connection.listen("silence")
  return Effect.forever(Queue.take(silence))
})

const takenByAnother = ({ dataDir }: Server) =>
  new EmbeddedServerError({
    reason: `Another service is running on ${dataDir}. Stop it, or give this one a DATA_DIR of its own.`
  })

/** One minute for a database to recover, or for the obstacle to its start to disappear. */
const recovery = { times: 120, schedule: Schedule.spaced("500 millis") }

/** Starts the database again whenever it is lost, for as long as that succeeds and no other service takes the lock. */
const keepRunning = Effect.fnUntraced(function* (server: Server, first: Effect.Effect<never, SqlError>) {
  // A start under way is completed, because the finalizer stops only a postmaster that it finds.
  const lockAgain = Effect.andThen(Effect.uninterruptible(restart(server)), lock(server))
  let reason = reasonOf(yield* Effect.flip(first))
  for (;;) {
    yield* Effect.logError("The database is lost, and will be brought back", { reason })
    reason = yield* Effect.retry(lockAgain, recovery).pipe(
      Effect.catchTag("SqlError", unusable(server)),
      Effect.filterOrFail(
        (locked) => locked !== null,
        () => takenByAnother(server)
      ),
      Effect.tap(() => Effect.logInfo("The database is back")),
      Effect.flatMap((locked) => Effect.map(Effect.flip(locked), reasonOf)),
      Effect.scoped
    )
  }
})

/**
 * The address of the directory's database, which runs and is locked for this service until the scope ends; then it is stopped. A
 * database that a killed service left running is taken over. One that ends by itself is started again at the same address; where
 * that fails, or another service was faster, `lost` fails with the reason.
 */
export const embeddedServer = Effect.fn("EmbeddedServer.start")(function* (
  directory: string,
  lost?: Deferred.Deferred<never, EmbeddedServerError>
) {
  const held = { current: false }
  const { server, locked } = yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { isStarted, ...server } = yield* restore(start(resolve(directory)))
      held.current = isStarted
      // Released after the lock's connection is closed; a database that another service holds is left running.
      yield* Effect.addFinalizer(() =>
        held.current ? Effect.promise(() => stopPostmaster(server.launcher, server.pgdata)) : Effect.void
      )
      const locked = yield* Effect.catchTag(restore(lock(server)), "SqlError", unusable(server))
      held.current = locked !== null
      return locked === null ? yield* takenByAnother(server) : { server, locked }
    })
  )
  yield* warnOfCopies(server)
  const giveUp = (fault: EmbeddedServerError) => {
    held.current = false
    return lost === undefined ? Effect.void : Deferred.fail(lost, fault)
  }
  yield* keepRunning(server, locked).pipe(Effect.catch(giveUp), Effect.forkScoped)
  return server.url
})
