// Every remembered order, newest first: its life as a line that fills, where it stands, its links and its total.
import { counted } from "#core/domain/Counted.ts"
import type { OrderRow, Orders } from "../model/OrdersModel.ts"
import { column, columnRight, euros, shortId } from "./Format.ts"
import type { Cell } from "./Layout.ts"
import { inside, Pane } from "./Pane.tsx"
import { hasEnded, LETTERS, progressBar, progressBarWidth, statusText } from "./ProgressBar.ts"
import { Row, Styled, type Tone } from "./Styled.tsx"

const ID_CELLS = 12
const STANDING_CELLS = 16
const LINKS_CELLS = 5
const TOTAL_CELLS = 9
const GAPS = 5

const lifeOf = ({ status, links }: OrderRow) => ({ quote: status, links: links.map((link) => link.status) })

const toneOf = (row: OrderRow): Tone => {
  if (hasEnded(lifeOf(row))) return "bad"
  return row.status === "awaiting_payment" ? "busy" : "good"
}

/** As wide as there is room: the line's gaps take what the columns leave. */
const gapFor = (columns: number): number => {
  const left = columns - ID_CELLS - STANDING_CELLS - LINKS_CELLS - TOTAL_CELLS - GAPS
  return Math.max(1, Math.min(4, Math.floor((left - progressBarWidth(0)) / 7)))
}

/** The rows around the selected one, which stays in sight. */
const windowOf = (rows: ReadonlyArray<OrderRow>, selected: OrderRow | undefined, most: number) => {
  const newestFirst = rows.toReversed()
  const index = selected === undefined ? 0 : newestFirst.indexOf(selected)
  const from = Math.max(0, Math.min(index - Math.floor(most / 2), newestFirst.length - most))
  return newestFirst.slice(from, from + most)
}

const OrderLine = ({
  row,
  columns,
  mark
}: {
  readonly row: OrderRow
  readonly columns: number
  readonly mark: string
}) => {
  const gap = gapFor(columns)
  const { done, ahead } = progressBar(lifeOf(row), gap)
  const rest = progressBarWidth(gap) - done.length - ahead.length
  return (
    <Row>
      <Styled tone="accent">{mark}</Styled> {column(shortId(row.orderId ?? row.quoteId), ID_CELLS)}{" "}
      <Styled tone={toneOf(row)}>{done}</Styled>
      <Styled tone="quiet">{ahead + " ".repeat(Math.max(0, rest))}</Styled>{" "}
      {column(statusText(lifeOf(row)), STANDING_CELLS)} {columnRight(String(row.size), LINKS_CELLS)}
      {columnRight(euros(row.totalCents), TOTAL_CELLS)}
    </Row>
  )
}

export const OrdersPane = ({
  orders,
  selected,
  pinned,
  cell
}: {
  readonly orders: Orders
  readonly selected: OrderRow | undefined
  /** Whether the selection stays where it is, or follows the newest. */
  readonly pinned: boolean
  readonly cell: Cell
}) => {
  const { columns, rows } = inside(cell)
  const { opened, placed, abandoned, published, cancelled } = orders.counts
  const aside = [
    counted(opened, "quote"),
    `${placed} paid`,
    `${abandoned} abandoned`,
    `links ${published} online, ${cancelled} cancelled`
  ]
  const gap = gapFor(columns)
  const letters = LETTERS.join(" ".repeat(gap))
  return (
    <Pane cell={cell} aside={aside}>
      <Row>
        <Styled tone="quiet">
          {`  ${column("order", ID_CELLS)} ${letters} ${column("stands at", STANDING_CELLS)} ${columnRight("links", LINKS_CELLS)}${columnRight("EUR", TOTAL_CELLS)}`}
        </Styled>
      </Row>
      {orders.rows.length === 0 && <Styled tone="quiet">No order yet.</Styled>}
      {windowOf(orders.rows, selected, rows - 1).map((row) => (
        <OrderLine key={row.quoteId} row={row} columns={columns} mark={row !== selected ? " " : pinned ? "▶" : "▷"} />
      ))}
    </Pane>
  )
}
