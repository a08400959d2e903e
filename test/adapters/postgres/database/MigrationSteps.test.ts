// Released migration steps never change, and a database with other steps is refused.
import { readdirSync } from "node:fs"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { planMigration, readStep, STEPS, type StoredStep } from "#adapters/postgres/database/MigrationSteps.ts"

/** Released steps. A new step is appended when it is released; the other lines are never edited. */
const FROZEN: ReadonlyArray<readonly [step: string, sha256: string]> = [
  ["001_accounts", "fce077a1c8de5708169acfbe90deb3b554586cb3579e9ee8e7cfbfc73bc1ac62"],
  ["002_catalogue", "f06ce76eb65be13181a64e32edb5325118cc3ca72db7e6382675c73a38bbc4d2"],
  ["003_orders", "741ab0f7ef33d94535a6d066f2083e450cd95b2ce03498d7579153eb0bf261ab"],
  ["004_deliveries", "5ec6771c62f21c5238d771ea20fc72e2344ae8ee8a02bd94ffd175e9185d186c"],
  ["005_offer", "8105ab1a00fbea954a60f816c7889adbf7a02c64dc7231bf7a6adfca6470c32e"],
  ["006_commit", "3e61bc3940e7b174b32336ef022c8e99c8672bcca6215b05061e05b2ea0e4f44"],
  ["007_operator", "ca2cc01ced3adcaf2acf683bb4cc9141371b43fb2e12e5d465a17f26e7c43d98"],
  ["008_rows", "5a595d2e1d5ab587e63e450a4c6ec4e149eda68b2e92a4fbc3886fc251bb500f"],
  ["009_indexes", "9f874e99aa24cd36a41d5e0734be74964fc86b1dbc423e896db3931cd28bf0f9"],
  ["010_locality", "708a546cfe4c3832b1a3f57443e45fa11b616d8acc9f04bc8651a75848dd3c39"],
  ["011_adjustments", "28e8ed270b7778f938148fe4f35032dece983f7cfd3d70a0517cddb449384725"],
  ["012_reversals", "de3450bac88270a68b2af20084000919900f1371705c150ab9cba3f97f95460c"],
  ["013_promo_counts", "5eeeaf57e8c5a20e1c8f610d35e7ad67b2bdfcd7709a01f28e4c1728318ca1a8"],
  ["014_order_updates", "1a9c3519346dabf663d14964ad6d5a1147a461bc6719dff04718a210e02627d4"],
  ["015_set_aside", "1e13a429eb512432f38ddc22139267ad9cf12e381e444bd90d1554e8f45f310c"],
  ["016_promos_last", "c68fec8c9672bbb993d0eb794f096d1626ec543c3d3ae0e19c3ea50dd601ce45"],
  ["017_webhook_tests", "599d32ea69201f8dd25501eb75d3a44df6891f87c1dd85ab1240320717a31f14"],
  ["018_emails", "a10dc90960ccc84b157568276f6fb994f4bafda2cff17645f30fe2fb109b2a62"],
  ["019_retention", "16807034ff629875e8fb0d80eb3c6e6730a52b279b6b1c88eaf238bfa8f5e221"],
  ["020_sandbox_links", "4f99f5f0b021497803bcd0ce83ed183f1a18e2e93fa6b33deba00bf3df6f8057"],
  ["021_payment_pending", "8102ee6bd3e54b55b580207bc85c2face7adaed9ce39f71c22951489194f0c16"],
  ["022_set_aside_open", "0737fa67ad2735900c8a2ef9ea74130eaf0d5a8b76f9f729962fd52741bd12b4"],
  ["023_references", "1c941bc4d35b8b8b3a5d766e7dbc52f767af4bb3045567b07f1bca9865a45ef9"],
  ["024_invoices", "1413cb52f5fab26b9bbaaa57817b0a92e72819c6dcaacb41c3cf5e7bae3660d4"],
  ["025_members", "79d78ad0af893eadbea9b46fe971c28276252eb493c04326173819d44eab9f6e"],
  ["026_top_ups", "28efc6b8dbdf5014cc85e2f3f1568cee6586b8536777b813b45b70c620d82199"],
  ["027_factors", "a020b0a6c7ab8e09ccf1444a70aaccf8949070c591a02fd771d4c47c45fd2179"],
  ["028_welcome_uses", "5a6ec35e6f1c63051b69262b2c31cef3bb43a46a0e65e06fe38f9b361d396113"],
  ["029_audit_accounts", "6dd27fda77f333c04208d9649b0ecff57398a114aff7edfe2229aa8e9b72796b"],
  ["030_top_up_payments", "999f85fb71984d7ea1ca16b9bc3f3b5978ba66812449ade207b164e377bf9886"],
  ["031_quotes", "b97a6047fdce6e722412c84850713421ee6d1fdc640951b3c64de884064c6e6c"],
  ["032_purchase_mails", "9aa4216ba36f2b72652022db1c47e5a155d396c4fae95041673c3e94cfebaab2"],
  ["033_invoice_outlet", "531db4c4589762cfa602e394a0d5970b3f737cecd849ae0e11ca1c4f1b6b4138"],
  ["034_approval", "f46268bb6ad3f440834e40f5fe14fcd63b3c61df27c5b17193e605773dfe63fb"],
  ["036_oauth", "65f0f6c6ed585ab9c6dc5482fd760d2b462810e7cf7865e6ef48f082617061c0"],
  ["039_connections", "53fedc86fe98a6c74dd1033a991cacc4ae382cc7f4045aa937a7561ddcdfe1e1"],
  ["041_settlements", "adaaf6fa38bcd0d48b0d5c7bf10dfb16488beb8a5e2238d133182ac07b28910c"],
  ["042_quotes", "799da1d14e63139b9758227f19bbbd52de13febf36c5f5fe09c843c47ea2930a"],
  ["044_reviewers", "85ce5053aa449817c95870f919b159bb6cf7bc5351cb64ff5e164c24db4f153d"],
  ["045_approval_notices", "b8670316d9ec1a45ec39f479a9b0b7c0da4dd6cd976da10cf936d7afaeb42197"],
  ["046_lean_orders", "069a93705dc587f5c025cfd776612f7372633603666caa60ffac11b5428b5d86"],
  ["047_commit_look_ups", "2c888a9e0706748940086b783d187c8e9ab1d8b2d0473d5de26797036c9d132e"],
  ["048_account_numbers", "e1c8237ba901e66704f0b64a9479c5cfc16a83b7cd1b2f9a7d4f789369167914"]
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

  it("are all the files there are", () => {
    const files = readdirSync(new URL("../../../../adapters/postgres/migrations/", import.meta.url))
    expect(files.toSorted()).toEqual(STEPS.map((step) => `${step}.sql`))
  })
})

const known = ["001_a", "002_b", "003_c"].map((step) => ({ step, script: "", sha256: `hash of ${step}` }))
const storedUpTo = (count: number): ReadonlyArray<StoredStep> => known.slice(0, count)

const refusalOf = (stored: ReadonlyArray<StoredStep>) => Result.getOrThrow(Result.flip(planMigration(known, stored)))

describe("the plan of a migration", () => {
  it.each([0, 1, 2, 3])("has the steps after the first %i", (count) => {
    const plan = Result.getOrThrow(planMigration(known, storedUpTo(count)))
    expect(plan).toEqual({ missing: known.slice(count), withoutHash: [] })
  })

  it("stores the hashes of steps that were applied before hashes were stored", () => {
    const stored = storedUpTo(2).map(({ step }) => ({ step, sha256: null }))
    const plan = Result.getOrThrow(planMigration(known, stored))
    expect(plan).toEqual({ missing: known.slice(2), withoutHash: known.slice(0, 2) })
  })

  it("does so only for the steps of that time", () => {
    const later = [{ step: "011_later", script: "", sha256: "hash" }]
    const refusal = Result.getOrThrow(Result.flip(planMigration(later, [{ step: "011_later", sha256: null }])))
    expect(refusal).toMatchObject({ _tag: "DatabaseDiffers" })
  })

  it("refuses a step with another text", () => {
    const stored = [...storedUpTo(1), { step: "002_b", sha256: "of another version" }]
    expect(refusalOf(stored)).toMatchObject({ _tag: "DatabaseDiffers", difference: expect.stringContaining("002_b") })
  })

  it("refuses later steps without an earlier one", () => {
    const stored = known.filter(({ step }) => step !== "002_b")
    expect(refusalOf(stored)).toMatchObject({ _tag: "DatabaseDiffers", difference: expect.stringContaining("002_b") })
  })

  it("tells a newer version from another development version by what is missing", () => {
    const unknown = { step: "004_d", sha256: "hash" }
    expect(refusalOf([...storedUpTo(3), unknown])).toMatchObject({ _tag: "DatabaseTooNew", step: "004_d" })
    expect(refusalOf([...storedUpTo(2), unknown])).toMatchObject({ _tag: "DatabaseDiffers" })
  })
})
