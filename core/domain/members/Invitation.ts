// An invitation to become a member of an account. Only the invited person makes a member of it; until then the address stays free.
import { Schema } from "effect"
import { DAY_MS, Millis, utcDay } from "../shared/DecisionContext.ts"
import { AccountId, InvitationId } from "../shared/Ids.ts"
import { type Account, isUnpaid } from "./Account.ts"
import { GivenRole } from "./Member.ts"

/** An invitation can be accepted for this long. */
export const INVITATION_MS = 7 * DAY_MS

/** An invitation that has ended is kept for as long again, so that its page can tell why it ended. */
export const INVITATION_KEPT_MS = 2 * INVITATION_MS

const A_DAY = 5
const A_DAY_BEFORE_PAYMENT = 1

/** The invitations that an account makes in one UTC day. A stranger's new account is no way to mail many people. */
export const invitationsADay = (account: Account): number => (isUnpaid(account) ? A_DAY_BEFORE_PAYMENT : A_DAY)

export const Invitation = Schema.Struct({
  invitationId: InvitationId,
  accountId: AccountId,
  /** The address as it was typed. Several accounts may invite one address. */
  email: Schema.String,
  role: GivenRole,
  /** A member's id or an operator's name; `null` for a former member of whom an upgrade made it: no mail is sent then. */
  invitedBy: Schema.NullOr(Schema.String),
  createdAtMs: Millis,
  expiresAtMs: Millis,
  /** `null` while it is open, and after it has expired. The end of its account withdraws it. */
  outcome: Schema.NullOr(Schema.Literals(["accepted", "withdrawn"])),
  endedAtMs: Schema.NullOr(Millis)
})
export type Invitation = typeof Invitation.Type

export const isOpenInvitation = ({ outcome, expiresAtMs }: Invitation, nowMs: Millis): boolean =>
  outcome === null && nowMs < expiresAtMs

/** Whether it counts among the invitations that its account made on the day of `nowMs`, withdrawn or not. */
export const isMadeToday = ({ invitedBy, createdAtMs }: Invitation, nowMs: Millis): boolean =>
  invitedBy !== null && utcDay(createdAtMs) === utcDay(nowMs)

/** Why it can no longer be accepted. `unknown`: it never was, or is no longer kept. */
export const InvitationEnd = Schema.Literals(["unknown", "accepted", "withdrawn", "expired"])
export type InvitationEnd = typeof InvitationEnd.Type

/** Why the invitation cannot be accepted; `null` while it can. */
export const invitationEnd = (invitation: Invitation | undefined, nowMs: Millis): InvitationEnd | null => {
  if (invitation === undefined) return "unknown"
  return invitation.outcome ?? (nowMs < invitation.expiresAtMs ? null : "expired")
}
