// Mails that tell all owners what happened to their account: that it was closed, who was invited, who joined and who has another address, which
// agents may order and how far, which of them has used most of its day, that agents were stopped, what became of webhooks, and everything that
// the operator did. The audit records are what is told.
import { Schema } from "effect"
import { isOperator } from "../members/Actor.ts"
import type { AuditRecord } from "../members/AuditRecord.ts"
import { type ActivityKind, kindsOf } from "../operations/ActivityKind.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { AuditId, MemberId } from "../shared/Ids.ts"

/** Told regardless of who did it. */
const ALWAYS_TOLD = [
  "member.invite",
  "member.join",
  "member.email",
  "webhook.add_account",
  "webhook.move_account",
  "webhook.disable",
  "key.issue",
  "key.near_limit",
  "connection.consent",
  "connection.near_limit",
  "agents.stop",
  "account.close",
  "factor.code_issued",
  "payment.refund",
  "payment.dispute",
  "topup.refund",
  "topup.dispute"
] as const

/** Told where they allow more, or where the operator made them. */
const LIMIT_CHANGES = ["key.limit", "connection.limit"] as const

/** Told where the operator did it; members and agents see on their own page what they do. */
const OPERATOR_ACTS = [
  "account.top_up",
  "account.debit",
  "account.email",
  "account.edit",
  "account.billing",
  "account.confirm_vat",
  "account.withdraw_vat",
  "agents.resume",
  "key.rotate",
  "key.pause",
  "key.resume",
  "key.revoke",
  "connection.pause",
  "connection.resume",
  "connection.revoke",
  "invitation.withdraw",
  "member.role",
  "member.remove",
  "link.cancel",
  "link.correct",
  "quote.approve",
  "quote.decline",
  "quote.abandon",
  "payment.resolve"
] as const

/** The actions of the audit records that are told. */
export const NoticeAction = Schema.Literals([...ALWAYS_TOLD, ...LIMIT_CHANGES, ...OPERATOR_ACTS])
export type NoticeAction = typeof NoticeAction.Type

/** When an action is told, as data: stores ask the same in their own language. */
export const TOLD = { always: ALWAYS_TOLD, loosened: LIMIT_CHANGES, operator: OPERATOR_ACTS } as const

const isAmong = (actions: ReadonlyArray<string>, action: string): boolean => actions.includes(action)

/** Whether owners are told of the record. What an operator notes of an account for other operators is not told. */
export const isTold = ({ action, actor, details }: Pick<AuditRecord, "action" | "actor" | "details">): boolean =>
  isAmong(TOLD.always, action) ||
  (isAmong(TOLD.loosened, action) && (details["loosens"] === true || isOperator(actor))) ||
  (isAmong(TOLD.operator, action) && isOperator(actor) && (action !== "account.edit" || details["name"] !== undefined))

export const Notice = Schema.Struct({
  auditId: AuditId,
  action: NoticeAction,
  /** The person whom it is about, or the account's new address; empty for other news. */
  email: Schema.String,
  role: Schema.String,
  /** What the account calls the credential that it is about, the site of a link, or the account's new name. Empty for other news. */
  label: Schema.String,
  /** Where a webhook is told, or a link is online. */
  url: Schema.String,
  cents: Schema.NullOr(Schema.Int),
  /** Why the operator did it, in the operator's words; empty without any. */
  reason: Schema.String,
  /** What became of money, such as `refunded`, or the state of a dispute; empty for other news. */
  outcome: Schema.String,
  /** How much of a limit of the day is used, in cents or in orders, and what the limit is. */
  near: Schema.NullOr(Schema.Struct({ limit: Schema.Literals(["cents", "orders"]), used: Schema.Int, of: Schema.Int })),
  /** The address of the member who did it; `null` where none did. */
  by: Schema.NullOr(Schema.String),
  isOfOperator: Schema.Boolean,
  atMs: Millis
})
export type Notice = typeof Notice.Type

/** The parts of an account that news are about: the kinds of its activity, in which approvals are about orders. */
export type NoticeTopic = Exclude<ActivityKind, "approvals">

/** Activity lists them under money; owners look at them under Settings, where the mail leads. */
const INVOICE_DETAILS = ["account.billing", "account.confirm_vat", "account.withdraw_vat"]

export const topicOf = ({ action }: Pick<Notice, "action">): NoticeTopic => {
  if (isAmong(INVOICE_DETAILS, action)) return "account"
  const [kind = "account"] = kindsOf(action)
  return kind === "approvals" ? "orders" : kind
}

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
