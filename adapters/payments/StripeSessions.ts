// What a Checkout Session says of a quote, and a quote's session of a payment. Everything in a session derives from its quote
// alone, so that the same quote asks Stripe for the same session whenever and by whomever it is asked again.
import type Stripe from "stripe"
import type { Payment } from "#core/domain/Quote.ts"
import type { SessionRequest } from "#core/ports/PaymentProcessor.ts"

/**
 * A session ends this much before its quote: whoever pays at the last moment is then in time, and a quote of 24 hours, which is
 * the most that Stripe gives a session, is not too long by its first second or by a clock that runs ahead of Stripe's.
 */
const MARGIN_SECONDS = 60

/** Where Stripe sends a human who has paid: our page, which then waits for Stripe's notice instead of asking for money. */
export const paidUrl = (pageUrl: string): string => `${pageUrl}?returned=paid`

/** Without an end of its own, a session lasts Stripe's default of 24 hours. */
export const sessionWithoutEnd = (request: SessionRequest): Stripe.Checkout.SessionCreateParams => {
  const { quoteId, amountCents, currency, description, pageUrl } = request
  const product = { currency: currency.toLowerCase(), unit_amount: amountCents, product_data: { name: description } }
  return {
    mode: "payment",
    client_reference_id: quoteId,
    metadata: { quote_id: quoteId },
    payment_intent_data: { metadata: { quote_id: quoteId } },
    line_items: [{ quantity: 1, price_data: product }],
    // Another currency on the human's side would come back as another amount.
    adaptive_pricing: { enabled: false },
    success_url: paidUrl(pageUrl),
    cancel_url: pageUrl
  }
}

export const sessionFor = (request: SessionRequest): Stripe.Checkout.SessionCreateParams => ({
  ...sessionWithoutEnd(request),
  expires_at: Math.floor(request.expiresAtMs / 1_000) - MARGIN_SECONDS
})

/** The part of a session that is looked at, in a notice as in an answer. */
export type SessionFacts = Pick<
  Stripe.Checkout.Session,
  "id" | "client_reference_id" | "amount_total" | "currency" | "payment_status"
>

/**
 * The payment that a session has taken; `null` while it has taken none, as when a bank debit is still under way. A session is paid
 * once at most, so its id serves as the payment's.
 */
export const paymentOf = (session: SessionFacts): Payment | null =>
  session.payment_status === "paid"
    ? {
        paymentId: session.id,
        quoteId: session.client_reference_id ?? "",
        amountCents: session.amount_total ?? 0,
        currency: (session.currency ?? "").toUpperCase()
      }
    : null
