// A clock per test database that a test can set forward. Functions of the same names shadow SQL's own, so that the store's statements and
// all instances on the database use it unchanged.
import { Effect, type Redacted } from "effect"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { copiesAfter } from "./MigratedDatabase.ts"
import { execute } from "./TestDatabase.ts"

// A sequence is not part of any snapshot, so every statement sees its latest value. It is negative once real time has passed the day on
// which tests begin.
const AHEAD = `CREATE SEQUENCE clock_ahead_ms MINVALUE ${Number.MIN_SAFE_INTEGER} START 0`

/** A function of the same name that shadows the built-in one. */
const clock = (name: string): string => `
CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT pg_catalog.${name}() + (SELECT last_value FROM public.clock_ahead_ms) * interval '1 millisecond'
$$`

const CLOCKS = ["clock_timestamp", "statement_timestamp", "transaction_timestamp", "now"].map(clock)

/** The clocks of the test come before SQL's own. */
const SEARCH_PATH = "search_path = public, pg_catalog"

/** For the migration, whose steps must see the same clock. */
const SET_SEARCH_PATH = `
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET ${SEARCH_PATH}', current_database());
END $$`

const migrated = copiesAfter({ statements: [AHEAD, ...CLOCKS, SET_SEARCH_PATH], settings: [SEARCH_PATH] })

/** The address of a new database with an empty store, whose clock follows the test's. */
export const databaseInTime: Effect.Effect<Redacted.Redacted, never, MovableClock> = Effect.gen(function* () {
  const url = yield* migrated
  const { lead } = yield* MovableClock
  yield* lead((aheadMs) => Effect.asVoid(Effect.orDie(execute(url, `SELECT setval('clock_ahead_ms', ${aheadMs})`))))
  return url
})
