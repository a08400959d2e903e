// Orders and links as the wire has them.
import type { Link } from "#core/domain/Link.ts"
import { creditedCents, type Order, orderStatus, publishedCount } from "#core/domain/Order.ts"
import { eurOfCents } from "./Amount.ts"
import type { LinkRecord, OrderDetail, OrderRecord, OrderSummary } from "./Orders.ts"
import { timestamp } from "./Text.ts"

export interface OrderAndLinks {
  readonly order: Order
  readonly links: ReadonlyArray<Link>
}

export const showLink = (link: Link): LinkRecord => ({
  link_id: link.linkId,
  site_id: link.siteId,
  domain: link.domain,
  format: link.format,
  article_id: link.articleId,
  target_url: link.targetUrl,
  anchor_text: link.anchorText,
  anchor_type: link.anchorType,
  tier2_links: link.tier2Links,
  project_id: link.projectId,
  price_eur: eurOfCents(link.priceCents),
  net_price_eur: eurOfCents(link.netCents),
  status: link.status,
  status_reason: link.statusReason,
  published_url: link.publishedUrl,
  published_at: link.publishedAtMs === null ? null : timestamp(link.publishedAtMs),
  history: link.history.map(({ status, atMs }) => ({ status, at: timestamp(atMs) }))
})

export const summariseOrder = ({ order, links }: OrderAndLinks): OrderSummary => ({
  order_id: order.orderId,
  quote_id: order.quoteId,
  order_status: orderStatus(links),
  total_eur: eurOfCents(order.totalCents),
  items_count: links.length,
  published_count: publishedCount(links),
  created_at: timestamp(order.createdAtMs),
  sandbox: order.mode === "sandbox"
})

export const showOrderRecord = (found: OrderAndLinks): OrderRecord => ({
  ...summariseOrder(found),
  credited_cents: creditedCents(found.links),
  items: found.links.map(showLink)
})

export const showOrder = (found: OrderAndLinks): OrderDetail => ({ ok: true, ...showOrderRecord(found) })
