// The service's own payment page, where a human sees, pays or abandons a quote. The token in its URL is the only access control.
import { Context, Effect, Layer } from "effect"
import { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import { awaitsApproval, type Payment, type Quote } from "#core/domain/ordering/Quote.ts"
import { PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import { SettlePayment } from "./SettlePayment.ts"
import { type QuoteReport, TrackOrders } from "./TrackOrders.ts"

type PageFault = QuoteNotFound | ProcessorUnavailable | StoreUnavailable

export class PayByPage extends Context.Service<
  PayByPage,
  {
    readonly view: (token: string) => Effect.Effect<QuoteReport, QuoteNotFound | StoreUnavailable>
    /** Pays the card part. A payment after expiry still counts, and becomes an order or prepaid credit. */
    readonly pay: (token: string) => Effect.Effect<void, PageFault | PaymentMismatch>
    /** A quote whose payment is under way stays as it is, and its page says so. */
    readonly abandon: (token: string) => Effect.Effect<void, PageFault>
  }
>()("backlinks/usecases/ordering/PayByPage") {
  static readonly layer = Layer.effect(
    PayByPage,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const processor = yield* PaymentProcessor
      const payments = yield* SettlePayment
      const { abandon } = yield* AbandonQuote
      const tracking = yield* TrackOrders

      const byToken = Effect.fnUntraced(function* (token: string) {
        const quote = yield* quotes.byPaymentToken(token)
        // A quote that awaits approval has no payment page yet.
        return quote === null || awaitsApproval(quote) ? yield* new QuoteNotFound({ quoteId: QuoteId.make("") }) : quote
      })

      /** Sandbox quotes need no processor. With a real processor, live quotes are paid on its own page. */
      const collect = Effect.fnUntraced(function* ({ quoteId, cardCents, mode }: Quote) {
        if (mode === "sandbox") return sandboxPayment(quoteId, cardCents)
        if (processor.simulatePayment === null) return yield* new QuoteNotFound({ quoteId })
        return yield* processor.simulatePayment(quoteId, cardCents)
      })

      return PayByPage.of({
        view: Effect.fn("PayByPage.view")(function* (token) {
          return yield* tracking.report(yield* byToken(token))
        }),
        pay: Effect.fn("PayByPage.pay")(function* (token) {
          yield* payments.settle(yield* collect(yield* byToken(token)))
        }),
        abandon: Effect.fn("PayByPage.abandon")(function* (token) {
          const quote = yield* byToken(token)
          yield* Effect.catchTag(abandon(quote, "human"), "PaymentUnderWay", () => Effect.void)
        })
      })
    })
  )
}

/** The simulated payment of a sandbox quote. It moves no money. */
export const sandboxPayment = (quoteId: QuoteId, amountCents: number): Payment => ({
  paymentId: PaymentId.make(`sandbox_${quoteId}`),
  quoteId,
  amountCents,
  currency: "EUR"
})
