// A connection pool with prepared, pipelined statements and a deadline for each.
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { AdmissionQueue } from "#adapters/concurrency/AdmissionQueue.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { makeDeadlines } from "./Deadlines.ts"
import type { PoolStats } from "./PoolGauges.ts"
import { makeRenewable } from "./Renewable.ts"
import { type Admission, Semaphore } from "./Semaphore.ts"
import { type ConflictError, classify, unavailable } from "./SqlErrors.ts"
import { statementSpans } from "./StatementSpans.ts"
import type { SwitchOvers } from "./SwitchOvers.ts"
import { makeThrottledOutageLog } from "./ThrottledOutageLog.ts"

export type Row = Readonly<Record<string, unknown>>

export type Params = ReadonlyArray<unknown>

/** Runs a statement and returns its rows. */
export type RunSql<Fault> = (
  sql: string,
  params: Params,
  admission?: Admission
) => Effect.Effect<ReadonlyArray<Row>, Fault>

/** `ConflictError`: nothing was written. `StoreUnavailable`: it may have been written, if the connection was lost during the commit. */
export type RunWrite = RunSql<ConflictError | StoreUnavailable>

export interface Connections {
  /** Over any connection of the pool. */
  readonly send: RunSql<SqlError | StoreUnavailable>
  /** Reserves a connection from BEGIN to COMMIT, uninterruptibly. `deadline` is that of each statement. */
  readonly transaction: <A, E>(
    body: (run: RunWrite) => Effect.Effect<A, E>,
    deadline?: Duration.Duration
  ) => Effect.Effect<A, E | ConflictError | StoreUnavailable>
  readonly stats: PoolStats
}

/** A statement may take a fiftieth longer than the deadline. */
const TICKS_PER_DEADLINE = 50

/** PostgreSQL rejects text with NUL. The replacement is in no stored text either, so a lookup by it finds nothing. */
const storable = (param: unknown): unknown =>
  typeof param === "string" && param.includes("\0") ? param.replaceAll("\0", "\uFFFD") : param

export const classified = <A, R>(
  statement: Effect.Effect<A, SqlError | StoreUnavailable, R>
): Effect.Effect<A, ConflictError | StoreUnavailable, R> => statement.pipe(Effect.catchTag("SqlError", classify))

export interface PoolLimits {
  readonly connections: number
  /** Open from the start, and not only once they are needed: none by default. */
  readonly minConnections?: number
  /** Statements in flight over one connection; each waits for those before it. */
  readonly pipeline: number
  /** Fewer statements in flight than that at times, but at least 1. */
  readonly inFlight?: () => number
  readonly deadline: Duration.Duration
  readonly admission: AdmissionQueue
  readonly switchOvers: SwitchOvers
}

/** Statements and transactions on each connection. */
class WorkCounts {
  readonly #counts = new Map<PgConnection.PgConnection, number>()

  /** Connections with work on them. */
  get size(): number {
    return this.#counts.size
  }

  #add(connection: PgConnection.PgConnection, count: 1 | -1): void {
    const left = (this.#counts.get(connection) ?? 0) + count
    if (left > 0) this.#counts.set(connection, left)
    else this.#counts.delete(connection)
  }

  during<A, E, R>(connection: PgConnection.PgConnection, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.#add(connection, 1)
      return Effect.ensuring(
        work,
        Effect.sync(() => this.#add(connection, -1))
      )
    })
  }
}

/** The statements of `body` between BEGIN and COMMIT. */
const commitAfter = Effect.fnUntraced(function* <A, E>(
  body: (run: RunWrite) => Effect.Effect<A, E>,
  run: RunWrite,
  rollBack: Effect.Effect<void>
) {
  yield* run("BEGIN", [])
  const result = yield* Effect.onError(body(run), () => rollBack)
  yield* run("COMMIT", [])
  return result
})

export const openPool = Effect.fnUntraced(function* (session: PgConnection.Config, limits: PoolLimits) {
  const { connections, minConnections = 0, pipeline, deadline, admission, switchOvers } = limits
  const open = PgPool.make({
    ...session,
    minConnections,
    maxConnections: connections,
    multiplex: true,
    multiplexConcurrency: pipeline
  })
  const usingPool = yield* makeRenewable(open, switchOvers)
  const statements = new Semaphore(admission, limits.inFlight ?? connections * pipeline)
  /** Transactions reserve their connection, so they may take only a part of the pool. */
  const transactions = new Semaphore(admission, Math.ceil(connections / 3))

  const within = yield* makeDeadlines(Duration.divideUnsafe(deadline, TICKS_PER_DEADLINE))
  const withSpan = yield* statementSpans
  const logOutage = makeThrottledOutageLog()
  const onFailure = (error: SqlError | StoreUnavailable) => Effect.andThen(logOutage(error), switchOvers.failed(error))

  const work = new WorkCounts()

  /** A connection that does not answer within the deadline is closed, with all that is still on it. */
  const queryWithin = (
    pool: PgPool.PgPool,
    connection: PgConnection.PgConnection,
    sql: string,
    params: Params,
    limit = deadline
  ) => {
    // Interruptible even in an uninterruptible caller: otherwise the deadline could not end the wait.
    const rows = Effect.interruptible(withSpan(sql, connection.query(sql, params.map(storable))))
    const answered = Duration.isFinite(limit)
      ? within(rows, limit, Effect.andThen(pool.invalidate(connection), Effect.fail(unavailable)))
      : rows
    return Effect.map(answered, ({ rows }) => rows)
  }

  const inTransaction = Effect.fnUntraced(
    function* <A, E>(pool: PgPool.PgPool, body: (run: RunWrite) => Effect.Effect<A, E>, limit?: Duration.Duration) {
      const connection = yield* classified(Effect.tapError(pool.reserve, onFailure))
      const run: RunWrite = (sql, params) =>
        classified(Effect.tapError(queryWithin(pool, connection, sql, params, limit), onFailure))
      // The pool's deadline holds even if the other statements have none: this may run after an interruption.
      const rollBack = Effect.ignore(queryWithin(pool, connection, "ROLLBACK", []))
      return yield* work.during(connection, commitAfter(body, run, rollBack))
    },
    (transaction) => Effect.uninterruptible(Effect.scoped(transaction))
  )

  const opened: Connections = {
    send: (sql, params, admission) =>
      statements.run(
        Effect.tapError(
          usingPool((pool) =>
            pool.use((connection) => work.during(connection, queryWithin(pool, connection, sql, params)))
          ),
          onFailure
        ),
        admission
      ),
    transaction: (body, limit) => transactions.run(usingPool((pool) => inTransaction(pool, body, limit))),
    stats: {
      size: connections,
      inUse: () => work.size,
      waiting: () => statements.waiting + transactions.waiting
    }
  }
  return opened
})
