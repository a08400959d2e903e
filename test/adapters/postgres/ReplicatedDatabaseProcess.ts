// A process that keeps a throw-away PostgreSQL and a standby that streams from it: no commit is answered before the standby has it.
// Prints the two ports once that is so. On a line of its standard input it stops the primary as a crash would, and prints a line. When
// the input ends, both servers stop and their files are removed.
import { appendFile, chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted, Schedule, Schema } from "effect"
import { prepareDataDirectory } from "#adapters/postgres/embedded/DataDirectory.ts"
import { openLauncher } from "#adapters/postgres/embedded/Launcher.ts"
import { freePort, startPostmaster, stopPostmaster } from "#adapters/postgres/embedded/Postmaster.ts"
import { runSystemCommand } from "#adapters/postgres/embedded/SystemCommand.ts"
import { PASSWORD, USER } from "./Credentials.ts"

const settings = {
  max_connections: "100",
  wal_level: "replica",
  // What is written between the copy and the standby's first question is still there.
  wal_keep_size: "128MB",
  // Both servers outlive every kill of the other, and nothing outlives the run.
  fsync: "off"
}

const folder = await mkdtemp(join(tmpdir(), "backlinks-replicated-"))
// Run as root, the databases belong to a system user, who must be able to enter.
await chmod(folder, 0o755)
const [primary, standby] = [join(folder, "primary"), join(folder, "standby")]
const launcher = await openLauncher(primary)

const labelOf = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ labelfile: Schema.String })]))

/** A base backup without `pg_basebackup`, which npm does not install. */
const copy = (session: PgConnection.PgConnection) =>
  Effect.gen(function* () {
    yield* session.query("SELECT pg_backup_start('standby', true)")
    yield* Effect.promise(() => runSystemCommand("cp", "-a", primary, standby))
    const { rows } = yield* session.query("SELECT labelfile FROM pg_backup_stop(false)")
    const [{ labelfile }] = labelOf(rows)
    yield* Effect.promise(async () => {
      // They are of the primary's process, and its log may have been copied half way.
      for (const path of ["postmaster.pid", "postmaster.opts"]) await rm(join(standby, path))
      const log = join(standby, "pg_wal")
      for (const name of await readdir(log)) await rm(join(log, name), { recursive: true })
      await writeFile(join(standby, "backup_label"), labelfile)
      await writeFile(join(standby, "standby.signal"), "")
      await runSystemCommand("chown", `--reference=${join(standby, "PG_VERSION")}`, "-R", standby)
    })
  })

const untilReplicated = (session: PgConnection.PgConnection, state: string) =>
  session
    .query(`SELECT FROM pg_stat_replication WHERE ${state}`)
    .pipe(
      Effect.repeat({ until: ({ rows }) => rows.length === 1, schedule: Schedule.spaced("20 millis") }),
      Effect.timeout("30 seconds")
    )

/** The port of the standby. */
const replicate = (port: number) =>
  Effect.gen(function* () {
    const url = Redacted.make(`postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`)
    const session = yield* PgConnection.make({ url })
    yield* copy(session)
    const conninfo = `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD} application_name=standby`
    const started = yield* Effect.promise(async () => {
      // In this file, so that a statement can change it.
      await appendFile(join(standby, "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`)
      return startPostmaster(launcher, standby, await freePort(), settings)
    })
    yield* untilReplicated(session, "state = 'streaming'")
    yield* session.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    yield* session.query("SELECT pg_reload_conf()")
    yield* untilReplicated(session, "sync_state = 'sync'")
    return started.port
  }).pipe(Effect.scoped)

try {
  await prepareDataDirectory(launcher, primary, { name: USER, password: PASSWORD }, "--no-sync")
  const { port } = await startPostmaster(launcher, primary, await freePort(), settings)
  process.stdout.write(`${port} ${await Effect.runPromise(replicate(port))}\n`)
  for await (const _ of createInterface({ input: process.stdin })) {
    await stopPostmaster(launcher, primary, "immediate")
    process.stdout.write("stopped\n")
  }
} finally {
  for (const pgdata of [standby, primary]) await stopPostmaster(launcher, pgdata, "immediate")
  await rm(folder, { recursive: true, force: true })
}
