// What owners do with the purchases of their account, also those that others made: cancel links of an order, and withdraw a quote.
import { Context, Effect, Layer } from "effect"
import {
  type Cancellable,
  type CancelReply,
  cancelForOwner,
  cancellableOf
} from "#core/decisions/ordering/CancelOwnOrder.ts"
import type { OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { CancelRefusal } from "#core/domain/ordering/CancelRefusal.ts"
import { OrderNotFound, QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { PaymentUnderWay } from "#core/domain/ordering/PaymentRefusal.ts"
import { isOpen, type Quote } from "#core/domain/ordering/Quote.ts"
import type { LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { AbandonQuote } from "./AbandonQuote.ts"

export class OwnPurchases extends Context.Service<
  OwnPurchases,
  {
    /** What an owner could cancel of an order of the account now. */
    readonly cancellable: (
      signedIn: SignedIn,
      orderId: OrderId
    ) => Effect.Effect<Cancellable, OrderNotFound | StoreUnavailable>
    /** Cancels all of these links or none, each while no work has begun, however the order was paid for. */
    readonly cancel: (
      signedIn: SignedIn,
      orderId: OrderId,
      linkIds: ReadonlyArray<LinkId>
    ) => Effect.Effect<CancelReply, OrderNotFound | CancelRefusal | OwnerOnly | StoreUnavailable>
    /**
     * Gives up an open quote, once its payment session is closed. Returns it as it is afterwards: `paid` if a payment came first, and
     * `abandoned` also where it was given up before.
     */
    readonly withdraw: (
      signedIn: SignedIn,
      quoteId: QuoteId
    ) => Effect.Effect<Quote, QuoteNotFound | PaymentUnderWay | ProcessorUnavailable | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/OwnPurchases") {
  static readonly layer = Layer.effect(
    OwnPurchases,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes
      const orders = yield* Orders
      const { abandon } = yield* AbandonQuote
      const { render } = yield* ServiceContext

      return OwnPurchases.of({
        cancellable: Effect.fn("OwnPurchases.cancellable")(function* ({ account }, orderId) {
          const found = yield* orders.byId(orderId)
          if (found?.order.accountId !== account.accountId) return yield* new OrderNotFound({ orderId })
          return yield* book.transact({ _tag: "ForOrder", orderId }, cancellableOf(orderId))
        }),
        cancel: Effect.fn("OwnPurchases.cancel")(({ account: { accountId }, member: { memberId } }, orderId, linkIds) =>
          book.transact(
            { _tag: "ForOrder", orderId, memberId },
            cancelForOwner({ orderId, accountId, memberId, linkIds, render })
          )
        ),
        withdraw: Effect.fn("OwnPurchases.withdraw")(function* ({ account, member }, quoteId) {
          const quote = yield* quotes.byId(quoteId)
          if (quote?.accountId !== account.accountId) return yield* new QuoteNotFound({ quoteId })
          return isOpen(quote) ? yield* abandon(quote, "human", member.memberId) : quote
        })
      })
    })
  )
}
