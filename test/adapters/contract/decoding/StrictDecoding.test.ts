// A refusal names the first 20 faults, as a full collection would list them, and no more than these are looked for.
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaIssue } from "effect"
import fc from "fast-check"
import { faultsOf, fieldErrors, type Root } from "#adapters/contract/decoding/SchemaIssues.ts"
import { strict, strictDecoder } from "#adapters/contract/decoding/StrictDecoding.ts"
import { endpoints } from "#adapters/http/operations/OperationRequest.ts"
import { property } from "#test/Property.ts"

type Decodable = Schema.Codec<unknown>

/** The contract's schemas need no services, which their general type does not say. */
const decodable = (schema: Schema.Top) => schema as Decodable

/** The names of parameters that were sent as a list. */
const repeatedIn = (value: unknown, root: Root): ReadonlySet<string> =>
  new Set(root === "body" ? [] : Object.keys(Object(value)).filter((name) => Array.isArray(Object(value)[name])))

/** What the library itself collects, cut to the same length. */
const fullCollection = (schema: Decodable, root: Root) => {
  const decode = Schema.decodeUnknownResult(schema, { ...strict, errors: "all" })
  return (value: unknown) =>
    Result.match(decode(value), {
      onSuccess: () => [],
      onFailure: ({ issue }) => [...fieldErrors(faultsOf(issue), root, repeatedIn(value, root))]
    })
}

const listed = (schema: Decodable, root: Root) => {
  const decode = strictDecoder(schema, root)
  return (value: unknown) =>
    Result.match(decode(value), { onSuccess: () => [], onFailure: ({ errors }) => [...errors] })
}

const requestSchemas = Object.entries(endpoints).flatMap(([name, { payload, query }]) => [
  ...[...payload.values()].flatMap(({ schemas }) =>
    schemas.map((schema) => ({ name, root: "body" as const, schema: decodable(schema) }))
  ),
  ...(query === undefined
    ? []
    : [{ name, root: "query" as const, schema: decodable(Schema.toCodecArrayFromSingle(query)) }])
])

/** Names of members at any depth of any request, and some of none. */
const names = [...new Set(JSON.stringify(requestSchemas.map(({ schema }) => schema.ast)).match(/"name":"\w+"/g))]
  .map((found) => found.slice('"name":"'.length, -1))
  .concat("min_dr", "__proto__", "toString")

const scalar = fc.oneof(
  fc.constantFrom(null, true, "", "x", "exact", "insertion", "https://shop.example/a", "id", 0, -0, 1, 3, 1.005, -1),
  fc.string({ maxLength: 4 }),
  fc.integer()
)
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, fc.array(tie("value"), { maxLength: 4 }), tie("object")),
  object: fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 32 })
})).value

const item = fc.record(
  {
    site_id: fc.oneof(fc.constant(1), scalar),
    target_url: fc.oneof(fc.constant("https://shop.example/a"), scalar),
    anchor_text: fc.oneof(fc.constant("garden tools"), scalar),
    anchor_type: fc.oneof(fc.constant("exact"), scalar),
    brief: scalar,
    tier2_links: scalar,
    anchor: scalar
  },
  { requiredKeys: [] }
)
const order = fc.record(
  {
    items: fc.array(fc.oneof(item, item, value), { maxLength: 20 }),
    max_total_eur: scalar,
    dry_run: scalar,
    promo: scalar
  },
  { requiredKeys: [] }
)

for (const { name, root, schema } of requestSchemas) {
  const [ours, full] = [listed(schema, root), fullCollection(schema, root)]
  property(
    `a refusal of the ${root} of ${name} lists what a full collection lists first`,
    [name === "createOrder" ? fc.oneof(order, value) : value],
    (given) => assert.deepStrictEqual(ours(given), full(given))
  )
}

describe("a refusal", () => {
  const Entry = Schema.Struct({ a: Schema.String, b: Schema.String, c: Schema.optionalKey(Schema.String) })
  const faulty = { a: 1, b: 2, c: 3, d: 4 }

  it("has at most 20 faults, and the entries after them are not looked at", () => {
    let looked = 0
    const entry = new Proxy(faulty, {
      ownKeys: (target) => {
        looked += 1
        return Reflect.ownKeys(target)
      }
    })
    const errors = listed(
      Schema.Struct({ items: Schema.Array(Entry) }),
      "body"
    )({
      items: Array.from({ length: 20 }, () => entry)
    })
    assert.lengthOf(errors, 20)
    assert.deepStrictEqual(errors.at(-1)?.path, "items[4].c")
    // Five entries have the 20 faults; the first is also the one that shows that there are any.
    assert.isAtMost(looked, 6)
  })

  it("judges no value after the 20th fault, and words no more faults than it lists", () => {
    let judged = 0
    const Refused = Schema.String.check(
      Schema.makeFilter(() => {
        judged += 1
        return "Is never right."
      })
    )
    const list = listed(Schema.Array(Refused), "body")
    assert.lengthOf(list(Array.from({ length: 300 }, () => "x")), 20)
    assert.isAtMost(judged, 21)

    function* endless() {
      for (;;) yield { path: [], issue: new SchemaIssue.MissingKey(undefined) }
    }
    assert.lengthOf(fieldErrors(endless(), "body"), 20)
  })

  it("judges a whole value only when its members have no fault", () => {
    const Pair = Schema.Struct({ from: Schema.Int, to: Schema.Int }).check(
      Schema.makeFilter(({ from, to }) => (from <= to ? undefined : "Must not end before it begins."))
    )
    const faults = listed(Schema.Struct({ pairs: Schema.Array(Pair) }), "body")
    assert.deepStrictEqual(
      faults({
        pairs: [
          { from: 2, to: 1 },
          { from: "2", to: 1 }
        ]
      }),
      [
        { path: "pairs[0]", message: "Must not end before it begins." },
        { path: "pairs[1].from", message: "Must be a number, without quotes." }
      ]
    )
  })
})
