// Mails to owners on top-ups that were paid: what they tell, and how often one is sent.
import { Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { EntryId, InvoiceId, MemberId } from "../shared/Ids.ts"

export const PaidTopUp = Schema.Struct({
  entryId: EntryId,
  /** The receipt. */
  invoiceId: InvoiceId,
  cents: Cents,
  /** The address of the member who asked for it. */
  by: Schema.String,
  atMs: Millis
})
export type PaidTopUp = typeof PaidTopUp.Type

/** A mail that is to be sent to one owner. */
export const DueTopUpMail = Schema.Struct({
  memberId: MemberId,
  email: Schema.String,
  /** The zone that the owner chose for times; `null` is UTC. */
  timeZone: Schema.NullOr(Schema.String),
  accountName: Schema.String,
  /** Oldest first, at most `TOP_UPS_SHOWN`. */
  topUps: Schema.Array(PaidTopUp),
  /** Counts all top-ups that it tells of. */
  count: Schema.Int,
  totalCents: Cents,
  /** The id of the last ledger entry that it tells of. */
  upTo: Schema.String,
  /** Earlier attempts that failed. */
  attempts: Schema.Int
})
export type DueTopUpMail = typeof DueTopUpMail.Type

/** After a mail, what is paid is gathered for this long and told in one mail. */
export const TOP_UP_MAIL_GAP_MS = 60_000

/** A mail lists the oldest, and says how many there are. */
export const TOP_UPS_SHOWN = 20
