// Raises an event of an order or a quote and queues a delivery of it for each subscription that receives it (a transactional outbox).
import { HashMap } from "effect"
import { type Placed, type PlacedBy, placedBy } from "#core/domain/access/PlacedBy.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { type Order, orderRevision, orderStatus } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import type {
  Abandoner,
  Event,
  EventData,
  EventType,
  OrderEventType,
  QuoteEventType
} from "#core/domain/webhooks/Event.ts"
import { eventIdAt } from "#core/domain/webhooks/EventIds.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { isFor, names, receives, type Subscription } from "#core/domain/webhooks/Subscription.ts"
import { type Books, find, linksOf } from "../Books.ts"
import type { Draft } from "../Draft.ts"

/** A delivery that is due at once. */
export const newDelivery = (
  draft: Draft,
  { webhookId, accountId, keyId, mode }: Subscription,
  { eventId, event, body, atMs }: Pick<Delivery, "eventId" | "event" | "body"> & { readonly atMs: Millis }
): Delivery => ({
  deliveryId: draft.nextId("dlv_", mode),
  webhookId,
  accountId,
  keyId,
  mode,
  eventId,
  event,
  body,
  createdAtMs: atMs,
  state: "pending",
  attempts: [],
  attemptsInRun: 0,
  nextAttemptAtMs: atMs
})

const record = (draft: Draft, event: Event): void => {
  const { eventId, type, body, atMs } = event
  draft.record({ _tag: "EventRaised", event })
  if (body === null) return
  for (const subscription of HashMap.values(draft.books.subscriptions)) {
    if (!isFor(subscription, event) || !receives(subscription, type)) continue
    const delivery = newDelivery(draft, subscription, { eventId, event: type, body, atMs })
    draft.record({ _tag: "DeliveryQueued", delivery })
  }
}

/** The books of every decision that raises an event have the key that ordered. */
const placerIn = ({ keys }: Books, placed: Placed): PlacedBy => placedBy(placed, find(keys, placed.keyId)?.label ?? "")

/** Whether a webhook names the event of what was placed. A disabled one gets it by a replay. */
const isNamed = (
  { subscriptions }: Books,
  placed: Pick<Order, "keyId" | "accountId" | "mode">,
  type: EventType
): boolean => {
  for (const one of HashMap.values(subscriptions))
    if (isFor(one, placed) && one.revokedAtMs === null && names(one, type)) return true
  return false
}

/** These follow each move of a link: what they show is told by the histories, too. */
const WITHOUT_BODY: ReadonlySet<EventType> = new Set<EventType>(["order.completed", "order.updated"])

type About = Omit<EventData, "eventId" | "type" | "atMs" | "placedBy">

const nthOf = (type: OrderEventType, { links, link }: About): { readonly nth?: number } => {
  if (type === "order.updated") return { nth: orderRevision(links) }
  return type === "order.published" && link !== undefined ? { nth: link.index } : {}
}

export const raiseEvent = (draft: Draft, render: Rendering, type: OrderEventType, about: About): void => {
  const { order, link, links, changedLinkIds = [] } = about
  const { mode, keyId, accountId, orderId } = order
  const { idPrefix, nowMs: atMs } = draft.context
  const eventId = eventIdAt({ type, mode, ...nthOf(type, about) }, idPrefix)
  const linkId = link?.linkId ?? null
  const raised = { eventId, type, mode, keyId, accountId, orderId, linkId, quoteId: null, atMs }
  if (WITHOUT_BODY.has(type) && !isNamed(draft.books, order, type)) {
    const entries = links.map(({ history }) => history.length)
    record(draft, { ...raised, body: null, facts: { entries, changedLinkIds } })
  } else {
    const placer = placerIn(draft.books, order)
    record(draft, { ...raised, body: render.event({ eventId, type, atMs, placedBy: placer, ...about }) })
  }
}

/** `order.accepted`. Not written unless a webhook names it, because the order itself tells as much. */
export const raiseAccepted = (
  draft: Draft,
  render: Rendering,
  about: Pick<EventData, "order" | "quote" | "links">
): void => {
  if (isNamed(draft.books, about.order, "order.accepted")) raiseEvent(draft, render, "order.accepted", about)
}

/** `order.updated`, once for everything that a decision changed, and `order.completed` if that completed the order. */
export const raiseUpdated = (draft: Draft, render: Rendering, order: Order): void => {
  const { books, before } = draft
  const quote = find(books.quotes, order.quoteId)
  if (quote === undefined) return
  const links = linksOf(books, order)
  const about = { order, quote, links }
  const isCompleted = orderStatus(links) === "completed" && orderStatus(linksOf(before, order)) !== "completed"
  if (isCompleted) raiseEvent(draft, render, "order.completed", about)
  const changedLinkIds = order.linkIds.filter((linkId) => find(before.links, linkId) !== find(books.links, linkId))
  raiseEvent(draft, render, "order.updated", { ...about, changedLinkIds })
}

/** An event of a quote as it is now. `quote.paid` is not written unless a webhook names it, like `order.accepted`. */
export const raiseQuoteEvent = (
  draft: Draft,
  render: Rendering,
  type: QuoteEventType,
  about: { readonly quote: Quote; readonly links?: ReadonlyArray<Link>; readonly by?: Abandoner }
): void => {
  const { quote, links = [], ...more } = about
  if (type === "quote.paid" && !isNamed(draft.books, quote, type)) return
  const { mode, keyId, accountId, quoteId } = quote
  const { idPrefix, nowMs: atMs } = draft.context
  const eventId = eventIdAt({ type, mode }, idPrefix)
  const body = render.quoteEvent({ eventId, type, atMs, quote, links, placedBy: placerIn(draft.books, quote), ...more })
  record(draft, { eventId, type, mode, keyId, accountId, orderId: null, linkId: null, quoteId, body, atMs })
}
