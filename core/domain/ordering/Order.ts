// A settled purchase and its links. Its status is derived from theirs, never stored.
import { Schema } from "effect"
import type { PlacedBy } from "../access/PlacedBy.ts"
import { hostIsWithin, targetHost } from "../pricing/Cart.ts"
import { Cents, sum } from "../pricing/Money.ts"
import { Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, KeyId, LinkId, MemberId, OrderId, type ProjectId, QuoteId } from "../shared/Ids.ts"
import { isOverdue } from "./DueDate.ts"
import { isOnline, isUnderway, type Link, type LinkStatus, linkCreditedCents } from "./Link.ts"

export const OrderStatus = Schema.Literals(["paid", "in_progress", "completed", "cancelled"])
export type OrderStatus = typeof OrderStatus.Type

export const Order = Schema.Struct({
  orderId: OrderId,
  quoteId: QuoteId,
  accountId: AccountId,
  keyId: KeyId,
  /** Who ordered it in the Shop; absent for agents, and before this was kept. */
  memberId: Schema.optionalKey(MemberId),
  mode: Mode,
  linkIds: Schema.Array(LinkId),
  totalCents: Cents,
  createdAtMs: Millis,
  /** The buyer's own, as in its quote. */
  reference: Schema.NullOr(Schema.String)
})
export type Order = typeof Order.Type

export interface OrderWithLinks {
  readonly order: Order
  /** In the order of the quote's lines. */
  readonly links: ReadonlyArray<Link>
}

export interface PlacedOrder extends OrderWithLinks {
  readonly placedBy: PlacedBy
}

/** Narrows a list of orders beside their status. All conditions hold; an absent one does not count. */
export interface OrderConditions {
  readonly createdFromMs?: Millis
  /** Inclusive. */
  readonly createdToMs?: Millis
  /** A link goes to this domain or a subdomain of it, cancelled or not. As in the host of a URL. */
  readonly targetDomain?: string
  /** A link is for this project. */
  readonly projectId?: ProjectId
  /** The order, or a link of it, has this reference. */
  readonly reference?: string
  /** A link is on this site, cancelled or not. */
  readonly siteId?: number
  /**
   * The order's id or reference, or the site, target, anchor text, published URL or reference of a link, contains it. A to Z count as a to z; other letters as they
   * are written, so that every store finds the same.
   */
  readonly text?: string
}

/** A to Z as a to z, as every store compares texts. */
export const foldAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

const contains = ({ order, links }: OrderWithLinks, text: string): boolean => {
  const part = foldAscii(text)
  const isIn = (value: string | null) => value !== null && foldAscii(value).includes(part)
  return (
    [order.orderId, order.reference].some(isIn) ||
    links.some((link) => [link.domain, link.targetUrl, link.anchorText, link.publishedUrl, link.reference].some(isIn))
  )
}

export const meetsConditions = ({ order, links }: OrderWithLinks, conditions: OrderConditions): boolean => {
  const { createdFromMs, createdToMs, targetDomain, projectId, reference, siteId, text } = conditions
  return (
    (createdFromMs === undefined || order.createdAtMs >= createdFromMs) &&
    (createdToMs === undefined || order.createdAtMs <= createdToMs) &&
    (targetDomain === undefined || links.some((link) => hostIsWithin(targetHost(link), targetDomain))) &&
    (projectId === undefined || links.some((link) => link.projectId === projectId)) &&
    (reference === undefined || [order, ...links].some((one) => one.reference === reference)) &&
    (siteId === undefined || links.some((link) => link.siteId === siteId)) &&
    (text === undefined || contains({ order, links }, text))
  )
}

export const orderStatus = (links: ReadonlyArray<{ readonly status: LinkStatus }>): OrderStatus => {
  const active = links.filter(({ status }) => status !== "cancelled")
  if (active.length === 0) return "cancelled"
  if (active.every(({ status }) => isOnline(status))) return "completed"
  if (active.some(({ status }) => isUnderway(status))) return "in_progress"
  return "paid"
}

export const publishedCount = (links: ReadonlyArray<{ readonly status: LinkStatus }>): number =>
  links.filter(({ status }) => isOnline(status)).length

/** Rises with every step of a link, and never falls. */
export const orderRevision = (links: ReadonlyArray<Pick<Link, "history">>): number =>
  links.reduce((steps, { history }) => steps + history.length, 0)

/** What cancelled links have credited, or in sandbox would have. */
export const creditedCents = (links: ReadonlyArray<Pick<Link, "status" | "netCents" | "history">>): Cents =>
  sum(links.map(linkCreditedCents))

/** What the orders of a list cost and gave back. */
export const OrderTotals = Schema.Struct({ count: Schema.Int, totalCents: Cents, creditedCents: Cents })
export type OrderTotals = typeof OrderTotals.Type

export const totalsOf = (orders: ReadonlyArray<OrderWithLinks>): OrderTotals => ({
  count: orders.length,
  totalCents: sum(orders.map(({ order }) => order.totalCents)),
  creditedCents: sum(orders.map(({ links }) => creditedCents(links)))
})

/** A link beside its order, as lists of links show it. */
export interface OrderedLink {
  readonly order: Omit<Order, "linkIds">
  readonly link: Link
}

export interface PlacedLink extends OrderedLink {
  readonly placedBy: PlacedBy
}

/** Narrows a list of links. All conditions hold; an absent one does not count. What orders are narrowed by counts for each link alone. */
export interface LinkConditions extends Omit<OrderConditions, "text"> {
  readonly status?: LinkStatus
  /** `false`: it is not. */
  readonly overdue?: boolean
}

export const linkMeets = (
  { order, link }: { readonly order: Order; readonly link: Link },
  { status, overdue, ...conditions }: LinkConditions,
  asOfMs: Millis
): boolean =>
  (status === undefined || link.status === status) &&
  (overdue === undefined || isOverdue(link, asOfMs) === overdue) &&
  meetsConditions({ order, links: [link] }, conditions)
