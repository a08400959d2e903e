// Lists as CSV, sent page by page.
import { Effect, Stream } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { timestamp, timestampOrNull } from "#adapters/contract/schema/Text.ts"
import { BYTE_ORDER_MARK, csvLine } from "#adapters/contract/shared/Csv.ts"
import { dueAtMs } from "#core/domain/ordering/DueDate.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { Order, OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
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

/** Who and where first; ids are the last columns. */
const linkColumns: Columns<Line> = {
  target_domain: ({ link }) => targetHost(link),
  ordered_at: ({ order }) => timestamp(order.createdAtMs),
  order_reference: ({ order }) => order.reference,
  sandbox: ({ order }) => (order.mode === "sandbox" ? "yes" : "no"),
  site: ({ link }) => link.domain,
  target_url: ({ link }) => link.targetUrl,
  anchor_text: ({ link }) => link.anchorText,
  state: ({ link }) => link.status,
  published_url: ({ link }) => link.publishedUrl,
  due_at: ({ link }) => timestampOrNull(dueAtMs(link)),
  price_eur: ({ link }) => eur(link.priceCents),
  net_price_eur: ({ link }) => eur(link.netCents),
  reference: ({ link }) => link.reference,
  order_id: ({ order }) => order.orderId,
  link_id: ({ link }) => link.linkId
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
    { ordered_by: ({ order }: Line) => orderedBy(order), ...linkColumns },
    (beforeId: OrderId | null) =>
      Effect.map(read(beforeId), ({ orders, nextBeforeId: next }) => ({
        rows: orders.flatMap(({ order, links }) => links.map((link) => ({ order, link }))),
        next
      }))
  )

/** An entry of the ledger, and who bought what by it; `null` where nothing was bought. */
export interface ExplainedEntry {
  readonly entry: LedgerEntry
  readonly by: string | null
  readonly targetDomains: ReadonlyArray<string>
}

const entryColumns: Columns<ExplainedEntry> = {
  by: ({ by }) => by,
  target_domains: ({ targetDomains }) => targetDomains.join(" ") || null,
  at: ({ entry }) => timestamp(entry.atMs),
  kind: ({ entry }) => entry.kind,
  balance_change_eur: ({ entry }) => eur(entry.balanceDeltaCents),
  held_change_eur: ({ entry }) => eur(entry.heldDeltaCents),
  balance_eur: ({ entry }) => eur(entry.balanceAfterCents),
  held_eur: ({ entry }) => eur(entry.heldAfterCents),
  reference: ({ entry }) => entry.reference ?? null,
  order_id: ({ entry }) => entry.orderId,
  quote_id: ({ entry }) => entry.quoteId,
  entry_id: ({ entry }) => entry.entryId
}

export const ledgerCsv = (
  read: (
    beforeId: EntryId | null
  ) => Effect.Effect<
    { readonly entries: ReadonlyArray<ExplainedEntry>; readonly nextBeforeId: EntryId | null },
    Failure
  >
) =>
  paged("credit.csv", entryColumns, (beforeId: EntryId | null) =>
    Effect.map(read(beforeId), ({ entries: rows, nextBeforeId: next }) => ({ rows, next }))
  )
