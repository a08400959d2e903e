// A member's change of address: asked for in a session, and done once both mailboxes have confirmed it. Until then nothing changes, and the new
// address stays free. Who has the old mailbox can refuse it meanwhile.
import { Schema } from "effect"
import { DAY_MS, Millis } from "../shared/DecisionContext.ts"
import { emailKey } from "./Account.ts"

/** Both confirm within this time. */
export const EMAIL_CHANGE_MS = DAY_MS

/** Whose mailbox a link was sent to. */
export const EmailSide = Schema.Literals(["old", "new"])
export type EmailSide = typeof EmailSide.Type

export const EmailChange = Schema.Struct({
  /** The member's address when it was asked for: once the member has another one, the change has ended. */
  from: Schema.String,
  /** The new address as it was typed. */
  to: Schema.String,
  /** SHA-256 of the token of the link to each mailbox. */
  oldHash: Schema.String,
  newHash: Schema.String,
  expiresAtMs: Millis,
  /** When each mailbox confirmed it. */
  oldConfirmedAtMs: Schema.NullOr(Millis),
  newConfirmedAtMs: Schema.NullOr(Millis)
})
export type EmailChange = typeof EmailChange.Type

interface Changing {
  readonly email: string
  readonly emailChange?: EmailChange
}

const isConfirmed = ({ oldConfirmedAtMs, newConfirmedAtMs }: EmailChange): boolean =>
  oldConfirmedAtMs !== null && newConfirmedAtMs !== null

/** The change that a member with this address still may confirm. */
export const openChange = ({ email, emailChange }: Changing, nowMs: Millis): EmailChange | null =>
  emailChange !== undefined &&
  nowMs < emailChange.expiresAtMs &&
  !isConfirmed(emailChange) &&
  emailKey(emailChange.from) === emailKey(email)
    ? emailChange
    : null

/** The change that gave the member this address, while sessions from before it may not all have ended. */
export const unfinishedChange = ({ email, emailChange }: Changing): EmailChange | null =>
  emailChange !== undefined && isConfirmed(emailChange) && emailKey(emailChange.to) === emailKey(email)
    ? emailChange
    : null

/** The mailbox that the link with this hash was sent to. */
export const sideOf = ({ oldHash, newHash }: EmailChange, hash: string): EmailSide | null => {
  if (hash === oldHash) return "old"
  return hash === newHash ? "new" : null
}
