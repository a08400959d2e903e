// Access to the database, bounded in time and number of calls: reads, searches, writes, commits of orders, and transactions.

import type { ConnectionOptions } from "node:tls"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Context, Duration, Effect, Layer, type Queue, Redacted, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type AdmissionQueue, makeAdmissionQueue } from "#adapters/concurrency/AdmissionQueue.ts"
import { waitingForStore } from "#adapters/concurrency/AnswerInTime.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type Connections, classified, openPool, type Params, type RunSql, type RunWrite } from "./Connections.ts"
import { checkSessions, type DatabaseRefuses, type SessionsNotKept } from "./FirstSessions.ts"
import { registerAdmissionGauges, registerPoolGauges } from "./PoolGauges.ts"
import { listenRenewably } from "./RenewableListener.ts"
import { SearchLimit } from "./SearchLimit.ts"
import { type ConflictError, conflictAsUnavailable, endsConnection, isConnectionLost } from "./SqlErrors.ts"
import { makeSwitchOvers, type SwitchOvers } from "./SwitchOvers.ts"

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`; its `application_name` and `connect_timeout` hold if it has them. */
  readonly url: Redacted.Redacted
  /** Encrypted so, or the connection fails; absent, as the URL says. */
  readonly tls?: ConnectionOptions
  readonly applicationName?: string
  /** Connections: 10 by default, at least 3. A third of them is reserved for searches, and one or two for commits. */
  readonly connections?: number
  /** Time limit of one statement, 5 seconds by default. A fifth of it may be spent waiting for a lock, in a `commit` a twentieth. */
  readonly statementTimeout?: Duration.Input
  /** How many calls may wait for a connection or for their account, 2,000 by default. */
  readonly maxWaiting?: number
  /**
   * How many searches may wait, 5,000 by default: at least as many as there may be HTTP connections. Those that wait cost nothing, while
   * refusals would be sent again at once, and keep the service's thread from orders.
   */
  readonly maxWaitingSearches?: number
  /** How long each of them may wait, 5 seconds by default; they time out at most a fiftieth later. */
  readonly maxWait?: Duration.Input
}

export class Database extends Context.Service<
  Database,
  {
    /** A lookup by key. Retried after a lost connection. */
    readonly read: RunSql<StoreUnavailable>
    /**
     * A search through many rows: planned for its parameters, over separate connections, so that no order waits for it. Accounts take
     * turns; while orders are being committed, searches run one after another.
     */
    readonly search: RunSql<StoreUnavailable>
    /**
     * One writing statement, which is its own transaction. Not interrupted with the caller.
     */
    readonly write: RunWrite
    /**
     * Like `write`, for the commits of orders, over separate connections: one for each batch that may run, or one for all if there
     * are few. What waits for a lock delays orders of other accounts in the same batch, so the lock timeout is short.
     */
    readonly commit: RunWrite
    /** One transaction of several statements. Its errors mean the same as those of `write`. */
    readonly transaction: Connections["transaction"]
    /** Notifications on a channel, sent by any instance, over a separate connection; one at first, and after each renewal of it. */
    readonly listen: (
      channel: string
    ) => Effect.Effect<Queue.Dequeue<PgConnection.Notification, SqlError>, SqlError, Scope.Scope>
    /** All calls that wait for a connection or for one another. Searches wait in another queue. */
    readonly admission: AdmissionQueue
  }
>()("backlinks/postgres/database/Database") {}

/** How much longer than the statement's time limit a caller waits: after that, the connection is lost. */
const GRACE = Duration.seconds(2)

/** Enough to keep each connection for searches busy. Lookups for orders are not pipelined: they never wait behind one another. */
const SEARCH_PIPELINE = 8

/**
 * How many commits of orders may be on their way: more would share the orders among more statements, which costs more, and one would
 * leave the database idle while the next is prepared.
 */
export const CONCURRENT_COMMITS = 2

/** All commits share one connection where there are fewer, so that reads find others free. */
const CONNECTIONS_FOR_ALL = 8

/** The share of a statement's time limit that it may wait for a lock. Shorter for commits, because others are behind them. */
const LOCK_WAIT_SHARE = 1 / 5
const COMMIT_LOCK_WAIT_SHARE = 1 / 20

const CONNECT_TIMEOUT = Duration.seconds(3)

const sessionDefaults = (timeoutMs: number, lockWaitShare = LOCK_WAIT_SHARE) => ({
  statement_timeout: `${timeoutMs}`,
  lock_timeout: `${Math.ceil(timeoutMs * lockWaitShare)}`,
  idle_in_transaction_session_timeout: `${timeoutMs}`,
  default_transaction_isolation: "read committed",
  // Compilation pays off for analytical queries only.
  jit: "off",
  // Every query has an index, and random reads of today's disks cost no more than sequential ones.
  enable_seqscan: "off",
  random_page_cost: "1.1"
})

/**
 * For lookups by key, one plan fits all parameters: nested loops over indexes. Without these settings, wrong estimates of JSON
 * parameters could make the planner read a whole table.
 */
const keyLookupPlans = {
  plan_cache_mode: "force_generic_plan",
  enable_hashjoin: "off",
  enable_mergejoin: "off"
}

const readRetries = {
  times: 2,
  schedule: Schedule.jittered(Schedule.spaced("50 millis")),
  while: (error: SqlError | StoreUnavailable) =>
    error._tag === "SqlError" && (isConnectionLost(error) || endsConnection(error))
}

const readingOver =
  ({ send }: Connections): RunSql<StoreUnavailable> =>
  (sql, params, admission) =>
    // The only conflict of a read is a lock that it should not have to wait for.
    waitingForStore(send(sql, params, admission).pipe(Effect.retry(readRetries), classified, conflictAsUnavailable))

const writingOver =
  ({ send }: Connections, { written }: SwitchOvers): RunWrite =>
  (sql, params, admission) =>
    waitingForStore(Effect.uninterruptible(Effect.tap(classified(send(sql, params, admission)), written)))

/** One pool for lookups and writes by key, one for commits of orders, and one for searches. */
const openPools = Effect.fnUntraced(function* (
  session: Omit<PgConnection.Config, "startupParameters">,
  options: {
    readonly connections: number
    readonly statementTimeout: Duration.Duration
    readonly admission: AdmissionQueue
    readonly searchAdmission: AdmissionQueue
    readonly switchOvers: SwitchOvers
  }
) {
  const { connections, statementTimeout, admission, searchAdmission, switchOvers } = options
  const forSearches = Math.floor(connections / 3) || 1
  const forCommits = connections >= CONNECTIONS_FOR_ALL ? CONCURRENT_COMMITS : 1
  const timeoutMs = Duration.toMillis(statementTimeout)
  const deadline = Duration.sum(statementTimeout, GRACE)
  const orders = yield* openPool(
    { ...session, startupParameters: { ...sessionDefaults(timeoutMs), ...keyLookupPlans } },
    { connections: connections - forSearches - forCommits, pipeline: 1, deadline, admission, switchOvers }
  )
  const commits = yield* openPool(
    { ...session, startupParameters: { ...sessionDefaults(timeoutMs, COMMIT_LOCK_WAIT_SHARE), ...keyLookupPlans } },
    { connections: forCommits, pipeline: CONCURRENT_COMMITS / forCommits, deadline, admission, switchOvers }
  )
  const searchLimit = new SearchLimit(forSearches * SEARCH_PIPELINE)
  const searches = yield* openPool(
    { ...session, startupParameters: sessionDefaults(timeoutMs) },
    {
      connections: forSearches,
      // Searches come in bursts, beside orders, and the proof of the password alone holds the event loop for milliseconds each time.
      minConnections: forSearches,
      pipeline: SEARCH_PIPELINE,
      inFlight: () => searchLimit.inFlight,
      deadline,
      admission: searchAdmission,
      switchOvers
    }
  )
  yield* registerPoolGauges("orders", orders.stats)
  yield* registerPoolGauges("commits", commits.stats)
  yield* registerPoolGauges("searches", searches.stats)
  return { orders, commits, searches, searchLimit }
})

/** A session as the options say, without its own parameters. */
export const sessionOf = ({ url, tls, applicationName = "backlinks" }: DatabaseOptions) => {
  const said = URL.parse(Redacted.value(url))?.searchParams
  return {
    url,
    ...(tls === undefined ? {} : { ssl: tls }),
    ...(said?.has("application_name") === true ? {} : { applicationName }),
    ...(said?.has("connect_timeout") === true ? {} : { connectTimeout: CONNECT_TIMEOUT }),
    keepAlive: "10 seconds"
  } as const
}

const make = Effect.fnUntraced(function* (options: DatabaseOptions) {
  const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? "5 seconds")
  const admission = yield* makeAdmissionQueue({
    capacity: options.maxWaiting ?? 2_000,
    maxWait: options.maxWait ?? "5 seconds"
  })
  const searchAdmission = yield* makeAdmissionQueue({
    capacity: options.maxWaitingSearches ?? 5_000,
    maxWait: options.maxWait ?? "5 seconds"
  })
  const switchOvers = makeSwitchOvers()
  const session = sessionOf(options)
  const listening = { ...session, startupParameters: sessionDefaults(Duration.toMillis(statementTimeout)) }
  // Fails at startup with the reason: a pool's callers would only receive `StoreUnavailable`.
  yield* checkSessions(listening)
  const connections = Math.max(3, options.connections ?? 10)
  const limits = { connections, statementTimeout, admission, searchAdmission, switchOvers }
  const { orders, commits, searches, searchLimit } = yield* openPools(session, limits)
  yield* registerAdmissionGauges("orders", admission)
  yield* registerAdmissionGauges("searches", searchAdmission)

  const commit = writingOver(commits, switchOvers)
  return Database.of({
    read: readingOver(orders),
    search: readingOver(searches),
    write: writingOver(orders, switchOvers),
    commit: (sql, params, admission) =>
      Effect.suspend(() => {
        searchLimit.recordCommit()
        return commit(sql, params, admission)
      }),
    transaction: (body, deadline) => waitingForStore(orders.transaction(body, deadline)),
    listen: (channel) => listenRenewably(listening, channel, switchOvers),
    admission
  })
})

export const layer = (options: DatabaseOptions): Layer.Layer<Database, DatabaseRefuses | SessionsNotKept | SqlError> =>
  Layer.effect(Database, make(options))

/** What the methods of ports run: none of it is retried after a conflict. */
export const forPorts = ({ read, search, write, transaction }: Database["Service"]) => ({
  read,
  search,
  write: (sql: string, params: Params) => conflictAsUnavailable(write(sql, params)),
  transaction: <A>(body: (run: RunWrite) => Effect.Effect<A, ConflictError | StoreUnavailable>) =>
    conflictAsUnavailable(transaction(body))
})

export type PortDatabase = ReturnType<typeof forPorts>

/** A port of the store whose methods need the database alone. */
export const overDatabase = <Port, Methods>(
  port: Context.Key<Port, Methods>,
  methods: (database: PortDatabase) => Methods
): Layer.Layer<Port, never, Database> =>
  Layer.effect(
    port,
    Effect.map(Database, (database) => methods(forPorts(database)))
  )
