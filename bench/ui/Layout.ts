// Where each pane stands for a terminal's size, as data. Draws nothing.

export const PANES = ["agents", "orders", "timeline", "wallet", "webhooks", "log"] as const
export type PaneName = (typeof PANES)[number]

/** Several panes at once, or one that has the screen for itself. */
export type Shown = "overview" | PaneName

export interface Screen {
  /** In cells. */
  readonly columns: number
  readonly rows: number
}

/** Below this a line of an order no longer fits, and a picture would only be broken. */
export const MIN_SCREEN: Screen = { columns: 72, rows: 20 }

const WIDE_COLUMNS = 110

/** Rows above the panes: a title, and what to watch in two or three rows. */
export const rowsAbove = ({ columns }: Screen): number => (columns < WIDE_COLUMNS ? 4 : 3)

/** Rows below them: what the last key did, and which keys there are. */
export const ROWS_BELOW = 2

export interface Cell {
  readonly pane: PaneName
  /** In cells, from the panes' own top left corner. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export type Layout = { readonly fits: false } | { readonly fits: true; readonly cells: ReadonlyArray<Cell> }

interface Plan {
  /** It is taken where the terminal has at least this much. */
  readonly from: Screen
  /** Panes from top to bottom, each with its share of the column's height. */
  readonly columns: ReadonlyArray<{
    readonly share: number
    readonly panes: ReadonlyArray<readonly [PaneName, number]>
  }>
}

/** Widest first. */
const overviews: ReadonlyArray<Plan> = [
  {
    from: { columns: 180, rows: 32 },
    columns: [
      {
        share: 36,
        panes: [
          ["orders", 5],
          ["timeline", 5]
        ]
      },
      {
        share: 32,
        panes: [
          ["agents", 3],
          ["webhooks", 4]
        ]
      },
      {
        share: 32,
        panes: [
          ["wallet", 4],
          ["log", 3]
        ]
      }
    ]
  },
  {
    from: { columns: WIDE_COLUMNS, rows: 32 },
    columns: [
      {
        share: 55,
        panes: [
          ["orders", 14],
          ["timeline", 13],
          ["log", 9]
        ]
      },
      {
        share: 45,
        panes: [
          ["agents", 8],
          ["wallet", 14],
          ["webhooks", 14]
        ]
      }
    ]
  },
  {
    from: MIN_SCREEN,
    columns: [
      {
        share: 1,
        panes: [
          ["orders", 9],
          ["timeline", 11]
        ]
      }
    ]
  }
]

/** Whole cells in proportion to the shares; the sum is exact. */
const divide = (cells: number, shares: ReadonlyArray<number>): ReadonlyArray<number> => {
  const whole = shares.reduce((total, share) => total + share, 0)
  const edge = (index: number): number =>
    Math.round((cells * shares.slice(0, index).reduce((total, share) => total + share, 0)) / whole)
  return shares.map((_, index) => edge(index + 1) - edge(index))
}

const stack = (panes: Plan["columns"][number]["panes"], left: number, width: number, rows: number) => {
  const heights = divide(
    rows,
    panes.map(([, share]) => share)
  )
  let top = 0
  return panes.map(([pane], index): Cell => {
    const height = heights[index] ?? 0
    const cell = { pane, left, top, width, height }
    top += height
    return cell
  })
}

export const fits = (screen: Screen): boolean => screen.columns >= MIN_SCREEN.columns && screen.rows >= MIN_SCREEN.rows

export const layout = (screen: Screen, shown: Shown): Layout => {
  const rows = screen.rows - rowsAbove(screen) - ROWS_BELOW
  const plan = overviews.find(({ from }) => screen.columns >= from.columns && screen.rows >= from.rows)
  if (plan === undefined) return { fits: false }
  if (shown !== "overview")
    return { fits: true, cells: [{ pane: shown, left: 0, top: 0, width: screen.columns, height: rows }] }
  const widths = divide(
    screen.columns,
    plan.columns.map(({ share }) => share)
  )
  let left = 0
  const cells = plan.columns.flatMap(({ panes }, index) => {
    const width = widths[index] ?? 0
    const column = stack(panes, left, width, rows)
    left += width
    return column
  })
  return { fits: true, cells }
}
