// Takes what credit does not cover. Never called inside a transaction, never charges without a human.
import { Context, type Effect } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Cents } from "#core/domain/Money.ts"
import type { Payment } from "#core/domain/Quote.ts"
import type { ProcessorUnavailable } from "./PortErrors.ts"

export interface SessionRequest {
  /** Also the processor's idempotency key: opened again for the same quote, the same session comes back. */
  readonly quoteId: string
  readonly amountCents: Cents
  readonly currency: "EUR"
  readonly description: string
  readonly expiresAtMs: Millis
  /** The service's own page for this quote. */
  readonly pageUrl: string
}

export interface PaymentSession {
  readonly sessionId: string
  readonly paymentUrl: string
}

export type SessionOutcome = { readonly outcome: "expired" } | { readonly outcome: "paid"; readonly payment: Payment }

export class PaymentProcessor extends Context.Service<
  PaymentProcessor,
  {
    readonly open: (request: SessionRequest) => Effect.Effect<PaymentSession, ProcessorUnavailable>
    /** Makes the session unpayable, or tells that it was paid. Without a stored session the quote's id finds it. */
    readonly expire: (session: {
      readonly quoteId: string
      readonly sessionId: string | null
    }) => Effect.Effect<SessionOutcome, ProcessorUnavailable>
    /**
     * A human's payment, pretended: `null` with a real processor. Pays the session whatever its age, as a card form that was
     * left open would; the answer is the notice a real processor would send, the same in every repetition.
     */
    readonly simulatePayment:
      | ((quoteId: string, amountCents: Cents) => Effect.Effect<Payment, ProcessorUnavailable>)
      | null
  }
>()("backlinks/ports/PaymentProcessor") {}
