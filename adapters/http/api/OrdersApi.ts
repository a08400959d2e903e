// Endpoints of orders: buy, list, follow, cancel, change.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CancelRequest, OrderCancelled } from "#adapters/contract/ordering/Cancelling.ts"
import { ChangeRequest, ChangeResponse } from "#adapters/contract/ordering/LinkChanges.ts"
import { OrderRequest, REPLAY_UNKEYED } from "#adapters/contract/ordering/OrderRequest.ts"
import { OrderDetail, OrderList } from "#adapters/contract/ordering/Orders.ts"
import { OrdersQuery } from "#adapters/contract/ordering/OrdersQuery.ts"
import { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { QuoteIdText } from "#adapters/contract/ordering/Quotes.ts"
import { IdempotencyKey } from "#adapters/contract/schema/IdempotencyKey.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { BODY_ERRORS, created, describe, errorsOf, PATH_ERRORS, WRITE_ERRORS } from "./EndpointDescription.ts"

const createOrder = HttpApiEndpoint.post("createOrder", "/orders", {
  headers: {
    "idempotency-key": Schema.optionalKey(
      IdempotencyKey.annotate({
        description:
          "One key per purchase the user decided on, such as a UUID; send the same key on every retry of that purchase. It belongs to the account and mode: also with another key or connection of the account, the same body is a replay, which answers the same bytes with `Idempotent-Replayed: true` (and by another credential the warning `placed_by_other_credential` more) and never buys or counts twice; long after the order has finished it may answer its present state instead, with the warning `response_not_kept`."
      })
    ),
    "replay-unkeyed": Schema.optionalKey(
      Schema.Union([Schema.Literal(REPLAY_UNKEYED), QuoteIdText]).annotate({
        description:
          "Sent by MCP servers. Without an Idempotency-Key, the same order of the same API key within 10 minutes is then a replay, with the warning `replayed_without_key`. With a `quote_id` instead of `true`, it is a replay of that quote, however old."
      })
    )
  },
  payload: OrderRequest,
  // 200 for a dry run.
  success: [created(QuoteResponse), QuoteResponse],
  error: errorsOf(
    ...BODY_ERRORS,
    "invalid_idempotency_key",
    "spend_policy_refused",
    "site_not_found",
    "project_not_found",
    "site_unavailable",
    "amount_below_minimum",
    "article_unavailable",
    "price_above_limit",
    "too_many_reservations",
    // The quote was abandoned before it had a payment link; a replay of the request gets the same error.
    "quote_not_open",
    "idempotency_key_reused",
    "promo_code_invalid",
    "article_site_mismatch",
    "daily_order_cap_reached",
    "payment_processor_unavailable",
    "schema_too_new"
  )
}).annotateMerge(
  describe(
    "order",
    "Order 1 to 20 links",
    "Applies the better of promo code and welcome offer, then prepaid credit. If credit covers the total, the order exists at once and is paid for; otherwise `payment_url` is for a human to open and pay.",
    "Use `dry_run` to see the price first. Always send an Idempotency-Key."
  )
)

const listOrders = HttpApiEndpoint.get("listOrders", "/orders", {
  query: OrdersQuery,
  success: OrderList,
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "List the orders placed with this key, or all of the account's",
    "Newest first. Lists what this key placed; `scope=account` also what other keys, connections and members of the account placed, in this key's mode. A list that leaves some out says how many (`other_credentials`)."
  )
)

const getOrder = HttpApiEndpoint.get("getOrder", "/orders/:id", {
  params: { id: text(1).annotate({ description: "`order_id` of an order." }).pipe(idBrands.OrderId) },
  success: OrderDetail,
  error: errorsOf("order_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "read",
    "Read an order and the status of each link",
    "Carries the published URL of each link once it is online, and what to order for the same links again."
  )
)

const cancelOrder = HttpApiEndpoint.post("cancelOrder", "/orders/:id/cancel", {
  params: {
    id: text(1).annotate({ description: "`order_id` of an order that this key placed." }).pipe(idBrands.OrderId)
  },
  payload: CancelRequest,
  success: OrderCancelled,
  error: errorsOf(...WRITE_ERRORS, "order_not_found", "not_cancellable", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "order",
    "Cancel links of an order on which no work has begun",
    'All links asked for are cancelled, or none: each must be `to_assign`, or cancelled already. With `only: "cancellable"` those that can be are cancelled, and `kept` says why the others stay and who can cancel them. Their net price comes back as prepaid credit at once. Sent again, it cancels nothing twice and answers the present state. Only for orders that this key placed and that prepaid credit paid for: what a human placed, paid for or approved is `not_cancellable`, with `only` too.'
  )
)

const changeLink = HttpApiEndpoint.patch("changeLink", "/orders/:id/links/:link_id", {
  params: {
    id: text(1).annotate({ description: "`order_id` of an order that this key placed." }).pipe(idBrands.OrderId),
    link_id: text(1).annotate({ description: "`link_id` of a link of that order." }).pipe(idBrands.LinkId)
  },
  payload: ChangeRequest,
  success: ChangeResponse,
  error: errorsOf(
    ...WRITE_ERRORS,
    "spend_policy_refused",
    "order_not_found",
    "link_not_found",
    "not_changeable",
    "invalid_transition",
    ...PATH_ERRORS
  )
}).annotateMerge(
  describe(
    "order",
    "Change target, anchor or brief of a link until it is written",
    "While the link is `to_assign` or `assigned`; its price, site, format and dates stay, and so do invoices, events and stored answers of before. What breaks a rule of order items or a limit of the key is refused. Only for orders that this key placed and that prepaid credit paid for: what a human placed, paid for or approved is `not_changeable`, an owner changes it in the member area.",
    "A key whose orders a human approves above some amount does not change a target's host, and an order with the welcome offer keeps its domains."
  )
)

export class OrdersApi extends HttpApiGroup.make("orders")
  .add(createOrder, listOrders, getOrder, cancelOrder, changeLink)
  .annotateMerge(
    OpenApi.annotations({
      title: "Orders",
      description: "Buy links, follow them, and change or cancel what has not begun."
    })
  ) {}
