// Orders and their links: the list, one order with the status and history of each link, and the sandbox request that advances it.
import { Schema } from "effect"
import { AnchorType, Format, Tier2 } from "#core/domain/Cart.ts"
import { type Link, LinkStatus } from "#core/domain/Link.ts"
import {
  creditedCents,
  type OrderWithLinks,
  orderStatus,
  publishedCount,
  OrderStatus as Status
} from "#core/domain/Order.ts"
import { Cents, Count, Eur, eurOfCents } from "./schema/Amount.ts"
import { Cursor, Limit, NextCursor } from "./schema/Paging.ts"
import { Ok, Sandbox } from "./schema/SuccessBody.ts"
import { Timestamp, timestamp } from "./schema/Text.ts"

export const OrderStatus = Status.annotate({
  description:
    "Follows from the links: `cancelled` when all are; `completed` when every other one is online; `in_progress` once any is drafted; else `paid`."
})
export type OrderStatus = typeof OrderStatus.Type

export const OrdersQuery = Schema.Struct({
  status: Schema.optionalKey(OrderStatus.annotate({ description: "Only orders in this status." })),
  limit: Schema.optionalKey(Limit),
  cursor: Schema.optionalKey(Cursor)
})
export type OrdersQuery = typeof OrdersQuery.Type

const summaryFields = {
  order_id: Schema.String,
  quote_id: Schema.String,
  order_status: OrderStatus,
  total_eur: Eur.annotate({ description: "What the order cost after discount, euros." }),
  items_count: Count,
  published_count: Count.annotate({ description: "Links online." }),
  created_at: Timestamp,
  sandbox: Sandbox
}

export const OrderSummary = Schema.Struct(summaryFields).annotate({
  identifier: "OrderSummary",
  description: "An order in a list."
})
export type OrderSummary = typeof OrderSummary.Type

export const OrderList = Schema.Struct({
  ok: Ok,
  count: Count,
  total: Count,
  orders: Schema.Array(OrderSummary).annotate({ description: "Newest first; only orders placed with this key." }),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "OrderList", description: "A page of this key's orders." })
export type OrderList = typeof OrderList.Type

export const LinkRecord = Schema.Struct({
  link_id: Schema.String,
  site_id: Schema.Int,
  domain: Schema.String,
  format: Format,
  article_id: Schema.NullOr(Schema.Int),
  target_url: Schema.String,
  anchor_text: Schema.String,
  anchor_type: AnchorType,
  tier2_links: Tier2,
  project_id: Schema.NullOr(Schema.String),
  price_eur: Eur.annotate({ description: "Before discount." }),
  net_price_eur: Eur.annotate({ description: "After its share of the discount: what a cancellation gives back." }),
  status: LinkStatus.annotate({
    description: "In this order, save that `cancelled` may follow anything before `published`."
  }),
  status_reason: Schema.NullOr(Schema.String),
  published_url: Schema.NullOr(Schema.String).annotate({ description: "Where the link is, once online." }),
  published_at: Schema.NullOr(Timestamp),
  history: Schema.Array(Schema.Struct({ status: LinkStatus, at: Timestamp }))
}).annotate({ identifier: "Link", description: "One bought link." })
export type LinkRecord = typeof LinkRecord.Type

const orderFields = {
  ...summaryFields,
  credited_cents: Cents.annotate({ description: "What cancelled links gave back as prepaid credit." }),
  items: Schema.Array(LinkRecord)
}

/** An order in an event: `GET /orders/{id}` without `ok`. */
export const OrderRecord = Schema.Struct(orderFields).annotate({
  identifier: "Order",
  description: "An order and its links."
})
export type OrderRecord = typeof OrderRecord.Type

export const OrderDetail = Schema.Struct({ ok: Ok, ...orderFields }).annotate({
  identifier: "OrderDetail",
  description: "An order and the detailed status of each of its links."
})
export type OrderDetail = typeof OrderDetail.Type

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

export const summariseOrder = ({ order, links }: OrderWithLinks): OrderSummary => ({
  order_id: order.orderId,
  quote_id: order.quoteId,
  order_status: orderStatus(links),
  total_eur: eurOfCents(order.totalCents),
  items_count: links.length,
  published_count: publishedCount(links),
  created_at: timestamp(order.createdAtMs),
  sandbox: order.mode === "sandbox"
})

export const showOrderRecord = (found: OrderWithLinks): OrderRecord => ({
  ...summariseOrder(found),
  credited_cents: creditedCents(found.links),
  items: found.links.map(showLink)
})

export const showOrder = (found: OrderWithLinks): OrderDetail => ({ ok: true, ...showOrderRecord(found) })

export const AdvanceRequest = Schema.Struct({
  to: LinkStatus.annotate({
    description: "Where every link of the order should go. Forward only; `cancelled` from anything before `published`."
  })
}).annotate({ identifier: "AdvanceRequest", description: "Where a sandbox order should go." })

export type AdvanceRequest = typeof AdvanceRequest.Type
