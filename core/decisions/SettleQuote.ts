// From a quote that is paid for to an order with links: shared by credit that covers everything and by a payment.

import { HashMap } from "effect"
import type { Delivery } from "#core/domain/Delivery.ts"
import type { Event, EventData, EventType } from "#core/domain/Event.ts"
import type { Link, LinkStatus } from "#core/domain/Link.ts"
import type { Order } from "#core/domain/Order.ts"
import type { Quote, QuoteLine } from "#core/domain/Quote.ts"
import type { Rendering } from "#core/domain/Rendering.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import { receives, type Subscription } from "#core/domain/Subscription.ts"
import { find } from "./Books.ts"
import { type Draft, ledgerEntry } from "./Draft.ts"

export interface FulfilmentRules {
  readonly settings: ShopSettings
  readonly render: Rendering
}

export const raiseEvent = (
  draft: Draft,
  render: Rendering,
  type: EventType,
  about: Pick<EventData, "order" | "quote" | "links" | "link">
): void => {
  const { order, link } = about
  const eventId = draft.nextId("evt_", order.mode)
  const atMs = draft.context.nowMs
  const body = render.event({ eventId, type, atMs, ...about })
  const { mode, keyId, accountId, orderId } = order
  const event = { eventId, type, mode, keyId, accountId, orderId, linkId: link?.linkId ?? null, body, atMs }
  draft.record({ _tag: "EventRaised", event })
  queueDeliveries(draft, event)
}

/** One delivery for each subscription of the order's key that hears such events, due at once. */
const queueDeliveries = (draft: Draft, event: Event): void => {
  const { eventId, type, keyId, body, atMs } = event
  for (const subscription of HashMap.values(draft.books.subscriptions)) {
    if (subscription.keyId !== keyId || !receives(subscription, type)) continue
    draft.record({
      _tag: "DeliveryQueued",
      delivery: newDelivery(draft, subscription, { eventId, event: type, body, atMs })
    })
  }
}

export const newDelivery = (
  draft: Draft,
  { webhookId, accountId, keyId, mode }: Subscription,
  { eventId, event, body, atMs }: Pick<Delivery, "eventId" | "event" | "body"> & { readonly atMs: number }
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

/** Plancton links are assigned by the shop at once, unless the switch says manual; the others wait for the operator. */
const firstStatuses = (draft: Draft, line: QuoteLine, settings: ShopSettings): ReadonlyArray<LinkStatus> => {
  const fulfilment = draft.books.fulfilment ?? settings.fulfilment
  return line.shelf === "Plancton" && fulfilment === "auto" ? ["to_assign", "assigned"] : ["to_assign"]
}

const linkFor = (
  draft: Draft,
  quote: Quote,
  orderId: string,
  line: QuoteLine,
  index: number,
  settings: ShopSettings
): Link => {
  const { item } = line
  const atMs = draft.context.nowMs
  const statuses = firstStatuses(draft, line, settings)
  return {
    linkId: draft.nextId("lnk_", quote.mode),
    orderId,
    quoteId: quote.quoteId,
    accountId: quote.accountId,
    mode: quote.mode,
    index,
    siteId: item.siteId,
    domain: line.domain,
    shelf: line.shelf,
    format: item.format,
    articleId: item.articleId ?? null,
    targetUrl: item.targetUrl,
    anchorText: item.anchorText,
    anchorType: item.anchorType,
    tier2Links: item.tier2Links,
    projectId: item.projectId ?? null,
    opportunityId: item.opportunityId ?? null,
    brief: item.brief ?? null,
    priceCents: line.priceCents,
    netCents: line.netCents,
    status: statuses.at(-1) ?? "to_assign",
    statusReason: null,
    publishedUrl: null,
    publishedAtMs: null,
    history: statuses.map((status) => ({ status, atMs }))
  }
}

/** Turns reservations into sales. Nothing of the kind happens in sandbox. */
const spendReservations = (draft: Draft, quote: Quote): void => {
  const { quoteId, accountId, discount } = quote
  for (const { item } of quote.lines) {
    if (item.articleId !== undefined) draft.record({ _tag: "ArticleSold", articleId: item.articleId, quoteId })
  }
  if (discount.source === "promo" && discount.code !== undefined) {
    draft.record({ _tag: "PromoSpent", code: discount.code, quoteId, accountId })
  }
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeSpent", accountId, quoteId })
}

const captureHold = (draft: Draft, quote: Quote, orderId: string): void => {
  const hold = quote.holdId === null ? undefined : find(draft.books.holds, quote.holdId)
  if (hold === undefined) return
  const refs = { quoteId: quote.quoteId, orderId }
  const entry = ledgerEntry(draft, quote.accountId, { kind: "capture", cents: hold.cents }, refs)
  draft.record({ _tag: "HoldCaptured", holdId: hold.holdId, entry })
}

export interface Placed {
  readonly quote: Quote
  readonly order: Order
  readonly links: ReadonlyArray<Link>
}

/** Settles the quote: captures its hold, sells what it reserved, makes order and links, tells the owner. */
export const settleQuote = (draft: Draft, quote: Quote, shop: FulfilmentRules): Placed => {
  const { quoteId, accountId, keyId, mode, totalCents, holdId } = quote
  const orderId = draft.nextId("ord_", mode)
  const links = quote.lines.map((line, index) => linkFor(draft, quote, orderId, line, index, shop.settings))
  const linkIds = links.map(({ linkId }) => linkId)
  const order = { orderId, quoteId, accountId, keyId, mode, linkIds, totalCents, createdAtMs: draft.context.nowMs }
  draft.record({ _tag: "OrderPlaced", order, links })
  draft.record({ _tag: "QuoteSettled", quoteId, orderId, holdId })
  if (mode === "live") {
    captureHold(draft, quote, orderId)
    spendReservations(draft, quote)
  }
  const settled = find(draft.books.quotes, quoteId) ?? quote
  raiseEvent(draft, shop.render, "order.accepted", { order, quote: settled, links })
  return { quote: settled, order, links }
}
