// The orders, newest first: each with its progress bar, status, number of links and total.
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { OrderRow } from "../model/OrdersModel.ts"
import { column, columnRight, euros, shortId } from "./Format.ts"
import { inside, Pane, type PaneProps } from "./Pane.tsx"
import { hasEnded, LETTERS, progressBar, progressBarWidth, statusText } from "./ProgressBar.ts"
import { Row, Styled } from "./Styled.tsx"
import { pinnedOrder, selectedOrder } from "./View.ts"

const ID_CELLS = 12
const STATUS_CELLS = 16
const LINKS_CELLS = 5
const TOTAL_CELLS = 9
const SPACES = 5
const OTHER_CELLS = ID_CELLS + STATUS_CELLS + LINKS_CELLS + TOTAL_CELLS + SPACES

/** The progress bar takes what the other columns leave. */
const gapFor = (columns: number): number =>
  Math.max(1, Math.min(4, Math.floor((columns - OTHER_CELLS - progressBarWidth(0)) / (LETTERS.length - 1))))

/** Rows around the selected one. */
const windowOf = (rows: ReadonlyArray<OrderRow>, selected: OrderRow | undefined, max: number) => {
  const newestFirst = rows.toReversed()
  const index = selected === undefined ? 0 : newestFirst.indexOf(selected)
  const from = Math.max(0, Math.min(index - Math.floor(max / 2), newestFirst.length - max))
  return newestFirst.slice(from, from + max)
}

const OrderLine = ({ row, gap, mark }: { readonly row: OrderRow; readonly gap: number; readonly mark: string }) => {
  const progress = { quote: row.status, links: row.links.map(({ status }) => status) }
  const { done, ahead } = progressBar(progress, gap)
  const tone = hasEnded(progress) ? "bad" : row.status === "awaiting_payment" ? "busy" : "good"
  return (
    <Row>
      <Styled tone="accent">{mark}</Styled> {column(shortId(row.orderId ?? row.quoteId), ID_CELLS)}{" "}
      <Styled tone={tone}>{done}</Styled>
      <Styled tone="quiet">{ahead.padEnd(progressBarWidth(gap) - done.length)}</Styled>{" "}
      {column(statusText(progress), STATUS_CELLS)} {columnRight(String(row.size), LINKS_CELLS)}
      {columnRight(euros(row.totalCents), TOTAL_CELLS)}
    </Row>
  )
}

export const OrdersPane = ({ model, view, box }: PaneProps) => {
  const { orders } = model
  const selected = selectedOrder(model, view)
  const isPinned = pinnedOrder(model, view) !== undefined
  const { columns, rows } = inside(box)
  const { opened, placed, abandoned, published, cancelled } = orders.counts
  const summary = [
    counted(opened, "quote"),
    `${placed} paid`,
    `${abandoned} abandoned`,
    `links ${published} online, ${cancelled} cancelled`
  ]
  const gap = gapFor(columns)
  const letters = LETTERS.join(" ".repeat(gap))
  return (
    <Pane box={box} summary={summary}>
      <Row>
        <Styled tone="quiet">
          {`  ${column("order", ID_CELLS)} ${letters} ${column("stands at", STATUS_CELLS)} ${columnRight("links", LINKS_CELLS)}${columnRight("EUR", TOTAL_CELLS)}`}
        </Styled>
      </Row>
      {orders.rows.length === 0 && <Styled tone="quiet">No order yet.</Styled>}
      {windowOf(orders.rows, selected, rows - 1).map((row) => (
        <OrderLine key={row.quoteId} row={row} gap={gap} mark={row !== selected ? " " : isPinned ? "▶" : "▷"} />
      ))}
    </Pane>
  )
}
