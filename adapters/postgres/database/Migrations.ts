// Applies the missing migration steps, in one transaction under an advisory lock: instances that start together wait for each other.
import { Duration, Effect, Schema } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ADVISORY_LOCKS } from "./AdvisoryLocks.ts"
import type { RunWrite } from "./Connections.ts"
import { Database } from "./Database.ts"
import { DatabaseDiffers, type DatabaseTooNew, planMigration, readStep, STEPS, type Step } from "./MigrationSteps.ts"
import { decodeRows } from "./Queries.ts"
import { isForbidden, isOfAnotherSchema, reasonOf, unavailable } from "./SqlErrors.ts"

/** A standby, or a database that its provider made read-only because the disk is full. */
export class DatabaseReadOnly extends Schema.TaggedError<DatabaseReadOnly>()("DatabaseReadOnly", {}) {}

const selectReadOnly = `SELECT current_setting('transaction_read_only') AS "readOnly"`

const apply = (run: RunWrite, { step, script, sha256 }: Step) =>
  Effect.andThen(
    // A prepared statement cannot hold several statements, but EXECUTE within a function can.
    run("SELECT pg_temp.run_script($1)", [script]),
    run("INSERT INTO schema_steps (step, sha256) VALUES ($1, $2)", [step, sha256])
  )

const hasHashes = "SELECT FROM pg_attribute WHERE attrelid = 'schema_steps'::regclass AND attname = 'sha256'"

const storedSteps = decodeRows(Schema.Struct({ step: Schema.String, sha256: Schema.NullOr(Schema.String) }))

/** The stored steps. Databases of earlier versions get the column for hashes. */
const readStoredSteps = Effect.fnUntraced(function* (run: RunWrite) {
  yield* run(
    `CREATE TABLE IF NOT EXISTS schema_steps (
      step text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), sha256 text
    )`,
    []
  )
  // Only where it is missing: the statement locks out the readiness probes of other instances.
  if ((yield* run(hasHashes, [])).length === 0) yield* run("ALTER TABLE schema_steps ADD COLUMN sha256 text", [])
  return storedSteps(yield* run("SELECT step, sha256 FROM schema_steps", []))
})

/** A statement that the schema does not fit fails here, and not in a running service. */
const check = (run: RunWrite, statement: string) =>
  Effect.andThen(run(`PREPARE checked AS ${statement}`, []), run("DEALLOCATE checked", []))

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
const reprice = Effect.fnUntraced(function* (run: RunWrite) {
  const prices = [SHELVES.map(({ shelf }) => shelf), SHELVES.map(({ priceCents }) => priceCents)]
  if ((yield* run(outdated, prices)).length > 0) yield* run(setPrices, prices)
})

export type MigrationFault = DatabaseDiffers | DatabaseReadOnly | DatabaseTooNew | SqlError | StoreUnavailable

/** `statements` are those of background jobs: the schema has to fit them before the service says that it is ready. */
export const migrate = Effect.fnUntraced(function* (
  statements: ReadonlyArray<string>
): Effect.fn.Return<void, MigrationFault, Database> {
  const database = yield* Database
  const steps = database.transaction(
    Effect.fnUntraced(function* (run) {
      // Checked first: the steps themselves would fail with a plain `StoreUnavailable`.
      const [session] = yield* run(selectReadOnly, [])
      if (session?.["readOnly"] === "on") return yield* new DatabaseReadOnly()
      yield* run("SET LOCAL statement_timeout = 0", [])
      yield* run("SET LOCAL lock_timeout = 0", [])
      yield* run("SELECT pg_advisory_xact_lock($1::bigint)", [ADVISORY_LOCKS.migrations])
      yield* run(
        `CREATE OR REPLACE FUNCTION pg_temp.run_script(script text) RETURNS void LANGUAGE plpgsql
         AS $$ BEGIN EXECUTE script; END $$`,
        []
      )
      const stored = yield* readStoredSteps(run)
      const { missing, withoutHash } = yield* Effect.fromResult(planMigration(STEPS.map(readStep), stored))
      for (const { step, sha256 } of withoutHash) {
        yield* run("UPDATE schema_steps SET sha256 = $2 WHERE step = $1", [step, sha256])
      }
      for (const step of missing) yield* apply(run, step)
      for (const statement of statements) yield* check(run, statement)
      yield* reprice(run)
    }),
    // No time limit, for large tables or another instance's migration: an aborted one would start from the beginning.
    Duration.infinity
  )
  yield* steps.pipe(
    Effect.catchTag("ConflictError", () => Effect.fail(unavailable)),
    Effect.catchDefect((defect): Effect.Effect<never, DatabaseDiffers | SqlError> => {
      if (!isSqlError(defect)) return Effect.die(defect)
      // Missing privileges are the operator's to fix, so they are no defect of the service.
      if (isForbidden(defect)) return Effect.fail(defect)
      const difference = `A statement of this version does not fit it: ${reasonOf(defect)}.`
      return isOfAnotherSchema(defect) ? Effect.fail(new DatabaseDiffers({ difference })) : Effect.die(defect)
    })
  )
})
