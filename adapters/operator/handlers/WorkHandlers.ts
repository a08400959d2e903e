// What the server does for calls about orders and their links, and for quotes that a human would pay or give up.
import { Effect } from "effect"
import { orderStatus } from "#core/domain/Order.ts"
import { FulfilLinks } from "#core/usecases/FulfilLinks.ts"
import { LookUp } from "#core/usecases/LookUp.ts"
import { PretendPayment } from "#core/usecases/PretendPayment.ts"
import { WorkRpcs } from "../calls/WorkCalls.ts"
import type { OrderAndLinks } from "../records/OrderRecords.ts"
import { acting, refusing } from "./Refusing.ts"

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
      assign: ({ linkId }) => acting((by) => links.assign(linkId, by)),
      advance: ({ linkId, to }) => acting((by) => links.advance(linkId, to, by)),
      publish: ({ linkId, url }) => acting((by) => links.publish(linkId, url, by)),
      verify: ({ linkId }) => acting((by) => links.verify(linkId, by)),
      cancelLink: ({ linkId, reason }) => acting((by) => links.cancelLink(linkId, reason, by)),
      cancelOrder: ({ orderId, reason }) =>
        Effect.map(
          acting((by) => links.cancelOrder(orderId, reason, by)),
          withStatus
        ),
      switchFulfilment: ({ fulfilment }) =>
        Effect.map(
          acting((by) => links.switchFulfilment(fulfilment, by)),
          (switched) => ({ fulfilment: switched })
        ),
      showFulfilment: () => Effect.map(refusing(links.fulfilment()), (fulfilment) => ({ fulfilment })),
      showOrder: ({ orderId }) => Effect.map(refusing(lookUp.order(orderId)), withStatus),
      showQuote: ({ quoteId }) =>
        Effect.map(refusing(lookUp.quote(quoteId)), ({ quote, order }) => ({
          quote,
          order: order === null ? null : withStatus(order)
        })),
      payQuote: ({ quoteId }) => acting((by) => payments.pay(quoteId, by)),
      abandonQuote: ({ quoteId }) => acting((by) => payments.abandon(quoteId, by))
    })
  })
)
