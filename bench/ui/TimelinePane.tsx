// One order in full: what it costs and who pays, its life as a long line, its links, and every change with its amount.
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { OrderRow } from "../model/OrdersModel.ts"
import { CLOCK_CELLS, clock, column, columnRight, euros, oneLine, shortId, until } from "./Format.ts"
import type { Cell } from "./Layout.ts"
import { inside, Pane } from "./Pane.tsx"
import { LABELS, progressBar } from "./ProgressBar.ts"
import { Row, Styled } from "./Styled.tsx"

const AMOUNT_CELLS = 10
const WIDEST_GAP = 9
/** What the last stop's label needs below it. */
const LABEL_CELLS = 6
/** Rows that price and progressBar take, and how few remain for the links to be worth listing. */
const HEAD_ROWS = 4
const ROWS_FOR_LINKS = 9

const money = ({ price, totalCents }: OrderRow): string => {
  if (price === null) return `total ${euros(totalCents)} EUR, ordered before the bench came`
  const { grossCents, discountCents, creditCents, cardCents } = price
  const less = discountCents === 0 ? "" : `${euros(grossCents)} − ${euros(discountCents)} = `
  return `${less}${euros(totalCents)} EUR: ${euros(creditCents)} credit + ${euros(cardCents)} card`
}

const deadline = ({ status, price }: OrderRow, nowMs: Millis): string =>
  status === "awaiting_payment" && price !== null ? ` · expires in ${until(price.expiresAtMs, nowMs)}` : ""

const asideOf = ({ quoteId, orderId, idempotencyKey, mode }: OrderRow): ReadonlyArray<string> => [
  orderId === null ? shortId(quoteId) : `${shortId(orderId)} from ${shortId(quoteId)}`,
  ...(mode === "sandbox" ? ["sandbox"] : []),
  ...(idempotencyKey === null ? [] : [`key ${column(idempotencyKey, 12).trimEnd()}`])
]

const Life = ({ row, columns }: { readonly row: OrderRow; readonly columns: number }) => {
  const gap = Math.min(WIDEST_GAP, Math.floor((columns - LABEL_CELLS) / (LABELS.length - 1)) - 1)
  const { done, ahead } = progressBar({ quote: row.status, links: row.links.map(({ status }) => status) }, gap)
  return (
    <>
      <Row>
        {done}
        <Styled tone="quiet">{ahead}</Styled>
      </Row>
      <Row>
        <Styled tone="quiet">
          {LABELS.map((label) => column(label, gap + 1))
            .join("")
            .trimEnd()}
        </Styled>
      </Row>
    </>
  )
}

const Links = ({ row, most }: { readonly row: OrderRow; readonly most: number }) => (
  <>
    {row.links.slice(0, most).map(({ linkId, domain, shelf, netCents, status, anchorText }) => (
      <Row key={linkId}>
        <Styled tone="quiet">{"  link "}</Styled>
        {column(domain, 26)} {column(shelf, 8)} {columnRight(euros(netCents), 7)} {column(status.replace("_", " "), 10)}{" "}
        <Styled tone="quiet">{`“${oneLine(anchorText)}”`}</Styled>
      </Row>
    ))}
  </>
)

export const TimelinePane = ({
  row,
  nowMs,
  startedAtMs,
  cell
}: {
  readonly row: OrderRow | undefined
  readonly nowMs: Millis
  readonly startedAtMs: Millis
  readonly cell: Cell
}) => {
  const { columns, rows } = inside(cell)
  if (row === undefined)
    return (
      <Pane cell={cell} aside={[]}>
        <Styled tone="quiet">The selected order's life will be here.</Styled>
      </Pane>
    )
  const linkRows = Math.max(0, Math.min(row.links.length, rows - HEAD_ROWS - ROWS_FOR_LINKS))
  const shown = row.timeline.slice(-Math.max(1, rows - HEAD_ROWS + 1 - linkRows))
  return (
    <Pane cell={cell} aside={asideOf(row)}>
      <Row>
        {money(row)}
        <Styled tone="quiet">{deadline(row, nowMs)}</Styled>
      </Row>
      <Life row={row} columns={columns} />
      <Links row={row} most={linkRows} />
      {shown.map(({ id, atMs, text, cents }) => (
        <Row key={id}>
          <Styled tone="quiet">{column(clock(atMs, startedAtMs), CLOCK_CELLS)}</Styled>{" "}
          {column(text, columns - CLOCK_CELLS - AMOUNT_CELLS - 1)}
          {columnRight(cents === null ? "" : euros(cents), AMOUNT_CELLS)}
        </Row>
      ))}
    </Pane>
  )
}
