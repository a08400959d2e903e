// A payment processor in this process, for development, the sandbox and the bench: sessions are paid at the service's own page.
import { Effect, Layer } from "effect"
import type { Payment } from "#core/domain/ordering/Quote.ts"
import { PaymentProcessor, type SessionOutcome, type SessionState } from "#core/ports/ordering/PaymentProcessor.ts"

/**
 * Every call is one synchronous step, so that either the payment or the expiry comes first, and the expiry returns which.
 * An expired session still takes a payment, as a card form that was left open would: that is a late payment, which every later
 * expiry returns. The state ends with the layer; a quote whose session an earlier process opened can still be paid.
 */
export const layer: Layer.Layer<PaymentProcessor> = Layer.sync(PaymentProcessor, () => {
  /** Both by quote; the first entry of a quote stays. */
  const links = new Map<string, string>()
  const payments = new Map<string, Payment>()

  return PaymentProcessor.of({
    open: ({ quoteId, pageUrl }) =>
      Effect.sync(() => {
        const paymentUrl = links.get(quoteId) ?? pageUrl
        links.set(quoteId, paymentUrl)
        return { sessionId: `sim_${quoteId}`, paymentUrl }
      }),
    look: ({ quoteId }) =>
      Effect.sync((): SessionState => {
        const payment = payments.get(quoteId)
        return payment === undefined ? { outcome: "open" } : { outcome: "paid", payment }
      }),
    expire: ({ quoteId }) =>
      Effect.sync((): SessionOutcome => {
        const payment = payments.get(quoteId)
        return payment === undefined ? { outcome: "expired" } : { outcome: "paid", payment }
      }),
    simulatePayment: (quoteId, amountCents) =>
      Effect.sync(() => {
        const earlier = payments.get(quoteId)
        const payment = earlier ?? { paymentId: `simpay_${quoteId}`, quoteId, amountCents, currency: "EUR" }
        payments.set(quoteId, payment)
        return payment
      })
  })
})
