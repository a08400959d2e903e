// The layout at every size: the panes fill the screen exactly, and each has room for its rows.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { layout, MIN_SCREEN, PANES, ROWS_BELOW, rowsAbove, type Screen, type Shown } from "#bench/ui/Layout.ts"
import { property } from "#test/Property.ts"

const anyScreen = fc.record({ columns: fc.integer({ min: 1, max: 400 }), rows: fc.integer({ min: 1, max: 150 }) })
const anyShown = fc.constantFrom<Shown>("overview", ...PANES)

const isEnough = ({ columns, rows }: Screen): boolean => columns >= MIN_SCREEN.columns && rows >= MIN_SCREEN.rows

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const panesAt = (screen: Screen): ReadonlyArray<string> =>
  (layout(screen, "overview") ?? []).flat().map(({ pane }) => pane)

describe("the layout", () => {
  property("exists where the screen is large enough, and only there", [anyScreen, anyShown], (screen, shown) => {
    expect(layout(screen, shown) !== null).toBe(isEnough(screen))
  })

  property("covers every cell between header and footer exactly once", [anyScreen, anyShown], (screen, shown) => {
    const columns = layout(screen, shown)
    if (columns === null) return
    expect(sum(columns.map(([first]) => first?.width ?? 0))).toBe(screen.columns)
    for (const boxes of columns) {
      expect(new Set(boxes.map(({ width }) => width)).size).toBe(1)
      expect(sum(boxes.map(({ height }) => height))).toBe(screen.rows - rowsAbove(screen) - ROWS_BELOW)
    }
  })

  property("leaves each pane its frame and at least two rows", [anyScreen, anyShown], (screen, shown) => {
    for (const { height } of (layout(screen, shown) ?? []).flat()) expect(height).toBeGreaterThanOrEqual(4)
  })

  it("shows two panes on a small terminal and all of them on larger ones", () => {
    expect(panesAt({ columns: 80, rows: 24 })).toEqual(["orders", "timeline"])
    expect(panesAt({ columns: 120, rows: 40 }).toSorted()).toEqual(PANES.toSorted())
    expect(panesAt({ columns: 200, rows: 50 }).toSorted()).toEqual(PANES.toSorted())
  })

  it("gives a single pane all cells between header and footer", () => {
    expect(layout({ columns: 80, rows: 24 }, "log")).toEqual([[{ pane: "log", width: 80, height: 18 }]])
  })
})
