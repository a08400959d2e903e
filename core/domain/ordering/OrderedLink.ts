// A link beside its order, as lists of links show it, and what narrows such a list.
import type { PlacedBy } from "../access/PlacedBy.ts"
import type { Cents } from "../pricing/Money.ts"
import type { Millis } from "../shared/DecisionContext.ts"
import { isOverdue } from "./DueDate.ts"
import type { Link, LinkStatus } from "./Link.ts"
import { meetsConditions, type Order, type OrderConditions } from "./Order.ts"

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

/** What all links of a list cost after discount, and what of it came back as credit. */
export interface LinkTotals {
  readonly count: number
  readonly totalCents: Cents
  readonly creditedCents: Cents
}
