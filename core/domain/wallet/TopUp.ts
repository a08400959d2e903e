// A top-up that a member pays by the processor: open until it is paid or has ended. A payment that comes later still counts.
import { Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { idTimeMs, Millis } from "../shared/DecisionContext.ts"
import { AccountId, MemberId, type PayableId, PaymentId, PaymentSessionId, TopUpId } from "../shared/Ids.ts"

export const MIN_TOP_UP_CENTS = 500
export const MAX_TOP_UP_CENTS = 500_000

/** What a person is asked to top up who owes so much: as much as settles it, as far as one top-up can. */
export const topUpFor = (owedCents: Cents): Cents => Math.min(Math.max(owedCents, MIN_TOP_UP_CENTS), MAX_TOP_UP_CENTS)

/** The lifetime of a payment page of the processor. */
export const TOP_UP_TTL_MS = 24 * 3_600_000

export const TopUp = Schema.Struct({
  topUpId: TopUpId,
  accountId: AccountId,
  /** Who asked for it. */
  memberId: MemberId,
  cents: Cents,
  /** `ended`: its payment session ended unpaid. */
  status: Schema.Literals(["open", "paid", "ended"]),
  /** Opens its page at the simulated processor. */
  paymentToken: Schema.String,
  /** Both `null` until the processor has opened the session. */
  sessionId: Schema.NullOr(PaymentSessionId),
  paymentUrl: Schema.NullOr(Schema.String),
  /** The processor's id of the payment that paid it, and the reference of its ledger entry. */
  paymentId: Schema.NullOr(PaymentId),
  /** What refunds and disputes took of it: from the account's credit, or as what the account owes. Absent if nothing. */
  reversedCents: Schema.optionalKey(Cents),
  createdAtMs: Millis,
  expiresAtMs: Millis
})
export type TopUp = typeof TopUp.Type

/** Whether the processor has still to open its payment session. */
export const awaitsSession = (
  { status, sessionId, expiresAtMs }: Pick<TopUp, "status" | "sessionId" | "expiresAtMs">,
  nowMs: Millis
): boolean => status === "open" && sessionId === null && expiresAtMs > nowMs

const FIRST_PAUSE_MS = 20_000
const LONGEST_PAUSE_MS = 60_000

/**
 * How long a top-up is left alone whose session is tried to be opened: half as long as it has waited by then, within bounds. Its id begins with
 * the time of its form.
 */
export const openAgainAfterMs = (topUpId: TopUpId, nowMs: Millis): Millis => {
  const waitedMs = nowMs - (idTimeMs(topUpId.slice("top_".length)) ?? nowMs)
  return Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, Math.floor(waitedMs / 2)))
}

/** Whether a payment notice is about a top-up; others are about quotes. */
export const isTopUpId = (id: PayableId): id is TopUpId => id.startsWith("top_")

export class TopUpAmountInvalid extends Schema.TaggedError<TopUpAmountInvalid>()("TopUpAmountInvalid", {
  minimumCents: Schema.Int,
  maximumCents: Schema.Int
}) {}

export class TopUpNotFound extends Schema.TaggedError<TopUpNotFound>()("TopUpNotFound", { topUpId: TopUpId }) {}
