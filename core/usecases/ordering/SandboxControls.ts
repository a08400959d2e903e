// The actions of human and operator on sandbox orders, for developers: pay, abandon, approve, decline,
// advance, cancel.
import { Context, Effect, Layer } from "effect"
import { advanceOrder } from "#core/decisions/ordering/AdvanceOrder.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import type { OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { LinkStatus } from "#core/domain/ordering/Link.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import {
  type InvalidTransition,
  OrderNotFound,
  QuoteNotFound,
  QuoteNotOpen
} from "#core/domain/ordering/OrderRefusal.ts"
import { awaitsPayment, isOpen } from "#core/domain/ordering/Quote.ts"
import type { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import { DecideApproval } from "./DecideApproval.ts"
import { Payments } from "./Payments.ts"
import { sandboxPayment } from "./PayQuote.ts"
import { type PlacedQuoteReport, TrackOrders } from "./TrackOrders.ts"

export class SandboxControls extends Context.Service<
  SandboxControls,
  {
    readonly pay: (
      caller: Caller,
      quoteId: QuoteId
    ) => Effect.Effect<PlacedQuoteReport, QuoteNotFound | QuoteNotOpen | StoreUnavailable>
    readonly abandon: (
      caller: Caller,
      quoteId: QuoteId
    ) => Effect.Effect<PlacedQuoteReport, QuoteNotFound | QuoteNotOpen | ProcessorUnavailable | StoreUnavailable>
    readonly approve: (
      caller: Caller,
      quoteId: QuoteId
    ) => Effect.Effect<PlacedQuoteReport, QuoteNotFound | QuoteNotOpen | StoreUnavailable>
    /** `reason` is the word to the agent; empty: none. */
    readonly decline: (
      caller: Caller,
      quoteId: QuoteId,
      reason: string
    ) => Effect.Effect<PlacedQuoteReport, QuoteNotFound | QuoteNotOpen | StoreUnavailable>
    /** Moves every link that can move to that status; `cancelled` cancels those that are not online. A call of an origin does so once. */
    readonly advance: (
      caller: Caller,
      orderId: OrderId,
      to: LinkStatus,
      origin: CallOrigin | null
    ) => Effect.Effect<OrderWithLinks, OrderNotFound | InvalidTransition | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/SandboxControls") {
  static readonly layer = Layer.effect(
    SandboxControls,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const tracking = yield* TrackOrders
      const payments = yield* Payments
      const approvals = yield* DecideApproval
      const { abandon } = yield* AbandonQuote
      const { render } = yield* ServiceContext

      const sandboxQuote = Effect.fnUntraced(function* (caller: Caller, quoteId: QuoteId) {
        if (caller.mode !== "sandbox") return yield* new QuoteNotFound({ quoteId })
        return yield* tracking.quote(caller, quoteId)
      })

      /** The sandbox needs no owner. */
      const withoutOwner = <A, E>(decision: Effect.Effect<A, E | OwnerOnly>) =>
        Effect.catchTag(decision, "OwnerOnly", Effect.die)

      return SandboxControls.of({
        pay: Effect.fn("SandboxControls.pay")(function* (caller, quoteId) {
          const { quote } = yield* sandboxQuote(caller, quoteId)
          if (!awaitsPayment(quote)) return yield* new QuoteNotOpen({ quoteId, status: quote.status })
          // Amount and currency are the quote's own, so they match.
          yield* payments
            .settle(sandboxPayment(quoteId, quote.cardCents))
            .pipe(Effect.catchTag("PaymentMismatch", Effect.die))
          return yield* tracking.quote(caller, quoteId)
        }),
        abandon: Effect.fn("SandboxControls.abandon")(function* (caller, quoteId) {
          const { quote } = yield* sandboxQuote(caller, quoteId)
          // Sandbox payments take no time.
          const ended = isOpen(quote)
            ? yield* abandon(quote, "human").pipe(Effect.catchTag("PaymentUnderWay", Effect.die))
            : quote
          if (ended.status !== "abandoned") return yield* new QuoteNotOpen({ quoteId, status: ended.status })
          return yield* tracking.quote(caller, quoteId)
        }),
        approve: Effect.fn("SandboxControls.approve")(function* (caller, quoteId) {
          yield* sandboxQuote(caller, quoteId)
          // A sandbox order takes no credit, whatever the account owes.
          yield* withoutOwner(approvals.approve(quoteId, null)).pipe(Effect.catchTag("SpendPolicyRefused", Effect.die))
          return yield* tracking.quote(caller, quoteId)
        }),
        decline: Effect.fn("SandboxControls.decline")(function* (caller, quoteId, reason) {
          yield* sandboxQuote(caller, quoteId)
          yield* withoutOwner(approvals.decline(quoteId, null, reason)).pipe(
            // One that was given up already stays so.
            Effect.catchTag("QuoteNotOpen", (refusal) =>
              refusal.status === "abandoned" ? Effect.void : Effect.fail(refusal)
            )
          )
          return yield* tracking.quote(caller, quoteId)
        }),
        advance: Effect.fn("SandboxControls.advance")(function* (caller, orderId, to, origin) {
          if (caller.mode !== "sandbox") return yield* new OrderNotFound({ orderId })
          yield* tracking.order(caller, orderId)
          return yield* book.transact({ _tag: "ForOrder", orderId }, advanceOrder({ orderId, to, origin, render }))
        })
      })
    })
  )
}
