// Creates the schema or brings it to this version, under an advisory lock: instances that start together wait for each other. Each step is a
// transaction, so that older instances wait for no more than one at a time; they go on until the last one has made all steps known.
import { Duration, Effect, Schedule, Schema } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ADVISORY_LOCKS } from "./AdvisoryLocks.ts"
import { foldKeywords, reprice } from "./CatalogueUpkeep.ts"
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
import { decodeRows } from "./Queries.ts"
import { readSchema, type SchemaText } from "./SchemaTexts.ts"
import { type ConflictError, conflictAsUnavailable, isForbidden, isOfAnotherSchema, reasonOf } from "./SqlErrors.ts"

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

/** Read from the catalog's tables: `to_regclass` may tell what this session knew of them before it waited for the lock. */
const found = `
SELECT coalesce(bool_or(relname = 'schema_steps'), false) AS "hasSteps",
  coalesce(bool_or(relname = 'schema_definitions'), false) AS "hasDefinitions",
  coalesce(bool_or(relname = 'schema_steps_ahead'), false) AS "hasAhead",
  EXISTS (
    SELECT FROM pg_proc WHERE proname = 'define_writes_of' AND pronamespace = current_schema()::regnamespace
  ) AS "derivesWrites"
FROM pg_class WHERE relnamespace = current_schema()::regnamespace`

const foundOf = decodeRows(
  Schema.Struct({
    hasSteps: Schema.Boolean,
    hasDefinitions: Schema.Boolean,
    hasAhead: Schema.Boolean,
    /** Whether it can make the functions again by which older instances write: since step 051. */
    derivesWrites: Schema.Boolean
  })
)
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
  yield* run("INSERT INTO schema_steps_ahead (step, sha256) VALUES ($1, $2)", [step.step, step.sha256])
  yield* Effect.logInfo("step of the schema applied", { step: step.step, tookMs: Math.round(Duration.toMillis(took)) })
})

/** Older instances go on writing by the functions that the database has, which a step that adds a column would break. */
const redefineWrites = `
SELECT define_writes_of(c.relname, c.relname) FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND to_regproc('write_' || c.relname) IS NOT NULL`

/** The steps that the database has, also of a migration that has not ended: those of another version's are left to it. */
const readSteps = Effect.fnUntraced(function* (run: RunWrite) {
  const [tables] = foundOf(yield* run(found, []))
  if (tables?.hasSteps !== true) return { tables, stored: [], missing: [] }
  // The oldest databases have no column for hashes.
  const stored = storedSteps(yield* run("SELECT step, to_jsonb(s) ->> 'sha256' AS sha256 FROM schema_steps s", []))
  const ahead = tables.hasAhead ? storedSteps(yield* run("SELECT step, sha256 FROM schema_steps_ahead", [])) : []
  const applied = [...stored, ...ahead.filter(({ step }) => STEPS.includes(step))]
  const missing = stored.length === 0 ? [] : yield* Effect.fromResult(planMigration(STEPS.map(readStep), applied))
  return { tables, stored, missing }
})

const prepareScripts = Effect.fnUntraced(function* (run: RunWrite) {
  yield* run(RUN_SCRIPT, [])
  // Functions name each other and tables in no order.
  yield* run("SET LOCAL check_function_bodies = off", [])
})

/** Applies the first step that is missing; `false` if none is, or if all need the functions of this version at once. */
const applyNext = Effect.fnUntraced(function* (run: RunWrite) {
  const { tables, missing } = yield* readSteps(run)
  const [next] = missing
  if (next === undefined || tables?.derivesWrites !== true) return false
  yield* prepareScripts(run)
  yield* runScript(run, readSchema().bookkeeping)
  yield* apply(run, next)
  yield* run(redefineWrites, [])
  return true
})

const endSteps = `
WITH ended AS (DELETE FROM schema_steps_ahead WHERE step = ANY ($1::text[]) RETURNING step, sha256)
INSERT INTO schema_steps (step, sha256) SELECT step, sha256 FROM ended RETURNING step`

/** Creates the schema, or ends its migration: from now on older instances see that it is newer. */
const finish = Effect.fnUntraced(function* (run: RunWrite) {
  const schema = readSchema()
  const { tables, stored, missing } = yield* readSteps(run)
  yield* prepareScripts(run)
  if (tables?.hasAhead !== true || !tables.hasDefinitions) yield* runScript(run, schema.bookkeeping)
  if (stored.length === 0) return yield* create(run, schema)
  // All steps of an old database are this one transaction: to begin it again costs more than to wait.
  if (tables?.derivesWrites !== true) yield* run("SET LOCAL lock_timeout = 0", [])
  for (const step of missing) yield* apply(run, step)
  const ended = yield* run(endSteps, [STEPS])
  yield* replaceDefinitions(run, schema.definitions, ended.length > 0)
})

/** A statement that the schema does not fit fails here, and not in a running service. */
const check = (run: RunWrite, statement: string) =>
  Effect.andThen(run(`PREPARE checked AS ${statement}`, []), run("DEALLOCATE checked", []))

export type MigrationFault =
  | DatabaseDiffers
  | DatabaseReadOnly
  | DatabaseRefuses
  | DatabaseTooNew
  | DatabaseTooOld
  | SessionsNotKept
  | SqlError
  | StoreUnavailable

/**
 * How long a step waits for a lock, while all that comes after it waits for the step: older instances notice no more of it. Longer than
 * `deadlock_timeout`, after which PostgreSQL ends an autovacuum that holds the lock.
 */
const LOCK_TIMEOUT = "1500ms"

/** What waits behind the step is done in between; a lock that is held for long, as by a backup, is asked for less and less. */
const LOCK_PAUSES = Schedule.min([Schedule.exponential("2 seconds"), Schedule.spaced("30 seconds")])

/**
 * A transaction of the migration, without another one beside it. Statements have no time limit, for large tables, and locks a short one: what
 * holds one, such as a backup, may hold it for long.
 */
const migrating = <A>(body: (run: RunWrite) => Effect.Effect<A, MigrationFault | ConflictError>) =>
  Effect.flatMap(Database, ({ transaction }) =>
    transaction(
      Effect.fnUntraced(function* (run) {
        // Checked first: the steps themselves would fail with a plain `StoreUnavailable`.
        const [session] = yield* run(selectReadOnly, [])
        if (session?.["readOnly"] === "on") return yield* new DatabaseReadOnly()
        yield* run("SET LOCAL statement_timeout = 0", [])
        yield* run("SET LOCAL lock_timeout = 0", [])
        yield* run("SELECT pg_advisory_xact_lock($1::bigint)", [ADVISORY_LOCKS.migrations])
        yield* run(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`, [])
        return yield* body(run)
      }),
      Duration.infinity
    ).pipe(
      Effect.tapErrorTag("ConflictError", () => Effect.logInfo("the schema waits for a lock of another session")),
      Effect.retry({ while: ({ _tag }) => _tag === "ConflictError", schedule: LOCK_PAUSES }),
      Effect.catchTag("ConflictError", Effect.die)
    )
  )

/** `statements` are those of background jobs: the schema has to fit them before the service says that it is ready. */
export const migrate = Effect.fnUntraced(
  function* (statements: ReadonlyArray<string>): Effect.fn.Return<void, MigrationFault, Database> {
    while (yield* migrating(applyNext)) yield* Effect.yieldNow
    yield* migrating(
      Effect.fnUntraced(function* (run) {
        yield* finish(run)
        for (const statement of statements) yield* check(run, statement)
        yield* reprice(run)
      })
    )
    yield* conflictAsUnavailable(foldKeywords(yield* Database))
  },
  Effect.catchDefect((defect): Effect.Effect<never, DatabaseDiffers | SqlError> => {
    if (!isSqlError(defect)) return Effect.die(defect)
    // Missing privileges are the operator's to fix, so they are no defect of the service.
    if (isForbidden(defect)) return Effect.fail(defect)
    const difference = `A statement of this version does not fit it: ${reasonOf(defect)}.`
    return isOfAnotherSchema(defect) ? Effect.fail(new DatabaseDiffers({ difference })) : Effect.die(defect)
  })
)
