// The way to the database: a pool of connections with limits of time and number, and statements through it. Statements are
// prepared once for each connection and share connections while they wait. What they say is decided elsewhere.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Context, Duration, Effect, Layer, type Queue, type Redacted, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { Gate, Lanes, type WaitingRoom } from "./Gate.ts"
import { explain, isConnectionLost, type LostRace, unavailable, withoutRace } from "./SqlFaults.ts"

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, and whatever else libpq allows in it. */
  readonly url: Redacted.Redacted
  readonly applicationName?: string
  /** Connections, 10 unless told. */
  readonly connections?: number
  /** How long the database may work on one statement, 5 seconds unless told; it may wait for a lock for half of that. */
  readonly statementTimeout?: Duration.Input
  /** How many calls may wait for a connection or for their account, 2,000 unless told. */
  readonly waiting?: number
  /** How long each of them waits, 5 seconds unless told. */
  readonly patience?: Duration.Input
}

export type Row = Readonly<Record<string, unknown>>

type Params = ReadonlyArray<unknown>

/** One connection for oneself. */
export interface Session {
  readonly run: (sql: string, params: Params) => Effect.Effect<ReadonlyArray<Row>, LostRace | StoreUnavailable>
}

export class Database extends Context.Service<
  Database,
  {
    /** Only looks, so that it is asked again where a connection was lost over it. */
    readonly read: (sql: string, params: Params) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
    /**
     * Writes in one statement that is its own transaction. `LostRace`: nothing was written. `StoreUnavailable`: it may have been,
     * if the connection was lost in the wrong moment. Goes on to its end whatever becomes of the caller.
     */
    readonly write: (sql: string, params: Params) => Effect.Effect<ReadonlyArray<Row>, LostRace | StoreUnavailable>
    /** One transaction over several statements. Its failures mean what those of `write` mean. */
    readonly transaction: <A, E>(
      body: (session: Session) => Effect.Effect<A, E>
    ) => Effect.Effect<A, E | LostRace | StoreUnavailable>
    /** Hears what is notified on a channel, by whichever instance, over a connection of its own. */
    readonly listen: (
      channel: string
    ) => Effect.Effect<Queue.Dequeue<PgConnection.Notification, SqlError>, SqlError, Scope.Scope>
    /** One at a time for each key, within this process. */
    readonly inTurn: <A, E, R>(
      key: string,
      work: (waited: boolean) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, R>
  }
>()("backlinks/postgres/Database") {}

/** Statements that may share a connection: enough to keep it busy, few enough that a slow one holds few up. */
const PIPELINE = 8

/** How much later than the database itself a caller stops waiting for it: then the network must be gone. */
const GRACE = Duration.seconds(2)

const CONNECT_TIMEOUT = Duration.seconds(3)

const lookAgain = Schedule.jittered(Schedule.spaced("50 millis"))

const sessionDefaults = (timeoutMs: number) => ({
  statement_timeout: `${timeoutMs}`,
  lock_timeout: `${Math.ceil(timeoutMs / 2)}`,
  idle_in_transaction_session_timeout: `${timeoutMs}`,
  default_transaction_isolation: "read committed",
  // Compiling pays for analysts' queries; ours are small.
  jit: "off",
  plan_cache_mode: "force_generic_plan"
})

/** No stored text contains NUL, and the database refuses even to be asked about one: so nothing like it is found. */
const storable = (param: unknown): unknown =>
  typeof param === "string" && param.includes("\0") ? param.replaceAll("\0", "\uFFFD") : param

const explained = <A, R>(
  statement: Effect.Effect<A, SqlError | StoreUnavailable, R>
): Effect.Effect<A, LostRace | StoreUnavailable, R> => statement.pipe(Effect.catchTag("SqlError", explain))

const make = Effect.fnUntraced(function* (options: DatabaseOptions) {
  const connections = options.connections ?? 10
  const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? "5 seconds")
  const room: WaitingRoom = { seats: options.waiting ?? 2_000, patience: options.patience ?? "5 seconds", taken: 0 }
  const gate = new Gate(room, connections * PIPELINE)
  const lanes = new Lanes(room)
  const session: PgConnection.Config = {
    url: options.url,
    applicationName: options.applicationName ?? "backlinks",
    startupParameters: sessionDefaults(Duration.toMillis(statementTimeout)),
    connectTimeout: CONNECT_TIMEOUT,
    keepAlive: "10 seconds"
  }
  const pool = yield* PgPool.make({
    ...session,
    maxConnections: connections,
    multiplex: true,
    multiplexConcurrency: PIPELINE
  })
  const deadline = Duration.sum(statementTimeout, GRACE)

  /** A connection that is silent beyond the deadline is given up with whatever is still on it. */
  const ask = (connection: PgConnection.PgConnection, sql: string, params: Params) =>
    Effect.timeoutOrElse(Effect.interruptible(connection.query(sql, params.map(storable))), {
      duration: deadline,
      orElse: () => Effect.andThen(pool.invalidate(connection), Effect.fail(unavailable))
    })

  const send = (sql: string, params: Params) =>
    gate.pass(() => pool.use((connection) => Effect.map(ask(connection, sql, params), ({ rows }) => rows)))

  return Database.of({
    read: (sql, params) =>
      send(sql, params).pipe(
        Effect.retry({
          times: 2,
          schedule: lookAgain,
          while: (error: SqlError | StoreUnavailable) => error._tag === "SqlError" && isConnectionLost(error)
        }),
        explained,
        // A read loses a race only against a lock that it should not have to wait for.
        withoutRace
      ),
    write: (sql, params) => Effect.uninterruptible(explained(send(sql, params))),
    transaction: (body) => gate.pass(() => inTransaction(pool, ask, body)),
    listen: (channel) => Effect.flatMap(PgConnection.make(session), (connection) => connection.listen(channel)),
    inTurn: (key, work) => lanes.pass(key, work)
  })
})

type Ask = (
  connection: PgConnection.PgConnection,
  sql: string,
  params: Params
) => Effect.Effect<{ readonly rows: ReadonlyArray<Row> }, SqlError | StoreUnavailable>

/** Not to be interrupted: a transaction that is begun is also ended. */
const inTransaction = <A, E>(pool: PgPool.PgPool, ask: Ask, body: (session: Session) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const connection = yield* explained(pool.reserve)
    const run: Session["run"] = (sql, params) => explained(Effect.map(ask(connection, sql, params), ({ rows }) => rows))
    yield* run("BEGIN", [])
    const answer = yield* Effect.onError(body({ run }), () => Effect.ignore(run("ROLLBACK", [])))
    yield* run("COMMIT", [])
    return answer
  }).pipe(Effect.scoped, Effect.uninterruptible)

export const layer = (options: DatabaseOptions): Layer.Layer<Database, SqlError> =>
  Layer.effect(Database, make(options))
