// A payment processor that lives in this process: sessions are paid at the service's own page by whoever plays the human.
// It keeps what a real one would keep, one session for each quote; whether a payment becomes an order is not its business.
import { Effect, Layer } from "effect"
import type { Payment } from "#core/domain/Quote.ts"
import { type Closed, PaymentProcessor } from "#core/ports/PaymentProcessor.ts"

/**
 * Every call is one step that no other call can come between, so that of a payment and an expiry exactly one is first, and the
 * expiry is told which. An expired session still takes a payment, as a card form that was left open would: that is a late
 * payment, and shows up in every later expiry. All is forgotten with the layer; a quote of an earlier one can still be paid.
 */
export const layer: Layer.Layer<PaymentProcessor> = Layer.sync(PaymentProcessor, () => {
  /** Both by quote. The first of each stays. */
  const links = new Map<string, string>()
  const payments = new Map<string, Payment>()

  return PaymentProcessor.of({
    open: ({ quoteId, pageUrl }) =>
      Effect.sync(() => {
        const paymentUrl = links.get(quoteId) ?? pageUrl
        links.set(quoteId, paymentUrl)
        return { sessionId: `sim_${quoteId}`, paymentUrl }
      }),
    expire: ({ quoteId }) =>
      Effect.sync((): Closed => {
        const payment = payments.get(quoteId)
        return payment === undefined ? { closed: "expired" } : { closed: "paid", payment }
      }),
    pretend: (quoteId, amountCents) =>
      Effect.sync(() => {
        const known = payments.get(quoteId)
        const payment = known ?? { paymentId: `simpay_${quoteId}`, quoteId, amountCents, currency: "EUR" }
        payments.set(quoteId, payment)
        return payment
      })
  })
})
