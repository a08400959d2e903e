// Two servers of a test's own: a primary, and a standby that has every commit before it is answered.
import { Effect, Redacted } from "effect"
import { PASSWORD, USER } from "./Credentials.ts"
import { startDatabaseProgram } from "./DatabaseProgram.ts"
import { execute } from "./TestDatabase.ts"

const urlAt = (port: string | undefined) => Redacted.make(`postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`)

const start = async () => {
  const { send, next, stop } = startDatabaseProgram(new URL("./ReplicatedDatabaseProcess.ts", import.meta.url))
  const [primary, standby] = (await next()).split(" ").map(urlAt)
  if (primary === undefined || standby === undefined) throw new Error("one of the servers did not start")
  return {
    primary,
    standby,
    crash: async () => {
      send("")
      await next()
    },
    stop
  }
}

/** `detach` ends the stream to the standby, `crash` stops the primary at once, `promote` makes the standby take writes. */
export const replicatedDatabase = Effect.map(
  Effect.acquireRelease(Effect.promise(start), ({ stop }) => Effect.promise(stop)),
  ({ primary, standby, crash }) => ({
    primary,
    standby,
    detach: Effect.andThen(
      execute(standby, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"),
      Effect.repeat(execute(standby, "SELECT FROM pg_stat_wal_receiver"), { until: ([rows]) => rows?.length === 0 })
    ),
    crash: Effect.promise(crash),
    promote: execute(standby, "SELECT pg_promote()")
  })
)
