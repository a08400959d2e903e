// Holds the layout to being a whole picture at every size: cells that cover the panes' ground once, and panes that have room to speak.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { layout, MIN_SCREEN, PANES, ROWS_BELOW, rowsAbove, type Screen, type Shown } from "#bench/ui/Layout.ts"
import { property } from "#test/Property.ts"

const anyScreen = fc.record({ columns: fc.integer({ min: 1, max: 400 }), rows: fc.integer({ min: 1, max: 150 }) })
const anyShown = fc.constantFrom<Shown>("overview", ...PANES)

const isEnough = ({ columns, rows }: Screen): boolean => columns >= MIN_SCREEN.columns && rows >= MIN_SCREEN.rows

const panesAt = (screen: Screen): ReadonlyArray<string> => {
  const places = layout(screen, "overview")
  return places.fits ? places.cells.map(({ pane }) => pane) : []
}

describe("the layout", () => {
  property("is there wherever the screen is large enough, and only there", [anyScreen, anyShown], (screen, shown) => {
    expect(layout(screen, shown).fits).toBe(isEnough(screen))
  })

  property("covers every cell of the panes' ground exactly once", [anyScreen, anyShown], (screen, shown) => {
    const places = layout(screen, shown)
    if (!places.fits) return
    const height = screen.rows - rowsAbove(screen) - ROWS_BELOW
    const area = places.cells.reduce((total, cell) => total + cell.width * cell.height, 0)
    expect(area).toBe(screen.columns * height)
    for (const [index, cell] of places.cells.entries()) {
      expect(cell.left).toBeGreaterThanOrEqual(0)
      expect(cell.left + cell.width).toBeLessThanOrEqual(screen.columns)
      expect(cell.top + cell.height).toBeLessThanOrEqual(height)
      for (const other of places.cells.slice(index + 1)) {
        const beside = cell.left + cell.width <= other.left || other.left + other.width <= cell.left
        const below = cell.top + cell.height <= other.top || other.top + other.height <= cell.top
        expect(beside || below).toBe(true)
      }
    }
  })

  property("leaves each pane its frame and at least two rows", [anyScreen, anyShown], (screen, shown) => {
    const places = layout(screen, shown)
    if (places.fits) for (const { height } of places.cells) expect(height).toBeGreaterThanOrEqual(4)
  })

  it("shows two panes on a small terminal and all of them on larger ones", () => {
    expect(panesAt({ columns: 80, rows: 24 })).toEqual(["orders", "timeline"])
    expect(panesAt({ columns: 120, rows: 40 }).toSorted()).toEqual(PANES.toSorted())
    expect(panesAt({ columns: 200, rows: 50 }).toSorted()).toEqual(PANES.toSorted())
  })

  it("gives a pane that was asked for the whole ground", () => {
    expect(layout({ columns: 80, rows: 24 }, "log")).toEqual({
      fits: true,
      cells: [{ pane: "log", left: 0, top: 0, width: 80, height: 18 }]
    })
  })
})
