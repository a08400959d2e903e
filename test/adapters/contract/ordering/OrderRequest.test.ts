// The schema of an order: defaults, limits, and messages that name the field and what is allowed.
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { CatalogQuery } from "#adapters/contract/catalogue/Catalog.ts"
import { strict, strictDecoder } from "#adapters/contract/decoding/StrictDecoding.ts"
import { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { centsOfEur, eurOfCents } from "#adapters/contract/schema/Amount.ts"
import { queryInt } from "#adapters/contract/schema/QueryValue.ts"
import { property } from "#test/Property.ts"

const decodeOrder = strictDecoder(OrderRequest, "body")
const item = {
  site_id: 7,
  target_url: "https://shop.example/sale",
  anchor_text: "garden tools",
  anchor_type: "partial"
}

const faults = (body: unknown): ReadonlyArray<string> => {
  const verdict = decodeOrder(body)
  return Result.isSuccess(verdict) ? [] : verdict.failure.errors.map(({ path, message }) => `${path}: ${message}`)
}
const faultsOf = (field: string, value: unknown) => faults({ items: [{ ...item, [field]: value }] })

describe("an order request", () => {
  it("gets its defaults filled in and nothing else changed", () => {
    const decode = (body: unknown): unknown => Schema.decodeUnknownSync(OrderRequest, strict)(body)
    const filled = { items: [{ ...item, format: "new_article", tier2_links: 0 }], dry_run: false }
    assert.deepStrictEqual(decode({ items: [item] }), filled)
    assert.deepStrictEqual(decode(filled), filled)
    assert.deepStrictEqual(decode({ items: [item], promo_code: "ten" }), { ...filled, promo_code: "ten" })
  })

  it("accepts every documented field", () => {
    const full = {
      ...item,
      format: "insertion",
      article_id: 3,
      tier2_links: 5,
      project_id: "prj_1",
      opportunity_id: "opp_1",
      brief: "é".repeat(2_000),
      anchor_text: "👍".repeat(120)
    }
    assert.deepStrictEqual(
      faults({
        items: Array.from({ length: 20 }, () => full),
        max_total_eur: 0.07,
        dry_run: true,
        sandbox_credit_cents: 0
      }),
      []
    )
  })

  for (const [field, value, message] of [
    ["site_id", 0, "Must be a whole number from 1 to 2147483647."],
    ["site_id", "7", "Must be a number, without quotes."],
    ["anchor_text", "", "Must be a string of 1 to 120 characters."],
    ["anchor_text", "👍".repeat(121), "Must be a string of 1 to 120 characters."],
    ["anchor_text", "a\tb", "Must not contain control characters such as line breaks or tabs."],
    ["anchor_text", "gar\u202Eden", "Must not contain U+202E, which changes the direction of text."],
    ["anchor_text", "gar\u200Bden", "Must not contain U+200B, which has no width and is not seen."],
    ["anchor_text", "gar\u0378den", "Must not contain U+0378, to which Unicode assigns no character."],
    ["anchor_text", " \u3000", "Must contain at least one visible character."],
    ["target_url", "https://shop.example/\u2066sale", "Must not contain U+2066, which changes the direction of text."],
    ["anchor_type", "exact_match", 'Must be "exact" | "partial" | "branded" | "generic" | "naked_url"'],
    ["tier2_links", 2, "Must be 0 | 1 | 3 | 5"],
    ["brief", "x".repeat(2_001), "Must be a string of at most 2000 characters."],
    ["brief", "\ud800", "Must be well-formed Unicode without NUL characters."],
    ["brief", 1, "Must be a string."],
    [
      "target_url",
      "/sale",
      "Must be an absolute http or https URL such as https://example.com/page, without spaces, backslashes or control characters."
    ],
    ["target_url", "https://user@shop.example/", "Must not contain a user name or a password."]
  ] as const) {
    it(`${field} ${JSON.stringify(value).slice(0, 30)}`, () => {
      assert.deepStrictEqual(faultsOf(field, value), [`items[0].${field}: ${message}`])
    })
  }

  it("names the allowed fields beside an unknown one, and reports every fault at once", () => {
    assert.deepStrictEqual(faults({ items: [{ ...item, anchor: "x" }], promo: "TEN", max_total_eur: 1.005 }), [
      "promo: Is not allowed here. Allowed: items, promo_code, max_total_eur, dry_run, sandbox_credit_cents, reference.",
      "items[0].anchor: Is not allowed here. Allowed: site_id, target_url, anchor_text, anchor_type, format, article_id, tier2_links, project_id, opportunity_id, brief, reference.",
      "max_total_eur: Must have at most two decimals."
    ])
    assert.deepStrictEqual(faults({}), ["items: Is required."])
    for (const items of [[], Array.from({ length: 21 }, () => item)])
      assert.deepStrictEqual(faults({ items }), ["items: An order has 1 to 20 items."])
    assert.deepStrictEqual(faults("x"), [
      "body: Must be an object with these fields: items, promo_code, max_total_eur, dry_run, sandbox_credit_cents, reference."
    ])
    assert.deepStrictEqual(faults({ items: [item], max_total_eur: -1, sandbox_credit_cents: -0 }), [
      "max_total_eur: Must be a number from 0 to 10000000.",
      "sandbox_credit_cents: Must not be -0."
    ])
  })

  it("lists at most 20 faults and never repeats long input", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${"f".repeat(1_000)}${i}`, i]))
    const found = faults(many)
    assert.strictEqual(found.length, 20)
    for (const fault of found) assert.isBelow(fault.length, 400)
  })
})

describe("a catalogue query", () => {
  it("accepts cursor or offset, not both", () => {
    const verdict = strictDecoder(CatalogQuery, "query")({ cursor: "c", offset: "0" })
    assert.deepStrictEqual(Result.isFailure(verdict) ? verdict.failure.errors : [], [
      { path: "cursor", message: "Send either cursor or offset, not both." }
    ])
  })
})

const decodeInt = Schema.decodeUnknownResult(queryInt("n", 0))

property(
  "a whole number in a query is read only in its plain decimal form",
  [fc.string({ unit: fc.constantFrom(..."0123456789+-eE. "), maxLength: 6 })],
  (text) => {
    const value = Number(text)
    const canonical = Number.isSafeInteger(value) && value >= 0 && String(value) === text
    assert.strictEqual(Result.isSuccess(decodeInt(text)), canonical)
  }
)

property(
  "cents survive the conversion to euros and back",
  [fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })],
  (cents) => {
    assert.strictEqual(centsOfEur(JSON.parse(JSON.stringify(eurOfCents(cents)))) || 0, cents)
  }
)
