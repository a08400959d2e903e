// A clock per test database that a test can set forward. Functions of the same names shadow SQL's own, so that the store's statements and
// all instances on the database use it unchanged.
import { Effect, type Redacted } from "effect"
import { type Follower, MovableClock } from "#test/scenarios/MovableClock.ts"
import { execute, freshDatabase } from "./TestDatabase.ts"

// A sequence is not part of any snapshot, so every statement sees its latest value. It is negative once real time has passed the day on
// which tests begin.
const AHEAD = `CREATE SEQUENCE clock_ahead_ms MINVALUE ${Number.MIN_SAFE_INTEGER} START 0`

/** A function of the same name that shadows the built-in one. */
const clock = (name: string): string => `
CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT pg_catalog.${name}() + (SELECT last_value FROM public.clock_ahead_ms) * interval '1 millisecond'
$$`

const CLOCKS = ["clock_timestamp", "statement_timestamp", "transaction_timestamp", "now"].map(clock)

/** Applies to connections that are opened later. */
const SEARCH_PATH = `
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
END $$`

/** Has to run before the connections that are to have this time are opened. */
const movableTime = (url: Redacted.Redacted): Effect.Effect<Follower> =>
  Effect.as(Effect.orDie(execute(url, AHEAD, ...CLOCKS, SEARCH_PATH)), (aheadMs) =>
    Effect.asVoid(Effect.orDie(execute(url, `SELECT setval('clock_ahead_ms', ${aheadMs})`)))
  )

/** The address of a new and empty database whose clock follows the test's. */
export const databaseInTime: Effect.Effect<Redacted.Redacted, never, MovableClock> = Effect.gen(function* () {
  const url = yield* freshDatabase
  const { lead } = yield* MovableClock
  yield* lead(yield* movableTime(url))
  return url
})
