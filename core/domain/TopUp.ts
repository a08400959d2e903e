// A top-up that a member pays by the processor: open until it is paid or has ended. A payment that comes later still counts.
import { Schema } from "effect"
import type { Millis } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"

export const MIN_TOP_UP_CENTS = 500
export const MAX_TOP_UP_CENTS = 500_000

/** As long as a payment page of the processor lives. */
export const TOP_UP_TTL_MS = 24 * 3_600_000

export interface TopUp {
  readonly topUpId: string
  readonly accountId: string
  /** Who asked for it. */
  readonly memberId: string
  readonly cents: Cents
  /** `ended`: its payment session ended unpaid. */
  readonly status: "open" | "paid" | "ended"
  /** Opens its page at the simulated processor. */
  readonly paymentToken: string
  /** Both `null` until the processor has opened the session. */
  readonly sessionId: string | null
  readonly paymentUrl: string | null
  /** The processor's id of the payment that paid it, and the reference of its ledger entry. */
  readonly paymentId: string | null
  readonly createdAtMs: Millis
  readonly expiresAtMs: Millis
}

/** Whether a payment notice is about a top-up; others are about quotes. */
export const isTopUpId = (id: string): boolean => id.startsWith("top_")

export class TopUpAmountInvalid extends Schema.TaggedError<TopUpAmountInvalid>()("TopUpAmountInvalid", {
  minimumCents: Schema.Int,
  maximumCents: Schema.Int
}) {}

export class TopUpNotFound extends Schema.TaggedError<TopUpNotFound>()("TopUpNotFound", { topUpId: Schema.String }) {}
