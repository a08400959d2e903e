// Brings the tables up to what this version of the service needs. Each step is a file, applied once and in order, all missing ones
// in one transaction under one lock: instances that start together wait for each other, and half a step is never there.
import { readFileSync } from "node:fs"
import { Duration, Effect, Schema } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { SHELVES } from "#core/domain/Shelf.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import type { RunSql } from "./Connections.ts"
import { Database } from "./Database.ts"
import { type ConflictError, isForbidden, unavailable } from "./SqlErrors.ts"

/** In order; a step is never changed once it is released. */
const STEPS = [
  "001_accounts",
  "002_catalogue",
  "003_orders",
  "004_deliveries",
  "005_offer",
  "006_commit",
  "007_operator",
  "008_rows",
  "009_indexes",
  "010_locality"
] as const

/** A newer version has been at work here: this one would misread what that one wrote. There is no step back but a dump. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", { step: Schema.String }) {}

/** A standby, or a database that was made read-only, as providers do when its disk is full. */
export class DatabaseReadOnly extends Schema.TaggedError<DatabaseReadOnly>()("DatabaseReadOnly", {}) {}

const KNOWN: ReadonlySet<unknown> = new Set(STEPS)

/** Chosen once, so that nothing else in the database takes it. */
const LOCK = "4927380164"

const script = (step: string): string => readFileSync(new URL(`../migrations/${step}.sql`, import.meta.url), "utf8")

const askReadOnly = `SELECT current_setting('transaction_read_only') AS "readOnly"`

type Within = RunSql<ConflictError | StoreUnavailable>

const apply = (run: Within, step: string) =>
  Effect.andThen(
    // One statement may not hold several, but one that is executed inside another may.
    run("SELECT pg_temp.run_script($1)", [script(step)]),
    run("INSERT INTO schema_steps (step) VALUES ($1)", [step])
  )

/** The first or the last of the open sites in `sites_of_shelf_by_price`, counted from this shelf: on it, if it has any. */
const endOf = (comparison: ">=" | "<=", direction: "ASC" | "DESC"): string =>
  `(SELECT s.shelf, s.price_cents FROM sites s WHERE s.open AND s.shelf ${comparison} today.shelf
    ORDER BY s.shelf ${direction}, s.price_cents ${direction} LIMIT 1)`

const TODAY = "unnest($1::text[], $2::bigint[]) AS today (shelf, price_cents)"

/** Whether the cheapest or the dearest site of a shelf has another price than today's. If not, none has. */
const outdated = `
SELECT FROM ${TODAY}
WHERE EXISTS (
  SELECT FROM (${endOf(">=", "ASC")} UNION ALL ${endOf("<=", "DESC")}) found
  WHERE found.shelf = today.shelf AND found.price_cents <> today.price_cents
)`

const setPrices = `
WITH repriced AS (
  UPDATE sites SET price_cents = today.price_cents FROM ${TODAY}
  WHERE sites.open AND sites.shelf = today.shelf AND sites.price_cents <> today.price_cents RETURNING 1
)
UPDATE shop SET catalogue = catalogue || '+' WHERE EXISTS (SELECT FROM repriced)`

/**
 * Prices are the shelf's, and a shelf may have another price in this version than in the one that listed a site. Only then are the
 * sites gone through. Closed ones are in no list, and get their price with the listing that opens them.
 */
const reprice = Effect.fnUntraced(function* (run: Within) {
  const prices = [SHELVES.map(({ shelf }) => shelf), SHELVES.map(({ priceCents }) => priceCents)]
  if ((yield* run(outdated, prices)).length > 0) yield* run(setPrices, prices)
})

type MigrationFault = DatabaseReadOnly | DatabaseTooNew | SqlError | StoreUnavailable

export const migrate: Effect.Effect<void, MigrationFault, Database> = Effect.gen(function* () {
  const database = yield* Database
  const steps = database.transaction(
    Effect.fnUntraced(function* (run) {
      // Asked first: the steps themselves would only be told to come again.
      const [session] = yield* run(askReadOnly, [])
      if (session?.["readOnly"] === "on") return yield* new DatabaseReadOnly()
      yield* run("SET LOCAL statement_timeout = 0", [])
      yield* run("SET LOCAL lock_timeout = 0", [])
      yield* run("SELECT pg_advisory_xact_lock($1::bigint)", [LOCK])
      yield* run(
        "CREATE TABLE IF NOT EXISTS schema_steps (step text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
        []
      )
      yield* run(
        `CREATE OR REPLACE FUNCTION pg_temp.run_script(script text) RETURNS void LANGUAGE plpgsql
         AS $$ BEGIN EXECUTE script; END $$`,
        []
      )
      const applied = new Set((yield* run("SELECT step FROM schema_steps", [])).map(({ step }) => step))
      for (const step of applied) if (!KNOWN.has(step)) return yield* new DatabaseTooNew({ step: String(step) })
      for (const step of STEPS.filter((step) => !applied.has(step))) yield* apply(run, step)
      yield* reprice(run)
    }),
    // However long a large shop takes, or another instance that is at it: given up, the next start would have to begin anew.
    Duration.infinity
  )
  yield* steps.pipe(
    Effect.catchTag("ConflictError", () => Effect.fail(unavailable)),
    // Whoever made the database is to be told, and not of a mistake of the service.
    Effect.catchDefect((defect) =>
      isSqlError(defect) && isForbidden(defect) ? Effect.fail(defect) : Effect.die(defect)
    )
  )
})
