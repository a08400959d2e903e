// What the server does for calls about orders and their links, and for quotes that a human would pay or give up.
import { Effect } from "effect"
import { orderStatus } from "#core/domain/Order.ts"
import { FulfilLinks } from "#core/usecases/FulfilLinks.ts"
import { LookUp } from "#core/usecases/LookUp.ts"
import { PretendPayment } from "#core/usecases/PretendPayment.ts"
import { CurrentOperator } from "../CurrentOperator.ts"
import { WorkRpcs } from "../calls/WorkCalls.ts"
import type { OrderAndLinks } from "../records/OrderRecords.ts"
import { refusing } from "./Refusing.ts"

const withStatus = <Found extends Omit<OrderAndLinks, "status">>(found: Found) => ({
  ...found,
  status: orderStatus(found.links)
})

export const layer = WorkRpcs.toLayer(
  Effect.gen(function* () {
    const links = yield* FulfilLinks
    const lookUp = yield* LookUp
    const payments = yield* PretendPayment

    return WorkRpcs.of({
      queue: Effect.fnUntraced(function* ({ limit, afterId = null }) {
        const found = yield* refusing(links.queue({ limit: limit + 1, afterId }))
        const page = found.slice(0, limit)
        return { links: page, nextAfterId: found.length > limit ? (page.at(-1)?.linkId ?? null) : null }
      }),
      assign: ({ linkId }) => Effect.flatMap(CurrentOperator, (by) => refusing(links.assign(linkId, by))),
      advance: ({ linkId, to }) => Effect.flatMap(CurrentOperator, (by) => refusing(links.advance(linkId, to, by))),
      publish: ({ linkId, url }) => Effect.flatMap(CurrentOperator, (by) => refusing(links.publish(linkId, url, by))),
      verify: ({ linkId }) => Effect.flatMap(CurrentOperator, (by) => refusing(links.verify(linkId, by))),
      cancelLink: ({ linkId, reason }) =>
        Effect.flatMap(CurrentOperator, (by) => refusing(links.cancelLink(linkId, reason, by))),
      cancelOrder: ({ orderId, reason }) =>
        Effect.flatMap(CurrentOperator, (by) =>
          Effect.map(refusing(links.cancelOrder(orderId, reason, by)), withStatus)
        ),
      switchFulfilment: ({ fulfilment }) =>
        Effect.flatMap(CurrentOperator, (by) =>
          Effect.map(refusing(links.switchFulfilment(fulfilment, by)), (switched) => ({ fulfilment: switched }))
        ),
      showFulfilment: () => Effect.map(refusing(links.fulfilment()), (fulfilment) => ({ fulfilment })),
      showOrder: ({ orderId }) => Effect.map(refusing(lookUp.order(orderId)), withStatus),
      showQuote: ({ quoteId }) =>
        Effect.map(refusing(lookUp.quote(quoteId)), ({ quote, order }) => ({
          quote,
          order: order === null ? null : withStatus(order)
        })),
      payQuote: ({ quoteId }) => Effect.flatMap(CurrentOperator, (by) => refusing(payments.pay(quoteId, by))),
      abandonQuote: ({ quoteId }) => Effect.flatMap(CurrentOperator, (by) => refusing(payments.abandon(quoteId, by)))
    })
  })
)
