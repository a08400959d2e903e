// Released migration steps never change, and a database with other steps is refused.
import { readdirSync } from "node:fs"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  BASELINE,
  planMigration,
  readStep,
  STEPS,
  type StoredStep
} from "#adapters/postgres/database/MigrationSteps.ts"

/** Released steps. A new step is appended when it is released; the other lines are never edited. */
const FROZEN: ReadonlyArray<readonly [step: string, sha256: string]> = [
  ["049_plain_ledger", "83a7087daf90698a791794c0f8fd3ead155d232aa558fe39c7709c26f49fda85"],
  ["050_plain_columns", "4cd654800300c06f631ef338a64a42daa070470f95d47a97ce3cb390d8d95217"],
  ["051_derived_writes", "8920b1e56324f5eb5af3ebe5c38a3b03bec84c6654616fd5ed883ea10d1a939b"],
  ["052_invitations", "c8d204edd68e7fdbe3ed4a996fccc8afb04588f713e367f5a472acaf7325ee2f"],
  ["053_confirmed_sessions", "80658e96388c878fb7ee94f47746a61b9b84b42ad5e59d9bb871aeb19d995737"],
  ["054_shares_of_strangers", "f3184f63e56f62d3e89791fae77b95360f2ec4aeab3eb2f2e09789b4d76a7045"],
  ["055_owed_credit", "165b2b4c68de823961c361a9520c382b1820747a53aaa08c7a9cbbb71cd701f9"],
  ["056_account_bindings", "305caeadfc4c5b25e5b5f7ce24fd4e352e0dc41879b1a2180b9e3c0382779e75"],
  ["057_registrable_welcome", "e54827bceea04d3796cf41e4a96dfc91d894a5300a8cce4feb31891aeecba40c"],
  ["058_redeliveries", "b7659e202d787ea25be986e566480eecd6038c25dcf12f83fdc19d206e73dd75"],
  ["059_sweep_claims", "389870b44ad6d1177e66ee65c5f6812a8e2b1190257e3ae26690afbb29f2705f"],
  ["060_account_views", "6a78a51f61499262bd692c22094d1ae3862bb7a634e5a8c2359877b633847174"],
  ["061_lists", "6d972118d41e9907d2962b63e444250bde58b73abc132b413f1dfbd056b9bab7"],
  ["062_bound_calls", "1b185e181a9042b54727706de284c06cde1a2bac27215b17e46c2d81c1484fe5"],
  ["063_rotated_keys", "81979ab701f6171dd64832952b3ecf4d055e1b87fb46305e5f33c479e2cc699c"],
  ["064_turnaround", "6f8fc8b493ae80d387b8b1a0c7e60ea72071abe9c15c8370ee75315d9b0b70ca"],
  ["065_more_of_webhooks", "21c079a17a4d82110625d19fc328b22173a760573e8255203a612b40cb8cfc5e"],
  ["066_sheets", "9893134ee7ebc032a977c36d3ef31c70870e6077c293950cb05fc3352c5cd2db"],
  ["067_kept_members", "5d16b5f1d2200a40a5925af785ee7e420524954151feb128e3b1d974354deef2"],
  ["068_pause_and_expiry", "986576417a887243664ae419195acb8297224090bddc69d5d9a95e8e0310df53"],
  ["069_refused_attempts", "86fb5d3c49a2e0f437888296d2ad704d08218087d0467d2bd22ca9a2098388b7"],
  ["070_time_zones", "9ba57430ae0a5e6173b798db91c1854f73aea30c5272c78df7d3a2ad99336f79"],
  ["071_sign_in_codes", "cae57991325a0df3f23fa3557fc824aec19a9dd296247d1ba9d01e39d7039b4a"],
  ["072_email_changes", "07ba5783effb6ef85903f444eb8ca689d99465a3561bf0f67e4420d0706968f4"],
  ["074_news_mails", "eb985124cfdc0fc084c81a63aa9dca1c78184e1fa9b7fc79907c593823dd126d"],
  ["075_links_published", "1fa5cb43212c4521d434e6b96e82a07d6091a4af8a24154df48638073228d14f"]
]

const listed = STEPS.map(readStep)

describe("the migration steps", () => {
  it("are those that were released, byte for byte", () => {
    const frozen = new Map(FROZEN)
    for (const { step, sha256 } of listed) {
      const line = `["${step}", "${sha256}"]`
      expect(
        frozen.get(step),
        frozen.has(step)
          ? `${step} was changed after its release: restore it (git checkout), and put the change into a new step.`
          : `${step} is new: append ${line} to FROZEN in this file.`
      ).toBe(sha256)
    }
    expect(listed.map(({ step }) => step)).toEqual(FROZEN.map(([step]) => step))
  })

  it("follow the baseline, and are all the files there are", () => {
    const files = readdirSync(new URL("../../../../adapters/postgres/schema/steps/", import.meta.url))
    expect(files.toSorted()).toEqual(STEPS.map((step) => `${step}.sql`))
    for (const step of STEPS) expect(step > BASELINE.step, step).toBe(true)
  })
})

const next = ["049_a", "050_b", "051_c"].map((step) => ({ step, script: "", sha256: `hash of ${step}` }))
const history: ReadonlyArray<StoredStep> = [
  { step: "001_accounts", sha256: null },
  { step: "047_commit_look_ups", sha256: "hash" }
]
const storedUpTo = (count: number): ReadonlyArray<StoredStep> => [BASELINE, ...next.slice(0, count)]

const planOf = (stored: ReadonlyArray<StoredStep>) => Result.getOrThrow(planMigration(next, stored))
const refusalOf = (stored: ReadonlyArray<StoredStep>) => Result.getOrThrow(Result.flip(planMigration(next, stored)))

describe("the plan of a migration", () => {
  it.each([0, 1, 2, 3])("has the steps after the first %i", (count) => {
    expect(planOf(storedUpTo(count))).toEqual(next.slice(count))
    expect(planOf([...history, ...storedUpTo(count)])).toEqual(next.slice(count))
  })

  it("refuses a database that ends before the baseline", () => {
    expect(refusalOf(history)).toMatchObject({ _tag: "DatabaseTooOld", step: "047_commit_look_ups" })
  })

  it("refuses a step with another text, also the baseline", () => {
    for (const { step } of [BASELINE, ...next.slice(0, 2)]) {
      const stored = storedUpTo(2).map((one) => (one.step === step ? { step, sha256: "of another version" } : one))
      expect(refusalOf(stored)).toMatchObject({ _tag: "DatabaseDiffers", difference: expect.stringContaining(step) })
    }
    const withoutHash = [BASELINE, { step: "049_a", sha256: null }]
    expect(refusalOf(withoutHash)).toMatchObject({ _tag: "DatabaseDiffers" })
  })

  it("refuses later steps without an earlier one", () => {
    for (const missing of [BASELINE.step, "050_b"]) {
      const stored = storedUpTo(3).filter(({ step }) => step !== missing)
      expect(refusalOf(stored)).toMatchObject({ _tag: "DatabaseDiffers", difference: expect.stringContaining(missing) })
    }
  })

  it("tells a newer version from another development version by what is missing", () => {
    const unknown = { step: "052_d", sha256: "hash" }
    expect(refusalOf([...storedUpTo(3), unknown])).toMatchObject({ _tag: "DatabaseTooNew", step: "052_d" })
    expect(refusalOf([...storedUpTo(2), unknown])).toMatchObject({ _tag: "DatabaseDiffers" })
  })
})
