// Lengths of lists and objects are judged before their members, outer ones first, in time that grows with the length of the text.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { checkLengths, checkParameters, MAX_FIELDS } from "#adapters/contract/decoding/BodyLengths.ts"
import { checkNoFields } from "#adapters/contract/decoding/SchemaIssues.ts"
import { MAX_ENTRIES } from "#adapters/contract/schema/QueryValue.ts"

const faultOf = (value: unknown): string | undefined =>
  Result.match(checkLengths(value), {
    onSuccess: () => undefined,
    onFailure: ({ errors }) => errors.map(({ path, message }) => `${path}: ${message}`).join(" | ")
  })

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]))
const list = (count: number, member: unknown = {}) => Array.from({ length: count }, () => member)

describe("lengths", () => {
  it("the bounds themselves are allowed, at any depth", () => {
    assert.isUndefined(faultOf({ ...fields(MAX_FIELDS - 1), items: list(MAX_ENTRIES, fields(MAX_FIELDS)) }))
    for (const scalar of [null, undefined, 1, "x".repeat(60_000), true]) assert.isUndefined(faultOf(scalar))
  })

  it("one more is a single fault with its path", () => {
    assert.strictEqual(faultOf({ items: list(20_000) }), "items: Must have at most 20 entries; 20000 were sent.")
    assert.strictEqual(
      faultOf({ items: [{}, { a: [list(21)] }] }),
      "items[1].a[0]: Must have at most 20 entries; 21 were sent."
    )
    assert.strictEqual(faultOf(fields(33)), "body: Must have at most 32 fields; 33 were sent.")
    assert.strictEqual(faultOf({ items: [fields(33)] }), "items[0]: Must have at most 32 fields; 33 were sent.")
  })

  it("the outer list comes first", () => {
    assert.strictEqual(faultOf({ items: list(21, list(30)) }), "items: Must have at most 20 entries; 21 were sent.")
  })

  it("parameters and refused fields are bounded too", () => {
    const query = (count: number, values: number) =>
      Object.fromEntries(Object.keys(fields(count)).map((name) => [name, Array.from({ length: values }, () => "a")]))
    assert.isTrue(Result.isSuccess(checkParameters(query(32, 20))))
    assert.isTrue(Result.isFailure(checkParameters(query(33, 1))))
    assert.isTrue(Result.isFailure(checkParameters(query(1, 21))))
    const refused = checkNoFields(Object.keys(fields(5_000)))
    assert.strictEqual(Result.isFailure(refused) ? refused.failure.errors.length : 0, 20)
  })
})
