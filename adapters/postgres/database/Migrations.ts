// Creates the schema or brings it to this version, in one transaction under an advisory lock: instances that start together wait for each
// other.
import { Duration, Effect, Schema } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { Article } from "#core/domain/catalogue/Catalogue.ts"
import { foldedKeywords } from "#core/domain/catalogue/SiteFilters.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ADVISORY_LOCKS } from "./AdvisoryLocks.ts"
import type { RunWrite } from "./Connections.ts"
import { Database } from "./Database.ts"
import type { DatabaseRefuses, SessionsNotKept } from "./FirstSessions.ts"
import {
  BASELINE,
  DatabaseDiffers,
  type DatabaseTooNew,
  type DatabaseTooOld,
  planMigration,
  readStep,
  STEPS,
  type Step
} from "./MigrationSteps.ts"
import { bigintArray, decodeRows } from "./Queries.ts"
import { readSchema, type SchemaText } from "./SchemaTexts.ts"
import { isForbidden, isOfAnotherSchema, reasonOf, unavailable } from "./SqlErrors.ts"

/** A standby, or a database that its provider made read-only because the disk is full. */
export class DatabaseReadOnly extends Schema.TaggedError<DatabaseReadOnly>()("DatabaseReadOnly", {}) {}

const selectReadOnly = `SELECT current_setting('transaction_read_only') AS "readOnly"`

/** A prepared statement cannot hold several statements, but EXECUTE within a function can. */
const RUN_SCRIPT = `
CREATE OR REPLACE FUNCTION pg_temp.run_script(script text) RETURNS void LANGUAGE plpgsql
AS $$ BEGIN EXECUTE script; END $$`

const runScript = (run: RunWrite, { script }: { readonly script: string }) =>
  run("SELECT pg_temp.run_script($1)", [script])

const storeSteps = (run: RunWrite, steps: ReadonlyArray<{ readonly step: string; readonly sha256: string }>) =>
  run("INSERT INTO schema_steps (step, sha256) SELECT * FROM unnest($1::text[], $2::text[])", [
    steps.map(({ step }) => step),
    steps.map(({ sha256 }) => sha256)
  ])

const selectTables = `
SELECT to_regclass('schema_steps') IS NOT NULL AS "hasSteps", to_regclass('schema_definitions') IS NOT NULL AS "hasDefinitions"`

const tablesOf = decodeRows(Schema.Struct({ hasSteps: Schema.Boolean, hasDefinitions: Schema.Boolean }))
const storedSteps = decodeRows(Schema.Struct({ step: Schema.String, sha256: Schema.NullOr(Schema.String) }))
const storedDefinitions = decodeRows(Schema.Struct({ name: Schema.String, sha256: Schema.String }))

/** Makes all tables of a new database, as they are after every step. */
const create = Effect.fnUntraced(function* (run: RunWrite, { creation, definitions }: ReturnType<typeof readSchema>) {
  for (const text of creation) yield* runScript(run, text)
  yield* storeSteps(run, [BASELINE, ...STEPS.map(readStep)])
  yield* storeDefinitions(run, definitions)
})

const storeDefinitions = (run: RunWrite, definitions: ReadonlyArray<SchemaText>) =>
  run(
    `INSERT INTO schema_definitions SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name) DO UPDATE SET sha256 = EXCLUDED.sha256`,
    [definitions.map(({ name }) => name), definitions.map(({ sha256 }) => sha256)]
  )

/** Replaces the definitions that have another text, and after a step all of them: it may have dropped a view or added a column. */
const replaceDefinitions = Effect.fnUntraced(function* (
  run: RunWrite,
  definitions: ReadonlyArray<SchemaText>,
  afterStep: boolean
) {
  const stored = storedDefinitions(yield* run("SELECT name, sha256 FROM schema_definitions", []))
  const hashes = new Map(stored.map(({ name, sha256 }) => [name, sha256]))
  const outdated = definitions.filter(({ name, sha256 }) => afterStep || hashes.get(name) !== sha256)
  const gone = [...hashes.keys()].filter((stored) => !definitions.some(({ name }) => name === stored))
  for (const text of outdated) yield* runScript(run, text)
  if (outdated.length > 0) yield* storeDefinitions(run, outdated)
  if (gone.length > 0) yield* run("DELETE FROM schema_definitions WHERE name = ANY ($1::text[])", [gone])
})

/** A step over large tables takes minutes: how long it took stands in the log. */
const apply = Effect.fnUntraced(function* (run: RunWrite, step: Step) {
  const [took] = yield* Effect.timed(runScript(run, step))
  yield* storeSteps(run, [step])
  yield* Effect.logInfo("step of the schema applied", { step: step.step, tookMs: Math.round(Duration.toMillis(took)) })
})

/** Creates the schema, or brings it to this version. */
const update = Effect.fnUntraced(function* (run: RunWrite) {
  const schema = readSchema()
  const [tables] = tablesOf(yield* run(selectTables, []))
  // The oldest databases have no column for hashes.
  const selectSteps = "SELECT step, to_jsonb(s) ->> 'sha256' AS sha256 FROM schema_steps s"
  const stored = tables?.hasSteps === true ? storedSteps(yield* run(selectSteps, [])) : []
  const missing = stored.length === 0 ? [] : yield* Effect.fromResult(planMigration(STEPS.map(readStep), stored))
  yield* run(RUN_SCRIPT, [])
  // Functions name each other and tables in no order.
  yield* run("SET LOCAL check_function_bodies = off", [])
  if (tables?.hasDefinitions !== true) yield* runScript(run, schema.bookkeeping)
  if (stored.length === 0) return yield* create(run, schema)
  for (const step of missing) yield* apply(run, step)
  yield* replaceDefinitions(run, schema.definitions, missing.length > 0)
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

const UNFOLDED_PAGE = 5_000

/** An article that another session writes gets its keywords folded by that. */
const unfolded = `SELECT article_id AS "articleId", keywords FROM articles WHERE keywords_folded IS NULL
  LIMIT ${UNFOLDED_PAGE} FOR NO KEY UPDATE SKIP LOCKED`

const setKeywords = `
UPDATE articles SET keywords_folded = folded.keywords
FROM unnest($1::bigint[], $2::text[]) AS folded (article_id, keywords) WHERE articles.article_id = folded.article_id`

const decodeUnfolded = decodeRows(Schema.Struct({ articleId: Schema.BigInt, keywords: Article.fields.keywords }))

/**
 * Folds the keywords of articles that a version from before step 061 listed, some in a transaction: instances beside this one go on meanwhile,
 * and only do not find these articles by their keywords.
 */
const foldKeywords = Effect.fnUntraced(function* (database: Database["Service"]) {
  const some = database.transaction(
    Effect.fnUntraced(function* (run) {
      const found = decodeUnfolded(yield* run(unfolded, []))
      if (found.length > 0)
        yield* run(setKeywords, [
          bigintArray(found.map(({ articleId }) => Number(articleId))),
          found.map(foldedKeywords)
        ])
      return found.length
    }),
    Duration.minutes(1)
  )
  while ((yield* some) > 0) yield* Effect.yieldNow
})

export type MigrationFault =
  | DatabaseDiffers
  | DatabaseReadOnly
  | DatabaseRefuses
  | DatabaseTooNew
  | DatabaseTooOld
  | SessionsNotKept
  | SqlError
  | StoreUnavailable

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
      yield* update(run)
      for (const statement of statements) yield* check(run, statement)
      yield* reprice(run)
    }),
    // No time limit, for large tables or another instance's migration: an aborted one would start from the beginning.
    Duration.infinity
  )
  yield* Effect.andThen(steps, foldKeywords(database)).pipe(
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
