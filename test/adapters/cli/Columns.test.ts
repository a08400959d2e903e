// Columns: what stands below a title follows from the type and the name of a row's member.
import { Schema } from "effect"
import { expect, it } from "vitest"
import { amount, columns, number, text } from "#adapters/cli/Columns.ts"
import { table } from "#adapters/cli/Table.ts"

const Row = Schema.Struct({
  id: Schema.String,
  note: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  wallet: Schema.NullOr(Schema.Struct({ heldCents: Schema.Int })),
  count: Schema.NullOr(Schema.Int),
  madeAtMs: Schema.Int
})

const rowColumns = columns(Row, {
  ID: "id",
  NOTE: text("note"),
  TAGS: "tags",
  HELD: "wallet.heldCents",
  TWICE: amount(({ wallet }) => 2 * (wallet?.heldCents ?? 0)),
  COUNT: "count",
  LONG: number(({ id }) => id.length),
  MADE: "madeAtMs",
  ABSENT: ({ note }) => note
})

it("shows cents in euros and milliseconds as a time, numbers to the right, and nothing for what is absent", () => {
  const rows = [
    { id: "a", note: null, tags: ["x", "y"], wallet: { heldCents: 5 }, count: 12, madeAtMs: 0 },
    { id: "bcd", note: "Tea", tags: [], wallet: null, count: null, madeAtMs: 86_399_000 }
  ]
  expect(table(rowColumns, rows, undefined).split("\n")).toEqual([
    "ID   NOTE  TAGS  HELD  TWICE  COUNT  LONG  MADE                 ABSENT",
    "a          x y   0.05   0.10     12     1  1970-01-01 00:00:00",
    "bcd  Tea                0.00            3  1970-01-01 23:59:59  Tea"
  ])
})

it("truncates what is text alone", () => {
  const row = {
    id: "an id that is long",
    note: "a note that is long",
    tags: [],
    wallet: null,
    count: null,
    madeAtMs: 0
  }
  const [, line = ""] = table(rowColumns.slice(0, 2), [row], 30).split("\n")
  expect(line).toBe("an id that is long  a note th…")
})
