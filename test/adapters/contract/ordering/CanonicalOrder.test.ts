// The canonical form of an order, to which idempotency keys are bound: stable under spellings of optional members and under later
// versions of the schema.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { canonicalForm, canonicalOrder, OrderItem, OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { omitNulls } from "#adapters/contract/schema/OptionalMembers.ts"

const strict = { onExcessProperty: "error", errors: "all" } as const
const item = {
  site_id: 7,
  target_url: "https://shop.example/sale",
  anchor_text: "garden tools",
  anchor_type: "partial"
}

const read = (schema: typeof OrderRequest, body: unknown) =>
  Schema.decodeUnknownSync(schema, strict)(omitNulls(schema)(body))

/** What stored fingerprints were made of before optional members could be `null`. */
const STORED =
  '{"dry_run":false,"items":[{"anchor_text":"garden tools","anchor_type":"partial","format":"new_article","site_id":7,"target_url":"https://shop.example/sale","tier2_links":0}],"promo_code":"TEN"}'

const spellings: ReadonlyArray<unknown> = [
  { items: [item], promo_code: "ten" },
  {
    items: [{ ...item, format: null, tier2_links: null, brief: null, reference: null }],
    promo_code: "ten",
    dry_run: null,
    reference: null
  },
  {
    items: [{ ...item, format: "new_article", tier2_links: 0 }],
    promo_code: "TEN",
    dry_run: false,
    max_total_eur: null
  }
]

const withDefault = <S extends Schema.Top>(schema: S, value: S["Type"]) =>
  // No test schema's default needs a separate encoding.
  schema.annotate({ default: value }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(value as never)))

/** A later version, with a defaulted member of the order and of the item. */
const Later = Schema.Struct({
  ...OrderRequest.fields,
  items: Schema.Array(Schema.Struct({ ...OrderItem.fields, words: withDefault(Schema.Finite, 500) })),
  rush: withDefault(Schema.Boolean, false)
})

describe("the canonical form of an order", () => {
  for (const body of spellings)
    it(`is the stored one for ${JSON.stringify(body).slice(-90)}`, () => {
      assert.strictEqual(canonicalOrder(read(OrderRequest, body)), STORED)
    })

  it("stays the same when a later version adds members with defaults, and differs with other values of them", () => {
    const canonicalLater = canonicalForm(Later)
    const later = (body: unknown) => canonicalLater(Schema.decodeUnknownSync(Later, strict)(omitNulls(Later)(body)))
    for (const body of spellings) assert.strictEqual(later(body), STORED)
    assert.strictEqual(later({ items: [{ ...item, words: 500 }], promo_code: "TEN", rush: null }), STORED)
    assert.notStrictEqual(later({ items: [{ ...item, words: 501 }], promo_code: "TEN" }), STORED)
    assert.notStrictEqual(later({ items: [item], promo_code: "TEN", rush: true }), STORED)
  })

  it("keeps null for what is required or unknown, which the schema refuses", () => {
    for (const body of [{ items: [{ ...item, site_id: null }] }, { items: null }, { items: [item], promo: null }]) {
      assert.strictEqual(omitNulls(OrderRequest)(body), body)
      assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(OrderRequest, strict)(body)))
    }
  })
})
