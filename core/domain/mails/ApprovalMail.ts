// Mails to owners on orders that wait for their approval: what they tell, and how often one is sent.
import { Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { MemberId, QuoteId } from "../shared/Ids.ts"

export const WaitingOrder = Schema.Struct({
  quoteId: QuoteId,
  /** The label of the key that asks. */
  credential: Schema.String,
  totalCents: Cents,
  expiresAtMs: Millis,
  links: Schema.Array(Schema.Struct({ domain: Schema.String, targetUrl: Schema.String, anchorText: Schema.String }))
})
export type WaitingOrder = typeof WaitingOrder.Type

/** A mail that is to be sent to one owner. */
export const DueApprovalMail = Schema.Struct({
  memberId: MemberId,
  email: Schema.String,
  /** The zone that the owner chose for times; `null` is UTC. */
  timeZone: Schema.NullOr(Schema.String),
  accountName: Schema.String,
  /** The largest total first, and of equal ones the oldest; at most `WAITING_SHOWN`. */
  orders: Schema.Array(WaitingOrder),
  /** Counts all orders that it tells of; 0 if they were all decided meanwhile. */
  count: Schema.Int,
  /** The total of all orders that it tells of, and when the first of them expires; `null` without one. */
  totalCents: Cents,
  firstExpiresAtMs: Schema.NullOr(Millis),
  /** The id of the last quote that it tells of. */
  upTo: Schema.String,
  /** Earlier attempts that failed. */
  attempts: Schema.Int
})
export type DueApprovalMail = typeof DueApprovalMail.Type

/** After a mail, further orders that wait are gathered for this long and told in one mail. */
export const APPROVAL_MAIL_GAP_MS = 60_000

/** A mail lists the largest, and says how many there are. */
export const WAITING_SHOWN = 5
