// Mails that tell all owners what happened to their account: who was invited and who joined, which webhook is told of all orders and
// where, and which was disabled. The audit records are what is told.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AuditId, MemberId } from "../shared/Ids.ts"

/** The actions of the audit records that are told. */
export const NoticeAction = Schema.Literals([
  "member.invite",
  "member.join",
  "webhook.add_account",
  "webhook.move_account",
  "webhook.disable"
])
export type NoticeAction = typeof NoticeAction.Type

export const Notice = Schema.Struct({
  auditId: AuditId,
  action: NoticeAction,
  /** The person who was invited, or joined; empty for a webhook. */
  email: Schema.String,
  role: Schema.String,
  /** What the account calls the credential that added a webhook, and where it is told; empty for people. */
  label: Schema.String,
  url: Schema.String,
  /** The address of the member who did it; `null` where an operator did. */
  by: Schema.NullOr(Schema.String),
  atMs: Millis
})
export type Notice = typeof Notice.Type

/** A mail that is to be sent to one owner. */
export const DueNoticeMail = Schema.Struct({
  memberId: MemberId,
  email: Schema.String,
  accountName: Schema.String,
  /** Oldest first, at most `NOTICES_SHOWN`. */
  notices: Schema.Array(Notice),
  /** Counts all that it tells of. */
  count: Schema.Int,
  /** The id of the last audit record that it tells of. */
  upTo: Schema.String,
  /** Earlier attempts that failed. */
  attempts: Schema.Int
})
export type DueNoticeMail = typeof DueNoticeMail.Type

/** After a mail, what happens next is gathered for this long and told in one mail. */
export const NOTICE_MAIL_GAP_MS = 60_000

/** A mail lists the oldest, and says how many there are. */
export const NOTICES_SHOWN = 20
