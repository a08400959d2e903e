// A quote as its human has it: seen, paid or abandoned on the service's own payment page, whose URL has a token as its only access
// control, or by the operator in their place. Paying for real happens on the processor's page.
import { Context, Effect, Layer } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { type PaymentMismatch, PaymentsAreReal, type PaymentUnderWay } from "#core/domain/ordering/PaymentRefusal.ts"
import { awaitsApproval, type Payment, type Quote } from "#core/domain/ordering/Quote.ts"
import { PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import { Payments } from "./Payments.ts"
import { type QuoteReport, TrackOrders } from "./TrackOrders.ts"

type Fault = QuoteNotFound | ProcessorUnavailable | StoreUnavailable

export class PayQuote extends Context.Service<
  PayQuote,
  {
    readonly view: (token: string) => Effect.Effect<QuoteReport, QuoteNotFound | StoreUnavailable>
    /**
     * Pays the card part of a sandbox quote, or of a live one if the processor is simulated. A payment after expiry still counts, and
     * becomes an order or prepaid credit.
     */
    readonly pay: (token: string) => Effect.Effect<void, Fault | PaymentMismatch>
    /** A quote whose payment is under way stays as it is, and its page says so. */
    readonly abandon: (token: string) => Effect.Effect<void, Fault>
    /** Pays as the operator, if the processor is simulated. Returns the quote as it is afterwards. Idempotent. */
    readonly payAs: (
      quoteId: QuoteId,
      operator: Actor
    ) => Effect.Effect<Quote, Fault | PaymentMismatch | PaymentsAreReal | QuoteNotOpen>
    /** Returns the quote as it is afterwards: `paid` if a payment came first. */
    readonly abandonAs: (quoteId: QuoteId, operator: Actor) => Effect.Effect<Quote, Fault | PaymentUnderWay>
  }
>()("backlinks/usecases/ordering/PayQuote") {
  static readonly layer = Layer.effect(
    PayQuote,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const { simulatePayment } = yield* PaymentProcessor
      const { settle } = yield* Payments
      const { abandon } = yield* AbandonQuote
      const tracking = yield* TrackOrders

      const byId = Effect.fnUntraced(function* (quoteId: QuoteId) {
        return (yield* quotes.byId(quoteId)) ?? (yield* new QuoteNotFound({ quoteId }))
      })

      const byToken = Effect.fnUntraced(function* (token: string) {
        const quote = yield* quotes.byPaymentToken(token)
        // A quote that awaits approval has no payment page yet.
        return quote === null || awaitsApproval(quote) ? yield* new QuoteNotFound({ quoteId: QuoteId.make("") }) : quote
      })

      /** A sandbox quote needs no processor. */
      const collect = Effect.fnUntraced(function* ({ quoteId, cardCents, mode }: Quote) {
        if (mode === "sandbox") return sandboxPayment(quoteId, cardCents)
        return simulatePayment === null ? yield* new PaymentsAreReal() : yield* simulatePayment(quoteId, cardCents)
      })

      return PayQuote.of({
        view: Effect.fn("PayQuote.view")(function* (token) {
          return yield* tracking.report(yield* byToken(token))
        }),
        pay: Effect.fn("PayQuote.pay")(function* (token) {
          const quote = yield* byToken(token)
          const payment = collect(quote).pipe(
            Effect.catchTag("PaymentsAreReal", () => Effect.fail(new QuoteNotFound({ quoteId: quote.quoteId })))
          )
          yield* settle(yield* payment)
        }),
        abandon: Effect.fn("PayQuote.abandon")(function* (token) {
          const quote = yield* byToken(token)
          yield* Effect.catchTag(abandon(quote, "human"), "PaymentUnderWay", () => Effect.void)
        }),
        payAs: Effect.fn("PayQuote.payAs")(function* (quoteId, actor) {
          const quote = yield* byId(quoteId)
          // It has no payment session that a human could have paid in.
          if (awaitsApproval(quote)) return yield* new QuoteNotOpen({ quoteId, status: quote.status })
          if (simulatePayment === null) return yield* new PaymentsAreReal()
          return (yield* settle(yield* collect(quote), { actor })).quote
        }),
        abandonAs: Effect.fn("PayQuote.abandonAs")(function* (quoteId, actor) {
          return yield* abandon(yield* byId(quoteId), "human", actor)
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
