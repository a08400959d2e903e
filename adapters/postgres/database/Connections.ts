// A number of connections to the database and the statements through them: prepared once for each connection, so many on their way
// over one connection at a time as its pool allows, and none waited for beyond a deadline.
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import type { AdmissionQueue } from "./AdmissionQueue.ts"
import type { PoolStats } from "./PoolGauges.ts"
import { type Admission, Semaphore } from "./Semaphore.ts"
import { type ConflictError, classify, unavailable } from "./SqlErrors.ts"
import { statementSpans } from "./StatementSpans.ts"
import { makeThrottledOutageLog } from "./ThrottledOutageLog.ts"

export type Row = Readonly<Record<string, unknown>>

export type Params = ReadonlyArray<unknown>

/** A statement's rows. */
export type RunSql<Fault> = (sql: string, params: Params, visit?: Admission) => Effect.Effect<ReadonlyArray<Row>, Fault>

export interface Connections {
  /** Over any of them. */
  readonly send: RunSql<SqlError | StoreUnavailable>
  /** One of them for oneself, from BEGIN to COMMIT, whatever becomes of the caller. `within` is each statement's deadline. */
  readonly transaction: <A, E>(
    body: (run: RunSql<ConflictError | StoreUnavailable>) => Effect.Effect<A, E>,
    within?: Duration.Duration
  ) => Effect.Effect<A, E | ConflictError | StoreUnavailable>
  readonly stats: PoolStats
}

/** No stored text contains NUL, and the database refuses even to be asked about one: so nothing like it is found. */
const storable = (param: unknown): unknown =>
  typeof param === "string" && param.includes("\0") ? param.replaceAll("\0", "\uFFFD") : param

export const classified = <A, R>(
  statement: Effect.Effect<A, SqlError | StoreUnavailable, R>
): Effect.Effect<A, ConflictError | StoreUnavailable, R> => statement.pipe(Effect.catchTag("SqlError", classify))

export const openPool = Effect.fnUntraced(function* (
  session: PgConnection.Config,
  limits: {
    readonly connections: number
    /** Statements that may be on their way over one of them, each waiting for those before it. */
    readonly pipeline: number
    readonly deadline: Duration.Duration
    readonly room: AdmissionQueue
  }
) {
  const { connections, pipeline, deadline, room } = limits
  const pool = yield* PgPool.make({
    ...session,
    maxConnections: connections,
    multiplex: true,
    multiplexConcurrency: pipeline
  })
  const gate = new Semaphore(room, connections * pipeline)
  /** Whoever has a connection alone keeps it from all others. */
  const alone = new Semaphore(room, Math.ceil(connections / 3))

  const spanned = yield* statementSpans
  const tell = makeThrottledOutageLog()

  /** What each connection is at work on: so many things. */
  const atWork = new Map<PgConnection.PgConnection, number>()

  const begin = (connection: PgConnection.PgConnection): void =>
    void atWork.set(connection, (atWork.get(connection) ?? 0) + 1)

  const end = (connection: PgConnection.PgConnection): void => {
    const left = (atWork.get(connection) ?? 1) - 1
    if (left > 0) atWork.set(connection, left)
    else atWork.delete(connection)
  }

  const working = <A, E, R>(connection: PgConnection.PgConnection, work: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      begin(connection)
      return Effect.ensuring(
        work,
        Effect.sync(() => end(connection))
      )
    })

  /** A connection that is silent beyond the deadline is given up with whatever is still on it. Without one, the caller's end is the end. */
  const ask = (connection: PgConnection.PgConnection, sql: string, params: Params, within = deadline) => {
    // Interruptible even for a caller that is not: otherwise the deadline could not end the wait.
    const asked = Effect.interruptible(spanned(sql, connection.query(sql, params.map(storable))))
    const answered = Duration.isFinite(within)
      ? Effect.timeoutOrElse(asked, {
          duration: within,
          orElse: () => Effect.andThen(pool.invalidate(connection), Effect.fail(unavailable))
        })
      : asked
    return Effect.map(answered, ({ rows }) => rows)
  }

  const inTransaction = Effect.fnUntraced(
    function* <A, E>(
      body: (run: RunSql<ConflictError | StoreUnavailable>) => Effect.Effect<A, E>,
      within?: Duration.Duration
    ) {
      const connection = yield* classified(Effect.tapError(pool.reserve, tell))
      const run: RunSql<ConflictError | StoreUnavailable> = (sql, params) =>
        classified(Effect.tapError(ask(connection, sql, params, within), tell))
      const work = Effect.gen(function* () {
        yield* run("BEGIN", [])
        // Within the usual deadline, whatever the others have: whoever was interrupted may not wait without one.
        const answer = yield* Effect.onError(body(run), () => Effect.ignore(ask(connection, "ROLLBACK", [])))
        yield* run("COMMIT", [])
        return answer
      })
      return yield* working(connection, work)
    },
    (transaction) => Effect.uninterruptible(Effect.scoped(transaction))
  )

  const opened: Connections = {
    send: (sql, params, visit) =>
      gate.run(
        () =>
          Effect.tapError(
            pool.use((connection) => working(connection, ask(connection, sql, params))),
            tell
          ),
        visit
      ),
    transaction: (body, within) => alone.run(() => inTransaction(body, within)),
    stats: { size: connections, inUse: () => atWork.size, waiting: () => gate.waiting + alone.waiting }
  }
  return opened
})
