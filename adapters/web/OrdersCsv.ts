// Lists as CSV, sent page by page.
import { Effect, Stream } from "effect"
import { timestamp } from "#adapters/contract/schema/Text.ts"
import { csvLine } from "#adapters/contract/shared/Csv.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { EntryId, OrderId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"

const eur = (cents: number): number => cents / 100

/** A list that is read page by page, after its head. */
const paged = <A, Id extends string, E>(
  head: ReadonlyArray<string>,
  read: (beforeId: Id | null) => Effect.Effect<{ readonly rows: ReadonlyArray<A>; readonly next: Id | null }, E>,
  lines: (row: A) => string
): Stream.Stream<string, E> =>
  Stream.concat(
    Stream.make(csvLine(head)),
    Stream.unfold<Id | null | undefined, string, E, never>(null, (beforeId) =>
      beforeId === undefined
        ? Effect.succeed(undefined)
        : Effect.map(read(beforeId), ({ rows, next }) => [rows.map(lines).join(""), next ?? undefined] as const)
    )
  )

const LINKS = [
  "order_id",
  "ordered_at",
  "sandbox",
  "link_id",
  "site",
  "target_url",
  "anchor_text",
  "state",
  "published_url",
  "price_eur",
  "net_price_eur"
]

const orderLines = ({ order, links }: OrderWithLinks): string =>
  links
    .map((link) =>
      csvLine([
        order.orderId,
        timestamp(order.createdAtMs),
        order.mode === "sandbox" ? "yes" : "no",
        link.linkId,
        link.domain,
        link.targetUrl,
        link.anchorText,
        link.status,
        link.publishedUrl,
        eur(link.priceCents),
        eur(link.netCents)
      ])
    )
    .join("")

/** One line for each link. */
export const linesCsv = <E>(
  read: (
    beforeId: OrderId | null
  ) => Effect.Effect<{ readonly orders: ReadonlyArray<OrderWithLinks>; readonly nextBeforeId: OrderId | null }, E>
): Stream.Stream<string, E> =>
  paged(
    LINKS,
    (beforeId: OrderId | null) =>
      Effect.map(read(beforeId), ({ orders: rows, nextBeforeId: next }) => ({ rows, next })),
    orderLines
  )

const ENTRIES = [
  "entry_id",
  "at",
  "kind",
  "balance_change_eur",
  "held_change_eur",
  "balance_eur",
  "held_eur",
  "quote_id",
  "order_id",
  "reference"
]

const entryLine = (entry: LedgerEntry): string =>
  csvLine([
    entry.entryId,
    timestamp(entry.atMs),
    entry.kind,
    eur(entry.balanceDeltaCents),
    eur(entry.heldDeltaCents),
    eur(entry.balanceAfterCents),
    eur(entry.heldAfterCents),
    entry.quoteId,
    entry.orderId,
    entry.reference ?? null
  ])

export const ledgerCsv = <E>(
  read: (
    beforeId: EntryId | null
  ) => Effect.Effect<{ readonly entries: ReadonlyArray<LedgerEntry>; readonly nextBeforeId: EntryId | null }, E>
): Stream.Stream<string, E> =>
  paged(
    ENTRIES,
    (beforeId: EntryId | null) =>
      Effect.map(read(beforeId), ({ entries: rows, nextBeforeId: next }) => ({ rows, next })),
    entryLine
  )
