// Mails to owners on orders whose approval expired undecided: what they tell, and how often one is sent.
import { Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { AuditId, MemberId, QuoteId } from "../shared/Ids.ts"

/** The audit record of an approval that expired. */
export const EXPIRY_ACTION = "quote.expire"

export const ExpiredOrder = Schema.Struct({
  auditId: AuditId,
  quoteId: QuoteId,
  /** The label of the key that asked. */
  credential: Schema.String,
  totalCents: Cents,
  links: Schema.Array(Schema.Struct({ domain: Schema.String, targetUrl: Schema.String }))
})
export type ExpiredOrder = typeof ExpiredOrder.Type

/** A mail that is to be sent to one owner. */
export const DueExpiryMail = Schema.Struct({
  memberId: MemberId,
  email: Schema.String,
  accountName: Schema.String,
  /** Oldest first, at most `EXPIRED_SHOWN`. */
  expiries: Schema.Array(ExpiredOrder),
  /** Counts all orders that it tells of. */
  count: Schema.Int,
  /** The id of the last audit record that it tells of. */
  upTo: Schema.String,
  /** Earlier attempts that failed. */
  attempts: Schema.Int
})
export type DueExpiryMail = typeof DueExpiryMail.Type

/** After a mail, what expires is gathered for this long and told in one mail. */
export const EXPIRY_MAIL_GAP_MS = 10 * 60_000

/** A mail lists the oldest, and says how many there are. */
export const EXPIRED_SHOWN = 20
