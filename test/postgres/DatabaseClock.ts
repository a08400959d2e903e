// The clock of one test database, which a test may set forward. The store asks its database what time it is, by SQL's own
// functions; in a database that this was done to, their names find others first. No statement of the store knows of it, and every
// instance on the database sees the same time.
import { Effect, type Redacted } from "effect"
import { type Follower, MovableClock } from "#test/scenarios/MovableClock.ts"
import { execute, freshDatabase } from "./TestDatabase.ts"

// A sequence is no part of any snapshot: as with a real clock, whoever looks sees the latest. Once real time has gone past the day
// on which tests begin, it is behind.
const AHEAD = `CREATE SEQUENCE clock_ahead_ms MINVALUE ${Number.MIN_SAFE_INTEGER} START 0`

/** The time by another name, as far ahead. */
const clock = (name: string): string => `
CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT pg_catalog.${name}() + (SELECT last_value FROM public.clock_ahead_ms) * interval '1 millisecond'
$$`

const CLOCKS = ["clock_timestamp", "statement_timestamp", "transaction_timestamp", "now"].map(clock)

/** For connections that are opened from now on. */
const FOUND_FIRST = `
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
END $$`

/** To be done before anybody connects who is to see this time. */
const movableTime = (url: Redacted.Redacted): Effect.Effect<Follower> =>
  Effect.as(Effect.orDie(execute(url, AHEAD, ...CLOCKS, FOUND_FIRST)), (aheadMs) =>
    Effect.asVoid(Effect.orDie(execute(url, `SELECT setval('clock_ahead_ms', ${aheadMs})`)))
  )

/** The address of a new and empty database that lives in the time of the tests. */
export const databaseInTime: Effect.Effect<Redacted.Redacted, never, MovableClock> = Effect.gen(function* () {
  const url = yield* freshDatabase
  const { lead } = yield* MovableClock
  yield* lead(yield* movableTime(url))
  return url
})
