// Turns a paid quote into an order with links. Orders that credit covers and payments by card both end here.
import type { Link, LinkStatus } from "#core/domain/ordering/Link.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { Quote, QuoteLine } from "#core/domain/ordering/Quote.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import type { OrderId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { find } from "../Books.ts"
import type { Draft } from "../Draft.ts"
import { raiseAccepted, raiseQuoteEvent } from "../webhooks/RaiseEvent.ts"
import { spendReservations } from "./Reservations.ts"

export interface FulfilmentRules {
  readonly settings: ShopSettings
  readonly render: Rendering
}

/** Plancton links are assigned at once, unless fulfilment is manual. All others wait for the operator. */
const firstStatuses = (draft: Draft, line: QuoteLine, settings: ShopSettings): ReadonlyArray<LinkStatus> => {
  const fulfilment = draft.books.fulfilment ?? settings.fulfilment
  return line.shelf === "Plancton" && fulfilment === "auto" ? ["to_assign", "assigned"] : ["to_assign"]
}

const linkFor = (
  draft: Draft,
  quote: Quote,
  orderId: OrderId,
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
    reference: item.reference ?? null,
    priceCents: line.priceCents,
    netCents: line.netCents,
    turnaroundDays: line.turnaroundDays ?? null,
    status: statuses.at(-1) ?? "to_assign",
    statusReason: null,
    publishedUrl: null,
    publishedAtMs: null,
    history: statuses.map((status) => ({ status, atMs }))
  }
}

export interface Placed {
  readonly quote: Quote
  readonly order: Order
  readonly links: ReadonlyArray<Link>
}

/** Makes the order and its links, spends what the quote reserved, and raises `order.accepted`. */
export const settleQuote = (draft: Draft, quote: Quote, rules: FulfilmentRules): Placed => {
  const { quoteId, accountId, keyId, memberId, mode, totalCents, holdId, reference } = quote
  const placed = { accountId, keyId, ...(memberId === undefined ? {} : { memberId }), mode }
  const orderId = draft.nextId("ord_", mode)
  const links = quote.lines.map((line, index) => linkFor(draft, quote, orderId, line, index, rules.settings))
  const linkIds = links.map(({ linkId }) => linkId)
  const createdAtMs = draft.context.nowMs
  const order = { orderId, quoteId, ...placed, linkIds, totalCents, createdAtMs, reference }
  draft.record({ _tag: "OrderPlaced", order, links })
  draft.record({ _tag: "QuoteSettled", quoteId, orderId, holdId })
  if (mode === "live") spendReservations(draft, quote, orderId)
  const settled = find(draft.books.quotes, quoteId) ?? quote
  raiseAccepted(draft, rules.render, { order, quote: settled, links })
  raiseQuoteEvent(draft, rules.render, "quote.paid", { quote: settled, links })
  return { quote: settled, order, links }
}
