// Lists as CSV, sent page by page.
import { Effect, Stream } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { timestamp, timestampOrNull } from "#adapters/contract/schema/Text.ts"
import { BYTE_ORDER_MARK, csvLine } from "#adapters/contract/shared/Csv.ts"
import { dueAtMs } from "#core/domain/ordering/DueDate.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { Order, OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { EntryId, OrderId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { Reply } from "./Page.ts"

const eur = (cents: number): number => cents / 100

/** The cells of a row, by the names of their columns. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>

/** A list that is read page by page, after its head. */
const paged = <Row, Id extends string>(
  name: string,
  columns: Columns<Row>,
  read: (beforeId: Id | null) => Effect.Effect<{ readonly rows: ReadonlyArray<Row>; readonly next: Id | null }, Failure>
): Reply => {
  const cells = Object.values(columns)
  const lineOf = (row: Row): string => csvLine(cells.map((cell) => cell(row)))
  const content = Stream.concat(
    Stream.make(`${BYTE_ORDER_MARK}${csvLine(Object.keys(columns))}`),
    Stream.unfold<Id | null | undefined, string, Failure, never>(null, (beforeId) =>
      beforeId === undefined
        ? Effect.succeed(undefined)
        : Effect.map(read(beforeId), ({ rows, next }) => [rows.map(lineOf).join(""), next ?? undefined] as const)
    )
  )
  return { _tag: "File", name, contentType: "text/csv; charset=utf-8", content }
}

interface Line {
  readonly order: Order
  readonly link: Link
}

const linkColumns: Columns<Line> = {
  order_id: ({ order }) => order.orderId,
  ordered_at: ({ order }) => timestamp(order.createdAtMs),
  order_reference: ({ order }) => order.reference,
  sandbox: ({ order }) => (order.mode === "sandbox" ? "yes" : "no"),
  link_id: ({ link }) => link.linkId,
  site: ({ link }) => link.domain,
  target_url: ({ link }) => link.targetUrl,
  anchor_text: ({ link }) => link.anchorText,
  state: ({ link }) => link.status,
  published_url: ({ link }) => link.publishedUrl,
  due_at: ({ link }) => timestampOrNull(dueAtMs(link)),
  price_eur: ({ link }) => eur(link.priceCents),
  net_price_eur: ({ link }) => eur(link.netCents),
  reference: ({ link }) => link.reference
}

/** One line for each link. */
export const linesCsv = (
  read: (
    beforeId: OrderId | null
  ) => Effect.Effect<
    { readonly orders: ReadonlyArray<OrderWithLinks>; readonly nextBeforeId: OrderId | null },
    Failure
  >,
  orderedBy: (order: Order) => string
) =>
  paged(
    "orders.csv",
    { ...linkColumns, ordered_by: ({ order }: Line) => orderedBy(order) },
    (beforeId: OrderId | null) =>
      Effect.map(read(beforeId), ({ orders, nextBeforeId: next }) => ({
        rows: orders.flatMap(({ order, links }) => links.map((link) => ({ order, link }))),
        next
      }))
  )

const entryColumns: Columns<LedgerEntry> = {
  entry_id: ({ entryId }) => entryId,
  at: ({ atMs }) => timestamp(atMs),
  kind: ({ kind }) => kind,
  balance_change_eur: ({ balanceDeltaCents }) => eur(balanceDeltaCents),
  held_change_eur: ({ heldDeltaCents }) => eur(heldDeltaCents),
  balance_eur: ({ balanceAfterCents }) => eur(balanceAfterCents),
  held_eur: ({ heldAfterCents }) => eur(heldAfterCents),
  quote_id: ({ quoteId }) => quoteId,
  order_id: ({ orderId }) => orderId,
  reference: ({ reference }) => reference ?? null
}

export const ledgerCsv = (
  read: (
    beforeId: EntryId | null
  ) => Effect.Effect<{ readonly entries: ReadonlyArray<LedgerEntry>; readonly nextBeforeId: EntryId | null }, Failure>
) =>
  paged("credit.csv", entryColumns, (beforeId: EntryId | null) =>
    Effect.map(read(beforeId), ({ entries: rows, nextBeforeId: next }) => ({ rows, next }))
  )
