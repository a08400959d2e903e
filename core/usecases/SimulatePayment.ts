// What a human does at the payment page, done by the operator instead: for demonstrations and the bench, and only where no
// real processor takes the money. Giving a quote up for its human is in order everywhere.
import { Context, Effect, Layer } from "effect"
import type { Quote } from "#core/domain/Quote.ts"
import { type PaymentMismatch, PaymentsAreReal, QuoteNotFound } from "#core/domain/Refusal.ts"
import { PaymentProcessor } from "#core/ports/PaymentProcessor.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import type { By } from "./FulfilLinks.ts"
import { sandboxPayment } from "./PayByPage.ts"
import { SettlePayment } from "./SettlePayment.ts"

type Fault = QuoteNotFound | PaymentMismatch | ProcessorUnavailable | StoreUnavailable

export class SimulatePayment extends Context.Service<
  SimulatePayment,
  {
    /** Answers the quote as it then is. Paying a quote that is paid changes nothing. */
    readonly pay: (quoteId: string, by: By) => Effect.Effect<Quote, Fault | PaymentsAreReal>
    /** The same; `paid` where a payment was quicker. */
    readonly abandon: (quoteId: string, by: By) => Effect.Effect<Quote, Fault>
  }
>()("backlinks/usecases/SimulatePayment") {
  static readonly layer = Layer.effect(
    SimulatePayment,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const { simulatePayment: pretend } = yield* PaymentProcessor
      const payments = yield* SettlePayment
      const quitter = yield* AbandonQuote

      const find = Effect.fnUntraced(function* (quoteId: string) {
        return (yield* quotes.byId(quoteId)) ?? (yield* new QuoteNotFound({ quoteId }))
      })

      const collect = Effect.fnUntraced(function* ({ quoteId, cardCents, mode }: Quote) {
        if (pretend === null) return yield* new PaymentsAreReal()
        return mode === "sandbox" ? sandboxPayment(quoteId, cardCents) : yield* pretend(quoteId, cardCents)
      })

      return SimulatePayment.of({
        pay: Effect.fn("SimulatePayment.pay")(function* (quoteId, by) {
          return (yield* payments.settle(yield* collect(yield* find(quoteId)), by)).quote
        }),
        abandon: Effect.fn("SimulatePayment.abandon")(function* (quoteId, by) {
          return yield* quitter.abandon(yield* find(quoteId), "human", by)
        })
      })
    })
  )
}
