// One order in full: its price and payment, progress bar, links, and every change with its amount.
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { OrderRow } from "../model/OrdersModel.ts"
import { CLOCK_CELLS, clock, column, columnRight, euros, oneLine, shortId, until } from "./Format.ts"
import { inside, Pane, type PaneProps, startOf } from "./Pane.tsx"
import { LABELS, progressBar } from "./ProgressBar.ts"
import { Row, Styled } from "./Styled.tsx"
import { selectedOrder } from "./View.ts"

const AMOUNT_CELLS = 10
const MAX_GAP = 9
/** The last stop's label needs this much. */
const LABEL_CELLS = 6
/** Rows of price and progress bar, and those that the timeline keeps before links are listed. */
const HEAD_ROWS = 4
const TIMELINE_ROWS = 9

const priceText = ({ price, totalCents }: OrderRow): string => {
  if (price === null) return `total ${euros(totalCents)} EUR, ordered before the bench came`
  const { grossCents, discountCents, creditCents, cardCents } = price
  const less = discountCents === 0 ? "" : `${euros(grossCents)} − ${euros(discountCents)} = `
  return `${less}${euros(totalCents)} EUR: ${euros(creditCents)} credit + ${euros(cardCents)} card`
}

/** A quote stays open past its expiry until it is swept, and while a bank debit is under way. */
const expiryText = ({ status, price }: OrderRow, nowMs: Millis): string => {
  if (status !== "awaiting_payment" || price === null) return ""
  return nowMs < price.expiresAtMs
    ? ` · expires in ${until(price.expiresAtMs, nowMs)}`
    : " · still open past its expiry"
}

const summaryOf = ({ quoteId, orderId, idempotencyKey, mode }: OrderRow): ReadonlyArray<string> => [
  orderId === null ? shortId(quoteId) : `${shortId(orderId)} from ${shortId(quoteId)}`,
  ...(mode === "sandbox" ? ["sandbox"] : []),
  ...(idempotencyKey === null ? [] : [`key ${column(idempotencyKey, 12).trimEnd()}`])
]

const Progress = ({ row: { status, links }, columns }: { readonly row: OrderRow; readonly columns: number }) => {
  const gap = Math.min(MAX_GAP, Math.floor((columns - LABEL_CELLS) / (LABELS.length - 1)) - 1)
  const { done, ahead } = progressBar({ quote: status, links: links.map((link) => link.status) }, gap)
  const labels = LABELS.map((label) => column(label, gap + 1)).join("")
  return (
    <>
      <Row>
        {done}
        <Styled tone="quiet">{ahead}</Styled>
      </Row>
      <Row>
        <Styled tone="quiet">{labels.trimEnd()}</Styled>
      </Row>
    </>
  )
}

const Links = ({ links }: Pick<OrderRow, "links">) =>
  links.map(({ linkId, domain, shelf, netCents, status, anchorText }) => (
    <Row key={linkId}>
      <Styled tone="quiet">{"  link "}</Styled>
      {column(domain, 26)} {column(shelf, 8)} {columnRight(euros(netCents), 7)} {column(status.replace("_", " "), 10)}{" "}
      <Styled tone="quiet">{`“${oneLine(anchorText)}”`}</Styled>
    </Row>
  ))

export const TimelinePane = ({ model, view, box }: PaneProps) => {
  const row = selectedOrder(model, view)
  const { columns, rows } = inside(box)
  if (row === undefined)
    return (
      <Pane box={box}>
        <Styled tone="quiet">The selected order's life will be here.</Styled>
      </Pane>
    )
  const linkRows = Math.max(0, Math.min(row.links.length, rows - HEAD_ROWS - TIMELINE_ROWS))
  const entries = row.timeline.slice(-Math.max(1, rows - HEAD_ROWS + 1 - linkRows))
  return (
    <Pane box={box} summary={summaryOf(row)}>
      <Row>
        {priceText(row)}
        <Styled tone="quiet">{expiryText(row, model.nowMs)}</Styled>
      </Row>
      <Progress row={row} columns={columns} />
      <Links links={row.links.slice(0, linkRows)} />
      {entries.map(({ id, atMs, text, cents }) => (
        <Row key={id}>
          <Styled tone="quiet">{column(clock(atMs, startOf(model)), CLOCK_CELLS)}</Styled>{" "}
          {column(text, columns - CLOCK_CELLS - AMOUNT_CELLS - 1)}
          {columnRight(cents === null ? "" : euros(cents), AMOUNT_CELLS)}
        </Row>
      ))}
    </Pane>
  )
}
