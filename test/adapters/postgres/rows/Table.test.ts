// Tables that are made from an entity: lists of values as entities, and entities as rows.
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { table } from "#adapters/postgres/rows/Table.ts"

const Size = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("one") }),
  Schema.Struct({ kind: Schema.Literal("many"), count: Schema.Int })
])

const Thing = Schema.Struct({
  thingId: Schema.String,
  size: Size,
  owner: Schema.NullOr(Schema.Struct({ name: Schema.String, since: Schema.Int })),
  note: Schema.optionalKey(Schema.String),
  endedAtMs: Schema.NullOr(Schema.Int)
})

const things = table(Thing.fields, {
  columns: { size: { kind: "sizeKind", count: "sizeCount" }, owner: { name: "ownerName", since: "ownedSince" } },
  derived: { endedAtMs: (alias) => `end_of(${alias})` }
})

const decode = Schema.decodeUnknownSync(things.schema)

const whole = {
  thingId: "t",
  size: { kind: "many", count: 2 },
  owner: { name: "o", since: 1 },
  note: "n",
  endedAtMs: 3
}
const bare = { thingId: "t", size: { kind: "one" }, owner: null, endedAtMs: null }

describe("a table", () => {
  it("selects the columns in the order of the fields", () => {
    expect(things.list("t")).toBe(
      "json_build_array(t.thing_id, t.size_kind, t.size_count, t.owner_name, t.owned_since, t.note, end_of(t))"
    )
  })

  it("reads nulls as nulls, as missing parts, or as members that are absent", () => {
    expect(decode(["t", "many", 2, "o", 1, "n", 3])).toEqual(whole)
    expect(decode(["t", "one", null, null, null, null, null])).toStrictEqual(bare)
  })

  it("refuses rows of another shape", () => {
    expect(() => decode(["t", "many", null, null, null, null, null])).toThrow()
    expect(() => decode({})).toThrow()
  })

  it("writes rows by name without nulls", () => {
    expect(things.row({ ...bare, other: 1 })).toEqual({ thing_id: "t", size_kind: "one" })
  })
})
