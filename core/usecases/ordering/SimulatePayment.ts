// Pays or abandons a quote as the operator, in place of its human. Paying is possible only without a real processor: for
// demonstrations and the bench.
import { Context, Effect, Layer } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { type PaymentMismatch, PaymentsAreReal, type PaymentUnderWay } from "#core/domain/ordering/PaymentRefusal.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import { sandboxPayment } from "./PayByPage.ts"
import { SettlePayment } from "./SettlePayment.ts"

type Fault = QuoteNotFound | ProcessorUnavailable | StoreUnavailable

export class SimulatePayment extends Context.Service<
  SimulatePayment,
  {
    /** Returns the quote as it is afterwards. Idempotent. */
    readonly pay: (
      quoteId: QuoteId,
      actor: Actor
    ) => Effect.Effect<Quote, Fault | PaymentMismatch | PaymentsAreReal | QuoteNotOpen>
    /** Returns the quote as it is afterwards: `paid` if a payment came first. */
    readonly abandon: (quoteId: QuoteId, actor: Actor) => Effect.Effect<Quote, Fault | PaymentUnderWay>
  }
>()("backlinks/usecases/ordering/SimulatePayment") {
  static readonly layer = Layer.effect(
    SimulatePayment,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const { simulatePayment } = yield* PaymentProcessor
      const payments = yield* SettlePayment
      const { abandon } = yield* AbandonQuote

      const find = Effect.fnUntraced(function* (quoteId: QuoteId) {
        return (yield* quotes.byId(quoteId)) ?? (yield* new QuoteNotFound({ quoteId }))
      })

      const collect = Effect.fnUntraced(function* ({ quoteId, cardCents, mode }: Quote) {
        if (simulatePayment === null) return yield* new PaymentsAreReal()
        return mode === "sandbox" ? sandboxPayment(quoteId, cardCents) : yield* simulatePayment(quoteId, cardCents)
      })

      return SimulatePayment.of({
        pay: Effect.fn("SimulatePayment.pay")(function* (quoteId, actor) {
          const quote = yield* find(quoteId)
          // It has no payment session that a human could have paid in.
          if (awaitsApproval(quote)) return yield* new QuoteNotOpen({ quoteId, status: quote.status })
          return (yield* payments.settle(yield* collect(quote), { actor })).quote
        }),
        abandon: Effect.fn("SimulatePayment.abandon")(function* (quoteId, actor) {
          return yield* abandon(yield* find(quoteId), "human", actor)
        })
      })
    })
  )
}
