// Applies the missing migration steps, in one transaction under an advisory lock: instances that start together wait for each other.
import { readFileSync } from "node:fs"
import { Duration, Effect, Schema } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { SHELVES } from "#core/domain/Shelf.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import type { RunSql } from "./Connections.ts"
import { Database } from "./Database.ts"
import { type ConflictError, isForbidden, unavailable } from "./SqlErrors.ts"

/** In order. Steps are never changed once they are released. */
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
  "010_locality",
  "011_adjustments"
] as const

/** A newer version of the service has migrated this database, and this one would misread its rows. The only way back is a backup. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", { step: Schema.String }) {}

/** A standby, or a database that its provider made read-only because the disk is full. */
export class DatabaseReadOnly extends Schema.TaggedError<DatabaseReadOnly>()("DatabaseReadOnly", {}) {}

const KNOWN: ReadonlySet<unknown> = new Set(STEPS)

/** An arbitrary number that no other application on the database uses. */
const LOCK = "4927380164"

const script = (step: string): string => readFileSync(new URL(`../migrations/${step}.sql`, import.meta.url), "utf8")

const selectReadOnly = `SELECT current_setting('transaction_read_only') AS "readOnly"`

type RunInTransaction = RunSql<ConflictError | StoreUnavailable>

const apply = (run: RunInTransaction, step: string) =>
  Effect.andThen(
    // A prepared statement cannot hold several statements, but EXECUTE within a function can.
    run("SELECT pg_temp.run_script($1)", [script(step)]),
    run("INSERT INTO schema_steps (step) VALUES ($1)", [step])
  )

/** The first or last entry of the index `sites_of_shelf_by_price` from this shelf on: one of the shelf's own sites, if it has any. */
const endOf = (comparison: ">=" | "<=", direction: "ASC" | "DESC"): string =>
  `(SELECT s.shelf, s.price_cents FROM sites s WHERE s.open AND s.shelf ${comparison} today.shelf
    ORDER BY s.shelf ${direction}, s.price_cents ${direction} LIMIT 1)`

const TODAY = "unnest($1::text[], $2::bigint[]) AS today (shelf, price_cents)"

/** Whether the cheapest or the dearest site of a shelf has another price than the shelf's current one. If not, none has. */
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
 * Updates the sites' prices if this version of the service has other prices for a shelf. Closed sites are in no list; they get their
 * price when they are opened again.
 */
const reprice = Effect.fnUntraced(function* (run: RunInTransaction) {
  const prices = [SHELVES.map(({ shelf }) => shelf), SHELVES.map(({ priceCents }) => priceCents)]
  if ((yield* run(outdated, prices)).length > 0) yield* run(setPrices, prices)
})

type MigrationFault = DatabaseReadOnly | DatabaseTooNew | SqlError | StoreUnavailable

export const migrate: Effect.Effect<void, MigrationFault, Database> = Effect.gen(function* () {
  const database = yield* Database
  const steps = database.transaction(
    Effect.fnUntraced(function* (run) {
      // Checked first: the steps themselves would fail with a plain `StoreUnavailable`.
      const [session] = yield* run(selectReadOnly, [])
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
    // No time limit, for large tables or another instance's migration: an aborted one would start from the beginning.
    Duration.infinity
  )
  yield* steps.pipe(
    Effect.catchTag("ConflictError", () => Effect.fail(unavailable)),
    // Missing privileges are the operator's to fix, so they are no defect of the service.
    Effect.catchDefect((defect) =>
      isSqlError(defect) && isForbidden(defect) ? Effect.fail(defect) : Effect.die(defect)
    )
  )
})
