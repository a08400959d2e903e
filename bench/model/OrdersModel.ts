// What the bench knows of quotes and the orders they became: how far each is, and its timeline with every change and amount.
// One part of the model. A row never goes back in its life, whatever is told twice or late.

import type { Millis, Mode } from "#core/domain/DecisionContext.ts"
import { canCancel, canMove, type LinkStatus } from "#core/domain/Link.ts"
import type { Cents } from "#core/domain/Money.ts"
import type { AbandonedBy, QuoteStatus } from "#core/domain/Quote.ts"
import type { BenchEvent, LinkSeen, OrderEvent } from "../events/BenchEvent.ts"
import { append, appendSparing } from "./BoundedList.ts"
import {
  isSameEntry,
  ofAbandonment,
  ofLink,
  ofMovement,
  ofOrder,
  ofPayment,
  ofPrice,
  type TimelineEntry
} from "./TimelineEntries.ts"
import type { Movement } from "./WalletsModel.ts"

export interface Price {
  readonly grossCents: Cents
  readonly discountCents: Cents
  readonly discountLabel: string
  readonly creditCents: Cents
  readonly cardCents: Cents
  readonly expiresAtMs: Millis
}

export interface OrderRow {
  readonly quoteId: string
  readonly accountId: string
  readonly mode: Mode
  readonly idempotencyKey: string | null
  readonly totalCents: Cents
  /** `null` for an order that was there before the bench. */
  readonly price: Price | null
  /** How many links it has, or will have. */
  readonly size: number
  readonly status: QuoteStatus
  readonly abandonedBy: AbandonedBy | null
  /** `null` until it is paid. */
  readonly orderId: string | null
  readonly links: ReadonlyArray<LinkSeen>
  readonly timeline: ReadonlyArray<TimelineEntry>
}

/** Since the service opened; what is forgotten stays counted. */
export interface Counts {
  readonly opened: number
  readonly placed: number
  readonly abandoned: number
  readonly published: number
  readonly cancelled: number
}

export interface Orders {
  /** Oldest first. */
  readonly rows: ReadonlyArray<OrderRow>
  readonly counts: Counts
  /** Movements told before their quote was. */
  readonly early: ReadonlyArray<Movement>
}

export const MAX_ORDERS = 200
export const MAX_ENTRIES_PER_ORDER = 100
export const MAX_EARLY = 32

const counts: Counts = { opened: 0, placed: 0, abandoned: 0, published: 0, cancelled: 0 }

export const emptyOrders: Orders = { rows: [], counts, early: [] }

type EventOf<Tag extends OrderEvent["_tag"]> = Extract<OrderEvent, { readonly _tag: Tag }> & {
  readonly atMs: Millis
}

/** Nothing more will happen to it, unless a payment comes late. */
export const isOver = ({ status, links }: OrderRow): boolean =>
  status === "abandoned" ||
  (links.length > 0 && links.every((link) => link.status === "verified" || link.status === "cancelled"))

/** In the order of time, even where something is told late. */
const note = (row: OrderRow, moment: TimelineEntry): OrderRow => {
  if (row.timeline.some(isSameEntry(moment))) return row
  const timeline = append(row.timeline, moment, MAX_ENTRIES_PER_ORDER)
  const isLate = (row.timeline.at(-1)?.atMs ?? 0) > moment.atMs
  return { ...row, timeline: isLate ? timeline.toSorted((a, b) => a.atMs - b.atMs) : timeline }
}

const count = (orders: Orders, what: keyof Counts): Orders => ({
  ...orders,
  counts: { ...orders.counts, [what]: orders.counts[what] + 1 }
})

/** Changes the row that `fits`; what happens to a forgotten one is counted all the same. */
const change = (
  orders: Orders,
  fits: (row: OrderRow) => boolean,
  next: (row: OrderRow) => OrderRow,
  what?: keyof Counts
): Orders => {
  const index = orders.rows.findLastIndex(fits)
  const row = orders.rows[index]
  const changed = row === undefined ? undefined : next(row)
  if (row !== undefined && changed === row) return orders
  const counted = what === undefined ? orders : count(orders, what)
  return changed === undefined ? counted : { ...counted, rows: orders.rows.with(index, changed) }
}

const remember = (orders: Orders, row: OrderRow): Orders => {
  const mine = orders.early.filter(({ quoteId }) => quoteId === row.quoteId)
  const told = mine.reduce((told, movement) => note(told, ofMovement(movement)), row)
  const early = mine.length === 0 ? orders.early : orders.early.filter((movement) => !mine.includes(movement))
  return { ...orders, early, rows: appendSparing(orders.rows, told, MAX_ORDERS, isOver) }
}

const byQuote =
  (id: string) =>
  ({ quoteId }: OrderRow): boolean =>
    quoteId === id

const opened = (orders: Orders, event: EventOf<"QuoteOpened">): Orders => {
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
    status: "awaiting_payment",
    abandonedBy: null,
    orderId: null,
    links: [],
    timeline: ofPrice(event)
  }
  return count(remember(orders, row), "opened")
}

const placed = (orders: Orders, event: EventOf<"OrderPlaced">): Orders => {
  const { quoteId, orderId, accountId, mode, totalCents, links } = event
  const place = (row: OrderRow): OrderRow =>
    row.links.length > 0 ? row : note({ ...row, status: "paid", orderId, links, size: links.length }, ofOrder(event))
  if (orders.rows.some(byQuote(quoteId))) return change(orders, byQuote(quoteId), place, "placed")
  const before: OrderRow = {
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
  return count(remember(orders, place(before)), "placed")
}

const mayMove = (from: LinkStatus, to: LinkStatus): boolean =>
  to === "cancelled" ? canCancel(from) : canMove(from, to)

const linkMoved = (orders: Orders, event: EventOf<"LinkMoved">): Orders => {
  const { orderId, linkId, to } = event
  const move = (row: OrderRow): OrderRow => {
    const index = row.links.findIndex((link) => link.linkId === linkId)
    const link = row.links[index]
    if (link === undefined || !mayMove(link.status, to)) return row
    return note({ ...row, links: row.links.with(index, { ...link, status: to }) }, ofLink(event, link))
  }
  const what = to === "published" || to === "cancelled" ? to : undefined
  return change(orders, (row) => row.orderId === orderId, move, what)
}

const moved = (orders: Orders, movement: Movement): Orders => {
  const { quoteId, orderId } = movement
  if (quoteId === null && orderId === null) return orders
  const fits = (row: OrderRow): boolean => row.quoteId === quoteId || (orderId !== null && row.orderId === orderId)
  if (orders.rows.some(fits)) return change(orders, fits, (row) => note(row, ofMovement(movement)))
  if (orders.early.some(({ entryId }) => entryId === movement.entryId)) return orders
  return { ...orders, early: append(orders.early, movement, MAX_EARLY) }
}

export const reduceOrders = (orders: Orders, event: BenchEvent): Orders => {
  switch (event._tag) {
    case "ServiceOpened":
      return emptyOrders
    case "QuoteOpened":
      return opened(orders, event)
    case "PaymentLinkReady":
    case "PaymentArrived":
    case "QuoteCredited":
      return change(orders, byQuote(event.quoteId), (row) => note(row, ofPayment(event)))
    case "QuotePaid": {
      const { quoteId, orderId } = event
      const pay = (row: OrderRow): OrderRow =>
        row.orderId !== null ? row : note({ ...row, status: "paid", abandonedBy: null, orderId }, ofPayment(event))
      return change(orders, byQuote(quoteId), pay)
    }
    case "QuoteAbandoned": {
      const { quoteId, by } = event
      const give = (row: OrderRow): OrderRow =>
        row.status !== "awaiting_payment"
          ? row
          : note({ ...row, status: "abandoned", abandonedBy: by }, ofAbandonment(event))
      return change(orders, byQuote(quoteId), give, "abandoned")
    }
    case "OrderPlaced":
      return placed(orders, event)
    case "LinkMoved":
      return linkMoved(orders, event)
    case "WalletMoved":
      return moved(orders, event)
    default:
      return orders
  }
}
