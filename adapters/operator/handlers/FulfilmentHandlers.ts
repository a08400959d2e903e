// Handlers of the calls about orders, links and quotes.
import { Clock, Effect } from "effect"
import { dueAtMs, isOverdue } from "#core/domain/ordering/DueDate.ts"
import { orderStatus } from "#core/domain/ordering/Order.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { FindById } from "#core/usecases/operations/FindById.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { PayQuote } from "#core/usecases/ordering/PayQuote.ts"
import { asOperator } from "../CurrentOperator.ts"
import { FulfilmentRpcs } from "../calls/FulfilmentCalls.ts"
import { withOperatorError } from "../OperatorError.ts"
import type { OrderDetails } from "../records/OrderRecords.ts"

const withStatus = <Found extends Omit<OrderDetails, "status">>(found: Found) => ({
  ...found,
  status: orderStatus(found.links)
})

export const layer = FulfilmentRpcs.toLayer(
  Effect.gen(function* () {
    const links = yield* FulfilLinks
    const lookUp = yield* FindById
    const quotes = yield* PayQuote
    const approvals = yield* DecideApproval
    const payments = yield* Payments
    const books = yield* Reconcile
    const accounts = yield* ViewAccount

    return FulfilmentRpcs.of({
      queue: Effect.fnUntraced(function* ({ limit, afterId = null, overdue = false }) {
        const nowMs = yield* Clock.currentTimeMillis
        const found = yield* withOperatorError(
          links.queue({ limit: limit + 1, afterId, ...(overdue ? { overdueAtMs: nowMs } : {}) })
        )
        const page = found.slice(0, limit)
        const atRisk = yield* withOperatorError(links.atRisk(page.map(({ linkId }) => linkId)))
        const shown = page.map((link) => ({
          ...link,
          dueAtMs: dueAtMs(link),
          overdue: isOverdue(link, nowMs),
          ...(atRisk.includes(link.linkId) ? { atRisk: true as const } : {})
        }))
        return { links: shown, nextAfterId: found.length > limit ? (page.at(-1)?.linkId ?? null) : null }
      }),
      assign: ({ linkId, ...how }) => asOperator((by) => links.assign(linkId, by, how)),
      advance: ({ linkId, to, ...how }) => asOperator((by) => links.advance(linkId, to, by, how)),
      publish: ({ linkId, url, ...how }) => asOperator((by) => links.publish(linkId, url, by, how)),
      correct: ({ linkId, url, reason, anyway = false }) =>
        asOperator((by) => links.correct({ linkId, publishedUrl: url, reason, anyway }, by)),
      verify: ({ linkId }) => asOperator((by) => links.verify(linkId, by)),
      cancelLink: ({ linkId, reason, ...how }) => asOperator((by) => links.cancelLink(linkId, reason, by, how)),
      cancelOrder: ({ orderId, reason, ...how }) =>
        Effect.map(
          asOperator((by) => links.cancelOrder(orderId, reason, by, how)),
          withStatus
        ),
      switchFulfilment: ({ fulfilment }) =>
        Effect.map(
          asOperator((by) => links.switchFulfilment(fulfilment, by)),
          (switched) => ({ fulfilment: switched })
        ),
      showFulfilment: () => Effect.map(withOperatorError(links.fulfilment()), (fulfilment) => ({ fulfilment })),
      showOrder: ({ orderId }) =>
        withOperatorError(
          Effect.gen(function* () {
            const found = yield* lookUp.order(orderId)
            return { ...withStatus(found), reversals: yield* lookUp.reversals(found.order.quoteId) }
          })
        ),
      listOrders: ({ accountId, limit, beforeId = null }) =>
        Effect.map(
          withOperatorError(
            Effect.andThen(
              lookUp.wallet(accountId),
              accounts.orders({ accountId, mode: "live", conditions: {}, limit, beforeId })
            )
          ),
          ({ orders, nextBeforeId }) => ({ orders: orders.map(withStatus), nextBeforeId })
        ),
      showQuote: ({ quoteId }) =>
        Effect.map(withOperatorError(lookUp.quote(quoteId)), ({ quote, order }) => ({
          quote,
          order: order === null ? null : withStatus(order)
        })),
      payQuote: ({ quoteId }) => asOperator((by) => quotes.payAs(quoteId, by)),
      abandonQuote: ({ quoteId }) => asOperator((by) => quotes.abandonAs(quoteId, by)),
      listApprovals: ({ limit }) => Effect.map(withOperatorError(approvals.waiting(limit)), (quotes) => ({ quotes })),
      approveQuote: ({ quoteId }) => asOperator((operator) => approvals.approve(quoteId, { operator })),
      declineQuote: ({ quoteId, reason }) => asOperator((operator) => approvals.decline(quoteId, { operator }, reason)),
      listSetAside: ({ limit }) =>
        withOperatorError(Effect.all({ payments: payments.setAside(limit), owing: books.owing(limit) })),
      resolvePayment: ({ paymentId, outcome, reason }) =>
        asOperator((actor) => payments.resolve({ paymentId, outcome, reason, actor }))
    })
  })
)
