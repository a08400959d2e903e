// Operations of orders: buy, list, follow, cancel, change.
import { Clock, Effect, Metric } from "effect"
import { showCancelled } from "#adapters/contract/ordering/Cancelling.ts"
import { readChange, showChange } from "#adapters/contract/ordering/LinkChanges.ts"
import {
  canonicalOrder,
  comparedOrder,
  type OrderRequest,
  REPLAY_UNKEYED,
  readOrder
} from "#adapters/contract/ordering/OrderRequest.ts"
import { showOrder, summariseOrder } from "#adapters/contract/ordering/Orders.ts"
import { readConditions } from "#adapters/contract/ordering/OrdersQuery.ts"
import { showListSummary } from "#adapters/contract/schema/ListSummary.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { registrableDomain } from "#adapters/contract/schema/TargetUrl.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { ChangeLinks } from "#core/usecases/ordering/ChangeLinks.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import type { OrdersApi } from "../api/OrdersApi.ts"
import { replays } from "../server/Metrics.ts"
import { JsonResponse, REPLAYED } from "./JsonResponse.ts"
import type { OperationsOf } from "./Operation.ts"

const orderCursor = pageCursor("orders", OrderId)

const unkeyedReplay = (body: OrderRequest, header: string | undefined) =>
  header === undefined
    ? {}
    : { comparedBody: comparedOrder(body), ...(header === REPLAY_UNKEYED ? {} : { continues: header }) }

export const ordersOperations = Effect.gen(function* () {
  const { place } = yield* PlaceOrder
  const orders = yield* TrackOrders
  const links = yield* ChangeLinks
  const { ofOrder } = yield* ReadInvoices

  const show = Effect.fnUntraced(function* (caller: Caller, found: OrderWithLinks) {
    const [reorder, invoices] = yield* Effect.all([orders.reorder(found), ofOrder(found)], { concurrency: 2 })
    const asOfMs = yield* Clock.currentTimeMillis
    return showOrder(yield* orders.placed(caller, found), reorder, { invoices, asOfMs })
  })

  const operations: OperationsOf<typeof OrdersApi> = {
    // A client that disconnects must not stop a purchase half way: it completes, and a replay returns it.
    createOrder: Effect.fnUntraced(function* (caller, { payload, headers }) {
      const { status, body, replayed } = yield* place({
        caller,
        request: readOrder(payload),
        canonicalBody: canonicalOrder(payload),
        idempotencyKey: headers["idempotency-key"] ?? null,
        ...unkeyedReplay(payload, headers["replay-unkeyed"])
      })
      if (replayed) yield* Metric.update(replays, 1)
      // The stored bytes: a replay equals the first response in everything but this one header.
      return new JsonResponse({ status, text: body, headers: replayed ? REPLAYED : {} })
    }, Effect.uninterruptible),

    listOrders: Effect.fnUntraced(function* (caller, { query }) {
      const { limit = PAGE_SIZE, cursor, status = null, scope = "key" } = query
      const conditions = readConditions(query)
      // A cursor from before lists had a scope is one of this key.
      const filters = { status, ...conditions, ...(scope === "key" ? {} : { scope }) }
      const beforeId = yield* Effect.fromResult(orderCursor.begin(filters, cursor))
      const page = yield* orders.orders(caller, { scope, status, conditions, limit, beforeId })
      return {
        ok: true,
        count: page.orders.length,
        total: page.total,
        orders: page.orders.map(summariseOrder),
        ...showListSummary("order", page),
        ...orderCursor.next(filters, page.nextBeforeId),
        sandbox: caller.mode === "sandbox"
      }
    }),

    getOrder: Effect.fnUntraced(function* (caller, { params }) {
      return yield* show(caller, yield* orders.order(caller, params.id))
    }),

    cancelOrder: Effect.fnUntraced(function* (caller, { params, payload }) {
      const { link_ids: linkIds = null, only } = payload
      const reply = yield* orders.cancel(caller, params.id, { linkIds, cancellableOnly: only !== undefined })
      return showCancelled(yield* show(caller, reply), reply.asked)
    }, Effect.uninterruptible),

    changeLink: Effect.fnUntraced(function* (caller, { params, payload: { dry_run: dryRun, ...body } }, origin) {
      const { id: orderId, link_id: linkId } = params
      const request = { orderId, linkId, text: readChange(body), registrable: registrableDomain, dryRun, origin }
      const changed = yield* links.byAgent(caller, request)
      const { placedBy } = yield* orders.placed(caller, changed)
      return showChange({ ...changed, placedBy }, dryRun, yield* Clock.currentTimeMillis)
    }, Effect.uninterruptible)
  }
  return operations
})
