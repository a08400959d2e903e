// Takes a payment notice, from whichever processor, and lets the decision say what it becomes.
import { Context, Effect, Layer } from "effect"
import { type Settlement, settlePayment } from "#core/decisions/SettlePayment.ts"
import type { Actor } from "#core/domain/Actor.ts"
import type { Payment } from "#core/domain/Quote.ts"
import type { PaymentMismatch, QuoteNotFound } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"

export class SettlePayment extends Context.Service<
  SettlePayment,
  {
    /**
     * The notice's origin must have been proved before. Repeating a notice changes nothing. `by` is the operator who pretends
     * the payment.
     */
    readonly settle: (
      payment: Payment,
      actor?: Actor
    ) => Effect.Effect<Settlement, QuoteNotFound | PaymentMismatch | StoreUnavailable>
  }
>()("backlinks/usecases/SettlePayment") {
  static readonly layer = Layer.effect(
    SettlePayment,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { settings, render } = yield* ServiceContext

      return SettlePayment.of({
        settle: Effect.fn("SettlePayment.settle")(({ quoteId, paymentId, ...rest }: Payment, actor?: Actor) =>
          book.transact(
            { _tag: "ForQuote", quoteId, paymentId },
            settlePayment({ quoteId, paymentId, ...rest }, { settings, render }, actor)
          )
        )
      })
    })
  )
}
