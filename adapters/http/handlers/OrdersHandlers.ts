// Serves orders: buy, list, follow.
import { Effect, Layer, Metric, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { canonicalOrder, type OrderRequest, readOrder } from "#adapters/contract/OrderRequest.ts"
import { type OrdersQuery, showOrder, summariseOrder } from "#adapters/contract/Orders.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { type OrderResponse, PlaceOrder } from "#core/usecases/PlaceOrder.ts"
import { TrackOrders } from "#core/usecases/TrackOrders.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { replays } from "../Metrics.ts"
import { withMinimalContext } from "../MinimalContext.ts"

const orderCursor = pageCursor("orders", Schema.String)

/** The stored bytes as they are: a replay is equal to the first answer in everything but this one header. */
const sendAnswer = ({ status, body, replayed }: OrderResponse) =>
  HttpServerResponse.text(body, {
    status,
    contentType: "application/json",
    ...(replayed ? { headers: { "idempotent-replayed": "true" } } : {})
  })

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { place } = yield* PlaceOrder
    const tracking = yield* TrackOrders

    const create = Effect.fnUntraced(function* (body: OrderRequest, idempotencyKey: string | undefined) {
      const caller = yield* CurrentCaller
      const order = { caller, request: readOrder(body), canonicalBody: canonicalOrder(body) }
      const answer = yield* place({ ...order, idempotencyKey: idempotencyKey ?? null })
      if (answer.replayed) yield* Metric.update(replays, 1)
      return sendAnswer(answer)
    })

    const list = Effect.fnUntraced(function* (query: OrdersQuery) {
      const caller = yield* CurrentCaller
      const status = query.status ?? null
      const question = { status }
      const { limit = PAGE_SIZE, cursor } = query
      const beforeId = cursor === undefined ? null : yield* Effect.fromResult(orderCursor.read(question, cursor))
      const { orders, total, nextBeforeId } = yield* tracking.orders(caller, { status, limit, beforeId })
      return {
        ok: true as const,
        count: orders.length,
        total,
        orders: orders.map(summariseOrder),
        ...(nextBeforeId === null ? {} : { next_cursor: orderCursor.write(question, nextBeforeId) }),
        sandbox: caller.mode === "sandbox"
      }
    })

    const get = Effect.fnUntraced(function* (orderId: string) {
      return showOrder(yield* tracking.order(yield* CurrentCaller, orderId))
    })

    return withMinimalContext(
      HttpApiBuilder.group(Api, "orders", (handlers) =>
        handlers
          .handle(
            "createOrder",
            ({ payload, headers }) => withErrorResponses(create(payload, headers["idempotency-key"])),
            {
              // A client that goes away must not stop a purchase half way: it is finished, and a replay tells.
              uninterruptible: true
            }
          )
          .handle("listOrders", ({ query }) => withErrorResponses(list(query)))
          .handle("getOrder", ({ params }) => withErrorResponses(get(params.id)))
      )
    )
  })
)
