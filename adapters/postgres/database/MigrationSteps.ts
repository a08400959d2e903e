// The migration steps with their hashes, and the comparison with the steps that a database has stored.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { Result, Schema } from "effect"

const FOLDER = new URL("../migrations/", import.meta.url)

/** In order. Steps are never changed once they are released. */
export const STEPS: ReadonlyArray<string> = readdirSync(FOLDER)
  .flatMap((file) => /^(\d{3}_\w+)\.sql$/.exec(file)?.[1] ?? [])
  .sort()

/** Databases with these steps only were made before hashes were stored. */
const LAST_WITHOUT_HASH = "010_locality"

export interface Step {
  readonly step: string
  readonly script: string
  readonly sha256: string
}

export const readStep = (step: string): Step => {
  const script = readFileSync(new URL(`${step}.sql`, FOLDER), "utf8")
  return { step, script, sha256: createHash("sha256").update(script).digest("hex") }
}

/** A newer version of the service has migrated this database, and this one would misread its rows. The only way back is a backup. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", { step: Schema.String }) {}

/** Another development version of the service has made this database. `difference` is a sentence. */
export class DatabaseDiffers extends Schema.TaggedError<DatabaseDiffers>()("DatabaseDiffers", {
  difference: Schema.String
}) {}

const differs = (difference: string) => Result.fail(new DatabaseDiffers({ difference }))

export interface StoredStep {
  readonly step: string
  /** `null` in a database that was made before hashes were stored. */
  readonly sha256: string | null
}

/** What a database still needs: steps to apply, and hashes to store for steps that it has. */
export interface MigrationPlan {
  readonly missing: ReadonlyArray<Step>
  readonly withoutHash: ReadonlyArray<Step>
}

/** The stored steps have to be the first of `steps`, with the same hashes. */
export const planMigration = (
  steps: ReadonlyArray<Step>,
  stored: ReadonlyArray<StoredStep>
): Result.Result<MigrationPlan, DatabaseDiffers | DatabaseTooNew> => {
  const hashes = new Map(stored.map(({ step, sha256 }) => [step, sha256]))
  const applied = steps.filter(({ step }) => hashes.has(step))
  const unknown = stored.find(({ step }) => !steps.some((known) => known.step === step))
  const skipped = steps.slice(0, applied.length).find(({ step }) => !hashes.has(step))
  if (skipped !== undefined) return differs(`It has later steps, but not ${skipped.step}.`)
  const withoutHash = applied.filter(({ step }) => hashes.get(step) === null)
  for (const { step, sha256 } of applied) {
    const known = hashes.get(step)
    if (known === null && step > LAST_WITHOUT_HASH) return differs(`Its step ${step} was applied without a hash.`)
    if (known !== null && known !== sha256) return differs(`Its step ${step} has another text.`)
  }
  if (unknown !== undefined) {
    return applied.length === steps.length
      ? Result.fail(new DatabaseTooNew({ step: unknown.step }))
      : differs(`It has the step ${unknown.step}, which this version does not know.`)
  }
  return Result.succeed({ missing: steps.slice(applied.length), withoutHash })
}
