// Takes card payments. Never called inside a transaction; a human confirms every charge.
import { Context, type Effect } from "effect"
import type { PaymentFor } from "#core/domain/ordering/Quote.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { PayableId, PaymentSessionId } from "#core/domain/shared/Ids.ts"
import type { ProcessorUnavailable } from "../shared/PortErrors.ts"

export interface SessionRequest {
  /** Together with `endedSessionId` the processor's idempotency key: a repeated call returns the same session. */
  readonly quoteId: PayableId
  /** The quote's last session, which ended unpaid and which this one replaces; `null` for its first. */
  readonly endedSessionId: PaymentSessionId | null
  readonly amountCents: Cents
  readonly currency: "EUR"
  readonly description: string
  readonly expiresAtMs: Millis
  /** The service's own page for this quote. */
  readonly pageUrl: string
}

export interface PaymentSession {
  readonly sessionId: PaymentSessionId
  readonly paymentUrl: string
}

/** The session of a quote or a top-up. */
export interface OpenedSession<Id extends PayableId> {
  readonly quoteId: Id
  readonly sessionId: PaymentSessionId
}

/** `null` where the session's id was never stored. */
export interface AskedSession<Id extends PayableId> {
  readonly quoteId: Id
  readonly sessionId: PaymentSessionId | null
}

/** `expired`: it is not paid and never will be, because it ended or its bank debit failed. `pending`: a bank debit is under way. */
export type SessionOutcome<Id extends PayableId> =
  | { readonly outcome: "expired" }
  | { readonly outcome: "paid"; readonly payment: PaymentFor<Id> }
  | { readonly outcome: "pending"; readonly sessionId: PaymentSessionId }

/** `open`: a human can still pay in it. */
export type SessionState<Id extends PayableId> = SessionOutcome<Id> | { readonly outcome: "open" }

export class PaymentProcessor extends Context.Service<
  PaymentProcessor,
  {
    readonly open: (request: SessionRequest) => Effect.Effect<PaymentSession, ProcessorUnavailable>
    /** What became of a session; it changes nothing. */
    readonly look: <Id extends PayableId>(
      session: OpenedSession<Id>
    ) => Effect.Effect<SessionState<Id>, ProcessorUnavailable>
    /** Expires the session, unless it was paid or a bank debit is under way. `sessionId` is `null` if it was never stored: the quote's id finds the session. */
    readonly expire: <Id extends PayableId>(
      session: AskedSession<Id>
    ) => Effect.Effect<SessionOutcome<Id>, ProcessorUnavailable>
    /**
     * Pays a session without a human; `null` with a real processor. Also pays an expired session, as a card form that was left open
     * would. Returns the payment that a real processor would report, the same in every repetition.
     */
    readonly simulatePayment:
      | (<Id extends PayableId>(quoteId: Id, amountCents: Cents) => Effect.Effect<PaymentFor<Id>, ProcessorUnavailable>)
      | null
  }
>()("backlinks/ports/ordering/PaymentProcessor") {}
