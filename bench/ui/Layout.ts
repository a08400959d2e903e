// Which panes are on the screen, and the size of each, for a terminal's size. Pure data.

export const PANES = ["agents", "orders", "timeline", "wallet", "webhooks", "log"] as const
export type PaneName = (typeof PANES)[number]

export const TITLES: Readonly<Record<PaneName, string>> = {
  agents: "Agents",
  orders: "Orders",
  timeline: "Timeline",
  wallet: "Wallet",
  webhooks: "Webhooks",
  log: "Log"
}

/** Several panes, or one that fills the screen. */
export type Shown = "overview" | PaneName

/** In cells. */
export interface Screen {
  readonly columns: number
  readonly rows: number
}

/** Below this an order's row does not fit. */
export const MIN_SCREEN: Screen = { columns: 72, rows: 20 }

const WIDE_COLUMNS = 110

/** Rows above the panes: a title, and what to watch in two or three rows. */
export const rowsAbove = ({ columns }: Screen): number => (columns < WIDE_COLUMNS ? 4 : 3)

/** Rows below the panes: the result of the last key, and the hints. */
export const ROWS_BELOW = 2

/** A pane and its size in cells, border included. */
export interface PaneBox {
  readonly pane: PaneName
  readonly width: number
  readonly height: number
}

/** Columns from left to right, each with its panes from top to bottom. */
export type Layout = ReadonlyArray<ReadonlyArray<PaneBox>>

interface ColumnPlan {
  /** Share of the screen's width. */
  readonly share: number
  readonly panes: ReadonlyArray<PaneName>
  /** Shares of the column's height, one for each pane. */
  readonly shares: ReadonlyArray<number>
}

interface Plan {
  readonly min: Screen
  readonly columns: ReadonlyArray<ColumnPlan>
}

/** The first one that fits is taken. */
const overviews: ReadonlyArray<Plan> = [
  {
    min: { columns: 180, rows: 32 },
    columns: [
      { share: 36, panes: ["orders", "timeline"], shares: [5, 5] },
      { share: 32, panes: ["agents", "webhooks"], shares: [3, 4] },
      { share: 32, panes: ["wallet", "log"], shares: [4, 3] }
    ]
  },
  {
    min: { columns: WIDE_COLUMNS, rows: 32 },
    columns: [
      { share: 55, panes: ["orders", "timeline", "log"], shares: [14, 13, 9] },
      { share: 45, panes: ["agents", "wallet", "webhooks"], shares: [8, 14, 14] }
    ]
  },
  { min: MIN_SCREEN, columns: [{ share: 1, panes: ["orders", "timeline"], shares: [9, 11] }] }
]

/** Whole cells in proportion to the shares, with an exact sum. */
const divide = (cells: number, shares: ReadonlyArray<number>): ReadonlyArray<number> => {
  const sum = (some: ReadonlyArray<number>): number => some.reduce((total, share) => total + share, 0)
  const edges = [...shares, 0].map((_, index) => Math.round((cells * sum(shares.slice(0, index))) / sum(shares)))
  return shares.map((_, index) => (edges[index + 1] ?? 0) - (edges[index] ?? 0))
}

/** `null` where the screen is too small. */
export const layout = (screen: Screen, shown: Shown): Layout | null => {
  const height = screen.rows - rowsAbove(screen) - ROWS_BELOW
  const plan = overviews.find(({ min }) => screen.columns >= min.columns && screen.rows >= min.rows)
  if (plan === undefined) return null
  if (shown !== "overview") return [[{ pane: shown, width: screen.columns, height }]]
  const widths = divide(
    screen.columns,
    plan.columns.map(({ share }) => share)
  )
  return plan.columns.map(({ panes, shares }, column) => {
    const heights = divide(height, shares)
    return panes.map((pane, row) => ({ pane, width: widths[column] ?? 0, height: heights[row] ?? 0 }))
  })
}
