// Shows the operator the money that does not fit its quote, and records what became of it.
import { Context, Effect, Layer } from "effect"
import { type Resolution, resolvePayment } from "#core/decisions/ordering/ResolvePayment.ts"
import { type PaymentMismatch, PaymentNotFound, type PaymentResolved } from "#core/domain/ordering/PaymentRefusal.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export class ResolvePayment extends Context.Service<
  ResolvePayment,
  {
    /** Those that wait for a decision first, then the newest. */
    readonly list: (limit: number) => Effect.Effect<ReadonlyArray<PaymentSetAside>, StoreUnavailable>
    readonly resolve: (
      resolution: Resolution
    ) => Effect.Effect<PaymentSetAside, PaymentNotFound | PaymentResolved | PaymentMismatch | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/ResolvePayment") {
  static readonly layer = Layer.effect(
    ResolvePayment,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes

      return ResolvePayment.of({
        list: Effect.fn("ResolvePayment.list")((limit) => quotes.setAside({ limit })),
        resolve: Effect.fn("ResolvePayment.resolve")(function* (resolution) {
          const { paymentId } = resolution
          const [found] = yield* quotes.setAside({ limit: 1, paymentId })
          if (found === undefined) return yield* new PaymentNotFound({ paymentId })
          const { quoteId } = found
          return yield* book.transact({ _tag: "ForQuote", quoteId, paymentId }, resolvePayment(resolution))
        })
      })
    })
  )
}
