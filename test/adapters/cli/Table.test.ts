// Tables: aligned by terminal cells, truncated only in elastic columns, free of control characters.
import { displayWidth } from "effect/cli/CliOutput"
import { describe, expect, it } from "vitest"
import { type Column, fieldList, table } from "#adapters/cli/Table.ts"

interface Site {
  readonly id: string
  readonly niche: string
  readonly cents: number
}

const columns: ReadonlyArray<Column<Site>> = [
  { title: "ID", cell: ({ id }) => id },
  { title: "NICHE", cell: ({ niche }) => niche, elastic: true },
  { title: "CENTS", cell: ({ cents }) => String(cents), align: "right" }
]

const site = (id: string, niche: string, cents: number): Site => ({ id, niche, cents })

describe("table", () => {
  it("aligns columns, numbers on the right, and leaves no space at the end of a line", () => {
    expect(table(columns, [site("a", "Gardening", 5), site("bcd", "Tea", 1_500)], undefined)).toBe(
      ["ID   NICHE      CENTS", "a    Gardening      5", "bcd  Tea         1500"].join("\n")
    )
  })

  it("shows its titles when there are no rows", () => {
    expect(table(columns, [], 80)).toBe("ID  NICHE  CENTS")
  })

  it("aligns by terminal cells, not by characters", () => {
    const lines = table(columns, [site("a", "園芸と料理", 5), site("b", "Cafe\u0301", 5)], undefined).split("\n")
    expect(lines.map(displayWidth)).toStrictEqual([21, 21, 21])
  })

  it("truncates only elastic columns to fit the terminal", () => {
    const rows = [site("lnk_0123456789", "Everything about balcony gardening", 500)]
    const lines = table(columns, rows, 40).split("\n")
    expect(lines[1]).toBe("lnk_0123456789  Everything about…    500")
    expect(displayWidth(lines[1] ?? "")).toBe(40)
    expect(table(columns, rows, 10)).toContain("lnk_0123456789  Everyth…    500")
  })

  it("replaces control characters", () => {
    expect(table(columns, [site("a\u001b[2J", "x\n\u202Ey\tz", 1)], 80).split("\n")[1]).toBe("a [2J  x y z      1")
  })
})

describe("fieldList", () => {
  it("has a line for each, names aligned", () => {
    expect(
      fieldList([
        ["status", "paid"],
        ["id", "ord_1"]
      ])
    ).toBe("status  paid\nid      ord_1")
  })
})
