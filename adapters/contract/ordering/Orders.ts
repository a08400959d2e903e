// Orders and their links: the list, one order with the status and history of each link, and the sandbox request that advances it.
import { Schema } from "effect"
import type { PlacedBy as Placer } from "#core/domain/access/PlacedBy.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { dueAtMs, isOverdue } from "#core/domain/ordering/DueDate.ts"
import { type Link, LinkStatus } from "#core/domain/ordering/Link.ts"
import {
  creditedCents,
  orderRevision,
  orderStatus,
  type PlacedOrder,
  publishedCount,
  OrderStatus as Status
} from "#core/domain/ordering/Order.ts"
import { orderSummary } from "#core/domain/ordering/OrderSummary.ts"
import type { Reorder } from "#core/domain/ordering/Reorder.ts"
import { AnchorType, Format, Tier2 } from "#core/domain/pricing/Cart.ts"
import { OpportunityId } from "#core/domain/shared/Ids.ts"
import { InvoiceOfOrder, showInvoiceOfOrder } from "../invoicing/Invoices.ts"
import { Cents, Count, Eur, eurOfCents, integer, PageCount } from "../schema/Amount.ts"
import { answerId, SiteDomain } from "../schema/AnswerIds.ts"
import { leftOutFields, totalsField } from "../schema/ListSummary.ts"
import { NextCursor } from "../schema/Paging.ts"
import { PlacedBy, showPlacedBy } from "../schema/PlacedBy.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { CreatedAt, Timestamp, timestamp, timestampOrNull, utcDays } from "../schema/Text.ts"
import { fitsTokens, MAX_RESULT_TOKENS } from "../schema/TokenEstimate.ts"
import { LinkStepRecord, showStep, withoutFormerTexts } from "./LinkHistory.ts"
import { type OrderItem, ProposedItem } from "./OrderRequest.ts"

export const OrderStatus = Status.annotate({
  description:
    "Follows from the links: `cancelled` when all are; `completed` when every other one is online; `in_progress` once any is drafted; else `paid`."
})
export type OrderStatus = typeof OrderStatus.Type

/** In answers. */
export const Reference = Schema.NullOr(Schema.String).annotate({
  description: "The buyer's own; `null` if none was given."
})

const summaryFields = {
  order_id: answerId.order,
  quote_id: answerId.quote,
  order_status: OrderStatus,
  placed_by: PlacedBy,
  total_eur: Eur.annotate({ description: "What the order cost after discount, euros." }),
  items_count: Count.annotate({ description: "Links of the order, cancelled ones too." }),
  published_count: Count.annotate({ description: "Links online." }),
  credited_cents: Cents.annotate({ description: "What cancelled links gave back as prepaid credit, cents." }),
  created_at: CreatedAt,
  reference: Reference,
  sandbox: Sandbox
}

export const OrderSummary = Schema.Struct(summaryFields).annotate({
  identifier: "OrderSummary",
  description: "An order in a list."
})
export type OrderSummary = typeof OrderSummary.Type

export const OrderList = Schema.Struct({
  ok: Ok,
  count: PageCount,
  total: Count.annotate({ description: "Orders that match, on all pages." }),
  orders: Schema.Array(OrderSummary).annotate({
    description: "Newest first; only those placed with this key, unless `scope` is `account`."
  }),
  ...totalsField("order"),
  ...leftOutFields("order"),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "OrderList", description: "A page of this key's orders, or of all of the account's." })
export type OrderList = typeof OrderList.Type

export const LinkRecord = Schema.Struct({
  link_id: answerId.link,
  site_id: answerId.site,
  domain: SiteDomain,
  format: Format.annotate({
    description: "`new_article`: on a new page; `insertion`: in an article that was there already."
  }),
  article_id: Schema.NullOr(answerId.article).annotate({ description: "Of an insertion; `null` for a new article." }),
  target_url: Schema.String.annotate({ description: "The page that it links to, an absolute http or https URL." }),
  anchor_text: Schema.String.annotate({ description: "The words that carry it." }),
  anchor_type: AnchorType.annotate({ description: "How the anchor relates to the keyword." }),
  tier2_links: Tier2.annotate({ description: "Size of its tier-2 pack: 0 (none), 1, 3 or 5." }),
  project_id: Schema.NullOr(answerId.project).annotate({ description: "The project that it is for; `null`: none." }),
  opportunity_id: Schema.NullOr(OpportunityId).annotate({ description: "Of that project's plan; `null`: none." }),
  brief: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({
    description: "Wishes for the writer; `null` for none. Absent if the response would be too long for a model."
  }),
  reference: Reference,
  placed_by: PlacedBy,
  price_eur: Eur.annotate({ description: "With its tier-2 pack, before discount, euros." }),
  net_price_eur: Eur.annotate({
    description: "After its share of the discount, euros: what a cancellation gives back."
  }),
  status: LinkStatus.annotate({
    description: "In this order, save that `cancelled` may follow anything before `published`."
  }),
  status_reason: Schema.NullOr(Schema.String).annotate({
    description: "Why it has this status, in the operator's words; `null` where none were left."
  }),
  published_url: Schema.NullOr(Schema.String).annotate({
    description: "The page that carries the link; `null` until it is online."
  }),
  published_at: Schema.NullOr(Timestamp).annotate({
    description: "When it went online; `null` until then."
  }),
  due_at: Schema.NullOr(Timestamp).annotate({
    description: "By when it is promised to be online; `null` in orders from before such promises."
  }),
  overdue: Schema.Boolean.annotate({ description: "Whether `due_at` is over and it is neither online nor cancelled." }),
  history: Schema.Array(LinkStepRecord).annotate({ description: "Oldest first: each status, and each change." })
}).annotate({ identifier: "OrderedLink", description: "One bought link." })
export type LinkRecord = typeof LinkRecord.Type

const orderFields = {
  ...summaryFields,
  items: Schema.Array(LinkRecord).annotate({ description: "Its links, in the order of the request." }),
  revision: integer(0).annotate({
    description: "Only rises: of two states of an order, the one with the higher revision is the later."
  })
}

/** An order in an event: `GET /orders/{id}` without `ok`. */
export const OrderRecord = Schema.Struct(orderFields).annotate({
  identifier: "OrderRecord",
  description: "An order and its links."
})
export type OrderRecord = typeof OrderRecord.Type

export const OrderDetail = Schema.Struct({
  ok: Ok,
  ...orderFields,
  summary: Schema.String.annotate({
    description: "One sentence for the user: what is online, and when the rest is due."
  }),
  items_to_reorder: Schema.optionalKey(
    Schema.Array(ProposedItem).annotate({
      description: "`items` of a new order for the same links. Absent if the response would be too long for a model."
    })
  ),
  invoices: Schema.Array(InvoiceOfOrder).annotate({
    description:
      "What was issued for it so far: its invoice within a minute, and a credit note for each link that was credited. None in sandbox."
  }),
  reorder_notes: Schema.Array(
    Schema.Struct({
      link_id: answerId.link,
      reason: Schema.Literals(["new_article_instead", "site_closed"]).annotate({
        description:
          "`new_article_instead`: an article takes one link, so the item asks for a new article on that site. `site_closed`: left out, because the site takes no orders now."
      })
    })
  ).annotate({ description: "Where `items_to_reorder` differs from what was ordered." })
}).annotate({
  identifier: "OrderDetail",
  description: "An order and the detailed status of each of its links."
})
export type OrderDetail = typeof OrderDetail.Type

/** `asOfMs` is the time of the response or the event. */
export const showLink = (link: Link, placedBy: Placer, asOfMs: number): LinkRecord => ({
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
  opportunity_id: link.opportunityId,
  brief: link.brief,
  reference: link.reference,
  placed_by: showPlacedBy(placedBy),
  price_eur: eurOfCents(link.priceCents),
  net_price_eur: eurOfCents(link.netCents),
  status: link.status,
  status_reason: link.statusReason,
  published_url: link.publishedUrl,
  published_at: timestampOrNull(link.publishedAtMs),
  due_at: timestampOrNull(dueAtMs(link)),
  overdue: isOverdue(link, asOfMs),
  history: link.history.map(showStep)
})

export const summariseOrder = ({ order, links, placedBy }: PlacedOrder): OrderSummary => ({
  order_id: order.orderId,
  quote_id: order.quoteId,
  order_status: orderStatus(links),
  placed_by: showPlacedBy(placedBy),
  total_eur: eurOfCents(order.totalCents),
  items_count: links.length,
  published_count: publishedCount(links),
  credited_cents: creditedCents(links),
  created_at: timestamp(order.createdAtMs),
  reference: order.reference,
  sandbox: order.mode === "sandbox"
})

export const showOrderRecord = (found: PlacedOrder, asOfMs: number): OrderRecord => ({
  ...summariseOrder(found),
  items: found.links.map((link) => showLink(link, found.placedBy, asOfMs)),
  revision: orderRevision(found.links)
})

export const showItem = (item: Reorder["items"][number]): OrderItem => ({
  site_id: item.siteId,
  target_url: item.targetUrl,
  anchor_text: item.anchorText,
  anchor_type: item.anchorType,
  format: item.format,
  tier2_links: item.tier2Links,
  ...(item.projectId === undefined ? {} : { project_id: item.projectId }),
  ...(item.opportunityId === undefined ? {} : { opportunity_id: item.opportunityId }),
  ...(item.brief === undefined ? {} : { brief: item.brief }),
  ...(item.reference === undefined ? {} : { reference: item.reference })
})

export const showOrder = (
  found: PlacedOrder,
  { items, notes }: Reorder,
  { invoices, asOfMs }: { readonly invoices: ReadonlyArray<Invoice>; readonly asOfMs: number }
): OrderDetail => {
  const order = {
    ok: true as const,
    ...showOrderRecord(found, asOfMs),
    summary: orderSummary(found.links, asOfMs, utcDays),
    invoices: invoices.flatMap(showInvoiceOfOrder),
    reorder_notes: notes.map(({ linkId, reason }) => ({ link_id: linkId, reason }))
  }
  const whole = { ...order, items_to_reorder: items.map(showItem) }
  const fits = (shown: OrderDetail) => fitsTokens(JSON.stringify(shown), MAX_RESULT_TOKENS)
  const short = order.items.map(({ brief: _, ...item }) => ({ ...item, history: withoutFormerTexts(item.history) }))
  return [whole, order].find(fits) ?? { ...order, items: short }
}

export const AdvanceRequest = Schema.Struct({
  to: LinkStatus.annotate({
    description: "Where every link of the order should go. Forward only; `cancelled` from anything before `published`."
  })
}).annotate({ identifier: "AdvanceRequest", description: "Where a sandbox order should go." })

export type AdvanceRequest = typeof AdvanceRequest.Type
