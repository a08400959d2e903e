// The way to the database, with limits of time and number: look, search, write, or several statements in one transaction. What
// they say is decided elsewhere.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Context, Duration, Effect, Layer, type Queue, type Redacted, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { type AdmissionQueue, makeAdmissionQueue } from "./AdmissionQueue.ts"
import { MAX_CONCURRENT_BATCHES } from "./Batcher.ts"
import { makeCommitStrategy } from "./CommitStrategy.ts"
import { type Connections, classified, openPool, type RunSql } from "./Connections.ts"
import { registerAdmissionGauges, registerPoolGauges } from "./PoolGauges.ts"
import { type Admission, KeyedMutex } from "./Semaphore.ts"
import { type ConflictError, conflictAsUnavailable, isConnectionLost } from "./SqlErrors.ts"

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, and whatever else libpq allows in it. */
  readonly url: Redacted.Redacted
  readonly applicationName?: string
  /** Connections, 10 unless told, and never less than three: a third of them is kept for searches, and one for commits. */
  readonly connections?: number
  /** How long the database may work on one statement, 5 seconds unless told; of that it may wait for a lock a fifth, a `commit` a twentieth. */
  readonly statementTimeout?: Duration.Input
  /** How many calls may wait for a connection or for their account, 2,000 unless told. */
  readonly maxWaiting?: number
  /** How long each of them waits, 5 seconds unless told, and at most a fifth longer. */
  readonly maxWait?: Duration.Input
}

export class Database extends Context.Service<
  Database,
  {
    /** Looks something up by a key. Asked again where a connection was lost over it. */
    readonly read: RunSql<StoreUnavailable>
    /** Looks for something among much, over connections of its own: planned for each question, and nobody's order waits for it. */
    readonly search: RunSql<StoreUnavailable>
    /**
     * Writes in one statement that is its own transaction. `LostRace`: nothing was written. `StoreUnavailable`: it may have been,
     * if the connection was lost in the wrong moment. Goes on to its end whatever becomes of the caller.
     */
    readonly write: RunSql<ConflictError | StoreUnavailable>
    /**
     * Writes like `write`, but over a connection where one follows the other, each a transaction by itself: the next is there when the
     * database has done with one, and it never works on two of them at once, which would both be done later and leave the instance
     * less of a processor that they share. Who is held up there holds up all who follow, and so is refused soon. Where the database
     * mostly waits for its disk, they go side by side instead and wait together, if there are connections enough.
     */
    readonly commit: RunSql<ConflictError | StoreUnavailable>
    /** One transaction over several statements. Its failures mean what those of `write` mean. */
    readonly transaction: Connections["transaction"]
    /** Hears what is notified on a channel, by whichever instance, over a connection of its own. */
    readonly listen: (
      channel: string
    ) => Effect.Effect<Queue.Dequeue<PgConnection.Notification, SqlError>, SqlError, Scope.Scope>
    /** Where all wait who wait for the database, for a connection or for one another. */
    readonly admission: AdmissionQueue
    /** One at a time for each key, within this process. */
    readonly runExclusive: <A, E, R>(
      key: string,
      work: (waited: boolean) => Effect.Effect<A, E, R>,
      visit?: Admission
    ) => Effect.Effect<A, E | StoreUnavailable, R>
  }
>()("backlinks/postgres/database/Database") {}

/** How much later than the database itself a caller stops waiting for it: then the network must be gone. */
const GRACE = Duration.seconds(2)

/** Of searches, enough to keep a connection busy. What is looked up for orders waits for nothing but its own answer. */
const SEARCHES_IN_A_ROW = 8

/** The part of a statement's time that it may wait for a lock: less where others follow, because whoever needs more can go alone. */
const LOCK_WAIT = 1 / 5
const LOCK_WAIT_IN_A_ROW = 1 / 20

const CONNECT_TIMEOUT = Duration.seconds(3)

const sessionDefaults = (timeoutMs: number, lockWait = LOCK_WAIT) => ({
  statement_timeout: `${timeoutMs}`,
  lock_timeout: `${Math.ceil(timeoutMs * lockWait)}`,
  idle_in_transaction_session_timeout: `${timeoutMs}`,
  default_transaction_isolation: "read committed",
  // Compiling pays for analysts' queries; ours are small.
  jit: "off",
  // Every table has an index for whatever is asked of it, and no disk of today is slower here than there.
  enable_seqscan: "off",
  random_page_cost: "1.1"
})

/**
 * Where everything is found by a key, one plan is right for whatever is asked, and it goes from row to row by indexes: what the
 * planner guesses of JSON that it has not seen cannot make it look through a whole table instead.
 */
const plansByKeys = {
  plan_cache_mode: "force_generic_plan",
  enable_hashjoin: "off",
  enable_mergejoin: "off"
}

const lookAgain = {
  times: 2,
  schedule: Schedule.jittered(Schedule.spaced("50 millis")),
  while: (error: SqlError | StoreUnavailable) => error._tag === "SqlError" && isConnectionLost(error)
}

const looking =
  ({ send }: Connections): RunSql<StoreUnavailable> =>
  (sql, params, visit) =>
    // A look loses a race only against a lock that it should not have to wait for.
    send(sql, params, visit).pipe(Effect.retry(lookAgain), classified, conflictAsUnavailable)

const writing =
  ({ send }: Connections): RunSql<ConflictError | StoreUnavailable> =>
  (sql, params, visit) =>
    Effect.uninterruptible(classified(send(sql, params, visit)))

const make = Effect.fnUntraced(function* (options: DatabaseOptions) {
  const connections = Math.max(3, options.connections ?? 10)
  const forSearches = Math.floor(connections / 3) || 1
  const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? "5 seconds")
  const deadline = Duration.sum(statementTimeout, GRACE)
  const room = yield* makeAdmissionQueue({
    capacity: options.maxWaiting ?? 2_000,
    maxWait: options.maxWait ?? "5 seconds"
  })
  const lanes = new KeyedMutex(room)
  const timeoutMs = Duration.toMillis(statementTimeout)
  const session: PgConnection.Config = {
    url: options.url,
    applicationName: options.applicationName ?? "backlinks",
    connectTimeout: CONNECT_TIMEOUT,
    keepAlive: "10 seconds",
    startupParameters: sessionDefaults(timeoutMs)
  }
  // Whoever starts the service is told why it cannot be: a pool's callers are only told to come again.
  yield* Effect.scoped(PgConnection.make(session))
  const byKeys = yield* openPool(
    { ...session, startupParameters: { ...session.startupParameters, ...plansByKeys } },
    { connections: connections - forSearches - 1, pipeline: 1, deadline, room }
  )
  const commits = yield* openPool(
    { ...session, startupParameters: { ...sessionDefaults(timeoutMs, LOCK_WAIT_IN_A_ROW), ...plansByKeys } },
    { connections: 1, pipeline: MAX_CONCURRENT_BATCHES, deadline, room }
  )
  const searches = yield* openPool(session, { connections: forSearches, pipeline: SEARCHES_IN_A_ROW, deadline, room })
  yield* registerPoolGauges("orders", byKeys.stats)
  yield* registerPoolGauges("commits", commits.stats)
  yield* registerPoolGauges("searches", searches.stats)
  yield* registerAdmissionGauges(room)

  return Database.of({
    read: looking(byKeys),
    search: looking(searches),
    write: writing(byKeys),
    commit:
      byKeys.stats.size > MAX_CONCURRENT_BATCHES
        ? makeCommitStrategy(writing(commits), writing(byKeys))
        : writing(commits),
    transaction: byKeys.transaction,
    listen: (channel) => Effect.flatMap(PgConnection.make(session), (connection) => connection.listen(channel)),
    admission: room,
    runExclusive: (key, work, visit) => lanes.run(key, work, visit)
  })
})

export const layer = (options: DatabaseOptions): Layer.Layer<Database, SqlError> =>
  Layer.effect(Database, make(options))
