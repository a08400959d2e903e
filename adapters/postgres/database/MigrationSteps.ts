// The migration steps with their hashes, and the comparison with the steps that a database has stored.
import { Result, Schema } from "effect"
import { namesIn, readText } from "./SchemaTexts.ts"

/** The step after which the history begins: `schema/tables` began as what it had made. Commit 7bfe73a has it and all steps before it. */
export const BASELINE = {
  step: "048_account_numbers",
  sha256: "e1c8237ba901e66704f0b64a9479c5cfc16a83b7cd1b2f9a7d4f789369167914"
} as const

/** In order. Steps are never changed once they are released. */
export const STEPS: ReadonlyArray<string> = namesIn("steps").map((name) => name.slice("steps/".length))

export interface Step {
  readonly step: string
  readonly script: string
  readonly sha256: string
}

export const readStep = (step: string): Step => {
  const { script, sha256 } = readText(`steps/${step}`)
  return { step, script, sha256 }
}

/** A newer version of the service has migrated this database, and this one would misread its rows. The only way back is a backup. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", { step: Schema.String }) {}

/** An older version of the service has made this database, and only commit 7bfe73a has the steps that follow its last one. */
export class DatabaseTooOld extends Schema.TaggedError<DatabaseTooOld>()("DatabaseTooOld", { step: Schema.String }) {}

/** Another development version of the service has made this database. `difference` is a sentence. */
export class DatabaseDiffers extends Schema.TaggedError<DatabaseDiffers>()("DatabaseDiffers", {
  difference: Schema.String
}) {}

const differs = (difference: string) => Result.fail(new DatabaseDiffers({ difference }))

export interface StoredStep {
  readonly step: string
  /** `null` in a row of an old or of a newer version. */
  readonly sha256: string | null
}

/** The baseline and what came after it. A database that took part in the history has earlier steps, too. */
export const sinceBaseline = <Stored extends { readonly step: string }>(
  stored: ReadonlyArray<Stored>
): ReadonlyArray<Stored> => stored.filter(({ step }) => step >= BASELINE.step)

/** What a database with steps still needs. They have to be the baseline and the first of `steps`, with the same hashes. */
export const planMigration = (
  steps: ReadonlyArray<Step>,
  stored: ReadonlyArray<StoredStep>
): Result.Result<ReadonlyArray<Step>, DatabaseDiffers | DatabaseTooNew | DatabaseTooOld> => {
  const known = [BASELINE, ...steps]
  const hashes = new Map(sinceBaseline(stored).map(({ step, sha256 }) => [step, sha256]))
  const last = stored.map(({ step }) => step).reduce((one, other) => (one > other ? one : other), "")
  if (hashes.size === 0) return Result.fail(new DatabaseTooOld({ step: last }))
  const applied = known.filter(({ step }) => hashes.has(step))
  const skipped = known.slice(0, applied.length).find(({ step }) => !hashes.has(step))
  if (skipped !== undefined) return differs(`It has later steps, but not ${skipped.step}.`)
  const changed = applied.find(({ step, sha256 }) => hashes.get(step) !== sha256)
  if (changed !== undefined) return differs(`Its step ${changed.step} has another text.`)
  const unknown = [...hashes.keys()].find((step) => !known.some((one) => one.step === step))
  if (unknown !== undefined) {
    return applied.length === known.length
      ? Result.fail(new DatabaseTooNew({ step: unknown }))
      : differs(`It has the step ${unknown}, which this version does not know.`)
  }
  return Result.succeed(steps.slice(applied.length - 1))
}
