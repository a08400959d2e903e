// The way to the database, with limits of time and number: look, search, write, or several statements in one transaction. What
// they say is decided elsewhere.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Context, Duration, Effect, Layer, type Queue, type Redacted, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { commitLane } from "./CommitLane.ts"
import { type Connections, explained, open, type Run } from "./Connections.ts"
import { FLIGHTS } from "./Flights.ts"
import { Lanes, type Visit } from "./Gate.ts"
import { showPool, showRoom } from "./PoolGauges.ts"
import { isConnectionLost, type LostRace, withoutRace } from "./SqlFaults.ts"
import { type WaitingRoom, waitingRoom } from "./WaitingRoom.ts"

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, and whatever else libpq allows in it. */
  readonly url: Redacted.Redacted
  readonly applicationName?: string
  /** Connections, 10 unless told, and never less than three: a third of them is kept for searches, and one for commits. */
  readonly connections?: number
  /** How long the database may work on one statement, 5 seconds unless told; of that it may wait for a lock a fifth, a `commit` a twentieth. */
  readonly statementTimeout?: Duration.Input
  /** How many calls may wait for a connection or for their account, 2,000 unless told. */
  readonly waiting?: number
  /** How long each of them waits, 5 seconds unless told, and at most a fifth longer. */
  readonly patience?: Duration.Input
}

export class Database extends Context.Service<
  Database,
  {
    /** Looks something up by a key. Asked again where a connection was lost over it. */
    readonly read: Run<StoreUnavailable>
    /** Looks for something among much, over connections of its own: planned for each question, and nobody's order waits for it. */
    readonly search: Run<StoreUnavailable>
    /**
     * Writes in one statement that is its own transaction. `LostRace`: nothing was written. `StoreUnavailable`: it may have been,
     * if the connection was lost in the wrong moment. Goes on to its end whatever becomes of the caller.
     */
    readonly write: Run<LostRace | StoreUnavailable>
    /**
     * Writes like `write`, but over a connection where one follows the other, each a transaction by itself: the next is there when the
     * database has done with one, and it never works on two of them at once, which would both be done later and leave the instance
     * less of a processor that they share. Who is held up there holds up all who follow, and so is refused soon. Where the database
     * mostly waits for its disk, they go side by side instead and wait together, if there are connections enough.
     */
    readonly commit: Run<LostRace | StoreUnavailable>
    /** One transaction over several statements. Its failures mean what those of `write` mean. */
    readonly transaction: Connections["transaction"]
    /** Hears what is notified on a channel, by whichever instance, over a connection of its own. */
    readonly listen: (
      channel: string
    ) => Effect.Effect<Queue.Dequeue<PgConnection.Notification, SqlError>, SqlError, Scope.Scope>
    /** Where all wait who wait for the database, for a connection or for one another. */
    readonly room: WaitingRoom
    /** One at a time for each key, within this process. */
    readonly inTurn: <A, E, R>(
      key: string,
      work: (waited: boolean) => Effect.Effect<A, E, R>,
      visit?: Visit
    ) => Effect.Effect<A, E | StoreUnavailable, R>
  }
>()("backlinks/postgres/Database") {}

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
  ({ send }: Connections): Run<StoreUnavailable> =>
  (sql, params, visit) =>
    // A look loses a race only against a lock that it should not have to wait for.
    send(sql, params, visit).pipe(Effect.retry(lookAgain), explained, withoutRace)

const writing =
  ({ send }: Connections): Run<LostRace | StoreUnavailable> =>
  (sql, params, visit) =>
    Effect.uninterruptible(explained(send(sql, params, visit)))

const make = Effect.fnUntraced(function* (options: DatabaseOptions) {
  const connections = Math.max(3, options.connections ?? 10)
  const forSearches = Math.floor(connections / 3) || 1
  const statementTimeout = Duration.fromInputUnsafe(options.statementTimeout ?? "5 seconds")
  const deadline = Duration.sum(statementTimeout, GRACE)
  const room = yield* waitingRoom({ seats: options.waiting ?? 2_000, patience: options.patience ?? "5 seconds" })
  const lanes = new Lanes(room)
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
  const byKeys = yield* open(
    { ...session, startupParameters: { ...session.startupParameters, ...plansByKeys } },
    { connections: connections - forSearches - 1, pipeline: 1, deadline, room }
  )
  const commits = yield* open(
    { ...session, startupParameters: { ...sessionDefaults(timeoutMs, LOCK_WAIT_IN_A_ROW), ...plansByKeys } },
    { connections: 1, pipeline: FLIGHTS, deadline, room }
  )
  const searches = yield* open(session, { connections: forSearches, pipeline: SEARCHES_IN_A_ROW, deadline, room })
  yield* showPool("orders", byKeys.figures)
  yield* showPool("commits", commits.figures)
  yield* showPool("searches", searches.figures)
  yield* showRoom(room)

  return Database.of({
    read: looking(byKeys),
    search: looking(searches),
    write: writing(byKeys),
    commit: byKeys.figures.size > FLIGHTS ? commitLane(writing(commits), writing(byKeys)) : writing(commits),
    transaction: byKeys.transaction,
    listen: (channel) => Effect.flatMap(PgConnection.make(session), (connection) => connection.listen(channel)),
    room,
    inTurn: (key, work, visit) => lanes.pass(key, work, visit)
  })
})

export const layer = (options: DatabaseOptions): Layer.Layer<Database, SqlError> =>
  Layer.effect(Database, make(options))
