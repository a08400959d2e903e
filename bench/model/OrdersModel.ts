// The part of the model about quotes and their orders: the status of each, and its timeline with every change and amount. A
// repeated or late event never sets a status back.
import { canMove, type LinkStatus } from "#core/domain/ordering/Link.ts"
import { type AbandonedBy, awaitsApproval, isOpen } from "#core/domain/ordering/Quote.ts"
import type { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import type { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { BenchEvent, EventOf, LinkSummary } from "../events/BenchEvent.ts"
import { append, appendOver } from "./BoundedList.ts"
import {
  documentEntry,
  linkEntry,
  movementEntry,
  orderEntry,
  quoteEntries,
  type TimelineEntry
} from "./TimelineEntries.ts"
import type { WalletMovement } from "./WalletsModel.ts"

type Opened = EventOf<"QuoteOpened">

export type Price = Pick<
  Opened,
  "grossCents" | "discountCents" | "discountLabel" | "creditCents" | "cardCents" | "expiresAtMs"
>

export interface OrderRow extends Pick<Opened, "quoteId" | "accountId" | "mode" | "idempotencyKey" | "totalCents"> {
  /** `null` for an order that was placed before the bench began to watch. */
  readonly price: Price | null
  /** The number of links, ordered or quoted. */
  readonly size: number
  readonly status: QuoteStatus
  readonly abandonedBy: AbandonedBy | null
  /** `null` until the quote is paid. */
  readonly orderId: OrderId | null
  readonly links: ReadonlyArray<LinkSummary>
  readonly timeline: ReadonlyArray<TimelineEntry>
}

/** Since the service opened, dropped rows included. */
export interface Counts {
  readonly opened: number
  readonly placed: number
  readonly abandoned: number
  readonly published: number
  readonly cancelled: number
}

export interface OrdersModel {
  /** Oldest first. */
  readonly rows: ReadonlyArray<OrderRow>
  readonly counts: Counts
  /** Wallet movements that came before their quote. */
  readonly early: ReadonlyArray<WalletMovement>
}

export const MAX_ORDERS = 200
export const MAX_ENTRIES_PER_ORDER = 100
export const MAX_EARLY = 32

export const emptyOrders: OrdersModel = {
  rows: [],
  counts: { opened: 0, placed: 0, abandoned: 0, published: 0, cancelled: 0 },
  early: []
}

/** In an end state, which only a late payment can still change. */
export const isOver = ({ status, links }: OrderRow): boolean =>
  status === "abandoned" ||
  (links.length > 0 && links.every((link) => link.status === "verified" || link.status === "cancelled"))

/** Sorted by time, for entries that come late. */
const addEntry = (row: OrderRow, entry: TimelineEntry): OrderRow => {
  if (row.timeline.some(({ id }) => id === entry.id)) return row
  const timeline = append(row.timeline, entry, MAX_ENTRIES_PER_ORDER)
  const isLate = (row.timeline.at(-1)?.atMs ?? 0) > entry.atMs
  return { ...row, timeline: isLate ? timeline.toSorted((a, b) => a.atMs - b.atMs) : timeline }
}

const count = (orders: OrdersModel, what: keyof Counts): OrdersModel => ({
  ...orders,
  counts: { ...orders.counts, [what]: orders.counts[what] + 1 }
})

/** Changes the matching row; events of dropped rows are still counted. */
const change = (
  orders: OrdersModel,
  matches: (row: OrderRow) => boolean,
  next: (row: OrderRow) => OrderRow,
  what?: keyof Counts
): OrdersModel => {
  const index = orders.rows.findLastIndex(matches)
  const row = orders.rows[index]
  const changed = row === undefined ? undefined : next(row)
  if (row !== undefined && changed === row) return orders
  const counted = what === undefined ? orders : count(orders, what)
  return changed === undefined ? counted : { ...counted, rows: orders.rows.with(index, changed) }
}

const add = (orders: OrdersModel, row: OrderRow): OrdersModel => {
  const own = orders.early.filter(({ quoteId }) => quoteId === row.quoteId)
  const complete = own.reduce((soFar, movement) => addEntry(soFar, movementEntry(movement)), row)
  const early = own.length === 0 ? orders.early : orders.early.filter((movement) => !own.includes(movement))
  return { ...orders, early, rows: appendOver(orders.rows, complete, MAX_ORDERS, isOver) }
}

const byQuote =
  (id: QuoteId) =>
  ({ quoteId }: OrderRow): boolean =>
    quoteId === id

const opened = (orders: OrdersModel, event: Opened): OrdersModel => {
  if (orders.rows.some(byQuote(event.quoteId))) return orders
  const { quoteId, accountId, mode, idempotencyKey, totalCents, lines } = event
  const { grossCents, discountCents, discountLabel, creditCents, cardCents, expiresAtMs } = event
  const row: OrderRow = {
    quoteId,
    accountId,
    mode,
    idempotencyKey,
    totalCents,
    price: { grossCents, discountCents, discountLabel, creditCents, cardCents, expiresAtMs },
    size: lines.length,
    status: event.awaitsApproval ? "awaiting_approval" : "awaiting_payment",
    abandonedBy: null,
    orderId: null,
    links: [],
    timeline: quoteEntries(event)
  }
  return count(add(orders, row), "opened")
}

const placed = (orders: OrdersModel, event: EventOf<"OrderPlaced">): OrdersModel => {
  const { quoteId, orderId, accountId, mode, totalCents, links } = event
  const place = (row: OrderRow): OrderRow =>
    row.links.length > 0
      ? row
      : addEntry({ ...row, status: "paid", orderId, links, size: links.length }, orderEntry(event))
  if (orders.rows.some(byQuote(quoteId))) return change(orders, byQuote(quoteId), place, "placed")
  const unseen: OrderRow = {
    quoteId,
    accountId,
    mode,
    idempotencyKey: null,
    totalCents,
    price: null,
    size: links.length,
    status: "paid",
    abandonedBy: null,
    orderId,
    links: [],
    timeline: []
  }
  return count(add(orders, place(unseen)), "placed")
}

const isAllowed = (from: LinkStatus, to: LinkStatus): boolean =>
  to === "cancelled" ? from !== "cancelled" : canMove(from, to)

const linkMoved = (orders: OrdersModel, event: EventOf<"LinkMoved">): OrdersModel => {
  const { orderId, linkId, to } = event
  const move = (row: OrderRow): OrderRow => {
    const index = row.links.findIndex((link) => link.linkId === linkId)
    const link = row.links[index]
    if (link === undefined || !isAllowed(link.status, to)) return row
    return addEntry({ ...row, links: row.links.with(index, { ...link, status: to }) }, linkEntry(event, link.domain))
  }
  const what = to === "published" || to === "cancelled" ? to : undefined
  return change(orders, (row) => row.orderId === orderId, move, what)
}

const walletMoved = (orders: OrdersModel, movement: WalletMovement): OrdersModel => {
  const { quoteId, orderId } = movement
  if (quoteId === null && orderId === null) return orders
  const matches = (row: OrderRow): boolean => row.quoteId === quoteId || (orderId !== null && row.orderId === orderId)
  if (orders.rows.some(matches)) return change(orders, matches, (row) => addEntry(row, movementEntry(movement)))
  if (orders.early.some(({ entryId }) => entryId === movement.entryId)) return orders
  return { ...orders, early: append(orders.early, movement, MAX_EARLY) }
}

export const reduceOrders = (orders: OrdersModel, event: BenchEvent): OrdersModel => {
  switch (event._tag) {
    case "ServiceOpened":
      return emptyOrders
    case "QuoteOpened":
      return opened(orders, event)
    case "PaymentLinkReady":
    case "PaymentArrived":
    case "QuoteCredited":
      return change(orders, byQuote(event.quoteId), (row) => addEntry(row, orderEntry(event)))
    case "QuoteApproved": {
      const { quoteId, expiresAtMs } = event
      const approve = (row: OrderRow): OrderRow => {
        const approved = addEntry(row, orderEntry(event))
        if (!awaitsApproval(row)) return approved
        const price = row.price && { ...row.price, expiresAtMs }
        return { ...approved, status: "awaiting_payment", price }
      }
      return change(orders, byQuote(quoteId), approve)
    }
    case "QuotePaid": {
      const { quoteId, orderId } = event
      const pay = (row: OrderRow): OrderRow =>
        row.orderId !== null ? row : addEntry({ ...row, status: "paid", abandonedBy: null, orderId }, orderEntry(event))
      return change(orders, byQuote(quoteId), pay)
    }
    case "QuoteAbandoned": {
      const { quoteId, by } = event
      const abandon = (row: OrderRow): OrderRow =>
        !isOpen(row) ? row : addEntry({ ...row, status: "abandoned", abandonedBy: by }, orderEntry(event))
      return change(orders, byQuote(quoteId), abandon, "abandoned")
    }
    case "OrderPlaced":
      return placed(orders, event)
    case "LinkMoved":
      return linkMoved(orders, event)
    case "DocumentIssued": {
      const { orderId } = event
      return change(
        orders,
        (row) => row.orderId === orderId,
        (row) => addEntry(row, documentEntry(event))
      )
    }
    case "WalletMoved":
      return walletMoved(orders, event)
    default:
      return orders
  }
}
