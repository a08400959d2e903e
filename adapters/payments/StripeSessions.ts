// Maps a quote to the parameters of its Checkout Session, and a session to its payment. The parameters derive from the quote
// alone, so that every instance at any time asks Stripe for the same session.
import type Stripe from "stripe"
import type { PaymentFor } from "#core/domain/ordering/Quote.ts"
import { type PayableId, PaymentId, PaymentSessionId } from "#core/domain/shared/Ids.ts"
import type { SessionRequest, SessionState } from "#core/ports/ordering/PaymentProcessor.ts"

/**
 * A session ends this long before its quote, so that a payment at the last moment is still in time, and the session of a quote
 * of 24 hours stays within Stripe's maximum of 24 hours, even if our clock is ahead of Stripe's.
 */
const MARGIN_SECONDS = 60

/** Where Stripe redirects a human who has paid: our page, which then waits for Stripe's notice. */
export const paidUrl = (pageUrl: string): string => `${pageUrl}?returned=paid`

/** Lasts Stripe's default of 24 hours. */
export const sessionWithoutEnd = (request: SessionRequest): Stripe.Checkout.SessionCreateParams => {
  const { quoteId, amountCents, currency, description, pageUrl } = request
  const product = { currency: currency.toLowerCase(), unit_amount: amountCents, product_data: { name: description } }
  return {
    mode: "payment",
    client_reference_id: quoteId,
    metadata: { quote_id: quoteId },
    payment_intent_data: { metadata: { quote_id: quoteId } },
    line_items: [{ quantity: 1, price_data: product }],
    // A payment in the human's own currency would be reported as another amount.
    adaptive_pricing: { enabled: false },
    success_url: paidUrl(pageUrl),
    cancel_url: pageUrl
  }
}

export const sessionFor = (request: SessionRequest): Stripe.Checkout.SessionCreateParams => ({
  ...sessionWithoutEnd(request),
  expires_at: Math.floor(request.expiresAtMs / 1_000) - MARGIN_SECONDS
})

/** The fields that a notice and an API response have in common. */
export type SessionFacts = Pick<
  Stripe.Checkout.Session,
  "id" | "client_reference_id" | "amount_total" | "currency" | "payment_status"
>

/** The part of the idempotency key that a quote's session and the one after it differ in. */
export const idempotencyKey = ({ quoteId, endedSessionId }: SessionRequest): string =>
  endedSessionId === null ? quoteId : `${quoteId}-after-${endedSessionId}`

/** States of a payment that failed: Stripe leaves its session complete and unpaid. */
const FAILED: ReadonlySet<string> = new Set(["requires_payment_method", "canceled"])

/** Needs the expanded `payment_intent`: a bank debit that failed looks like one under way otherwise. */
export const stateOf = <Id extends PayableId>(session: Stripe.Checkout.Session): SessionState<Id> => {
  const payment = paymentOf<Id>(session)
  if (payment !== null) return { outcome: "paid", payment }
  if (session.status === "open") return { outcome: "open" }
  const { payment_intent: intent } = session
  const hasFailed = intent !== null && typeof intent === "object" && FAILED.has(intent.status)
  return session.status === "expired" || hasFailed
    ? { outcome: "expired" }
    : { outcome: "pending", sessionId: PaymentSessionId.make(session.id) }
}

/**
 * The payment of a session; `null` while there is none, as when a bank debit is under way. A session is paid at most once, so
 * its id serves as the payment's.
 */
export const paymentOf = <Id extends PayableId>(session: SessionFacts): PaymentFor<Id> | null =>
  session.payment_status === "paid"
    ? {
        paymentId: PaymentId.make(session.id),
        // The reference of a session is the id that it was opened for.
        quoteId: (session.client_reference_id ?? "") as Id,
        amountCents: session.amount_total ?? 0,
        currency: (session.currency ?? "").toUpperCase()
      }
    : null
