// A payment processor in this process, for development, the sandbox and the bench: sessions are paid at the service's own page.
import { Effect, Layer } from "effect"
import type { PaymentFor } from "#core/domain/ordering/Quote.ts"
import { type PayableId, PaymentId, PaymentSessionId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor, type SessionOutcome, type SessionState } from "#core/ports/ordering/PaymentProcessor.ts"

/**
 * Every call is one synchronous step, so that either the payment or the expiry comes first, and the expiry returns which.
 * An expired session still takes a payment, as a card form that was left open would: that is a late payment, which every later
 * expiry returns. The state ends with the layer; a quote whose session an earlier process opened can still be paid.
 */
export const layer: Layer.Layer<PaymentProcessor> = Layer.sync(PaymentProcessor, () => {
  /** Both by quote; the first entry of a quote stays. */
  const links = new Map<PayableId, string>()
  const payments = new Map<PayableId, PaymentFor<PayableId>>()

  const paidFor = <Id extends PayableId>(quoteId: Id): PaymentFor<Id> | undefined => {
    const payment = payments.get(quoteId)
    return payment && { ...payment, quoteId }
  }

  return PaymentProcessor.of({
    open: ({ quoteId, pageUrl }) =>
      Effect.sync(() => {
        const paymentUrl = links.get(quoteId) ?? pageUrl
        links.set(quoteId, paymentUrl)
        return { sessionId: PaymentSessionId.make(`sim_${quoteId}`), paymentUrl }
      }),
    look: <Id extends PayableId>({ quoteId }: { readonly quoteId: Id }) =>
      Effect.sync((): SessionState<Id> => {
        const payment = paidFor(quoteId)
        return payment === undefined ? { outcome: "open" } : { outcome: "paid", payment }
      }),
    expire: <Id extends PayableId>({ quoteId }: { readonly quoteId: Id }) =>
      Effect.sync((): SessionOutcome<Id> => {
        const payment = paidFor(quoteId)
        return payment === undefined ? { outcome: "expired" } : { outcome: "paid", payment }
      }),
    simulatePayment: (quoteId, amountCents) =>
      Effect.sync(() => {
        const paymentId = PaymentId.make(`simpay_${quoteId}`)
        const payment = paidFor(quoteId) ?? { paymentId, quoteId, amountCents, currency: "EUR" }
        payments.set(quoteId, payment)
        return payment
      })
  })
})
