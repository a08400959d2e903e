// Mails that tell all owners what happened to their account: that it was closed, who was invited and who joined, which agents may order and how far, which of them
// has used most of its day, that agents were stopped, and what became of webhooks. The audit records are what is told.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AuditId, MemberId } from "../shared/Ids.ts"

/** The actions of the audit records that are told. */
export const NoticeAction = Schema.Literals([
  "member.invite",
  "member.join",
  "webhook.add_account",
  "webhook.move_account",
  "webhook.disable",
  "key.issue",
  "key.limit",
  "key.near_limit",
  "connection.consent",
  "connection.limit",
  "connection.near_limit",
  "agents.stop",
  "account.close"
])
export type NoticeAction = typeof NoticeAction.Type

/** A change of limits is told only where it allows more. */
export const LIMIT_CHANGES: ReadonlySet<string> = new Set<NoticeAction>(["key.limit", "connection.limit"])

export const Notice = Schema.Struct({
  auditId: AuditId,
  action: NoticeAction,
  /** The person who was invited, or joined; empty for a webhook. */
  email: Schema.String,
  role: Schema.String,
  /** What the account calls the credential, such as that which added a webhook; and where the webhook is told. Empty for people. */
  label: Schema.String,
  url: Schema.String,
  /** How much of a limit of the day is used, in cents or in orders, and what the limit is. */
  near: Schema.NullOr(Schema.Struct({ limit: Schema.Literals(["cents", "orders"]), used: Schema.Int, of: Schema.Int })),
  /** The address of the member who did it; `null` where an operator did. */
  by: Schema.NullOr(Schema.String),
  atMs: Millis
})
export type Notice = typeof Notice.Type

/** Whether it tells of what agents may do or did; the others tell of people and webhooks. */
export const isOfAgents = ({ action }: Pick<Notice, "action">): boolean =>
  action.startsWith("key.") || action.startsWith("connection.") || action.startsWith("agents.")

/** After it, no one signs in to the account. */
export const isClosing = ({ action }: Pick<Notice, "action">): boolean => action === "account.close"

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
