// Fresh confirmation of one action by a second factor. Access to a member's mail, which is enough to sign in, is not enough for it.
import { canonicalJson } from "../shared/CanonicalJson.ts"
import type { MemberId } from "../shared/Ids.ts"
import type { Session } from "./Session.ts"

/** What is confirmed, in full: a confirmation of one action counts for no other, and for no other content. */
export interface Action {
  /** Such as the path that a form is sent to. */
  readonly name: string
  /** Names and values; names may repeat, and their order does not matter. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

/** Equal for equal actions only. Browsers send the line breaks of forms in more than one spelling. */
export const actionText = ({ name, fields }: Action): string => {
  const normalized = fields.map(([field, value]) => [field, value.replaceAll(/\r\n?/g, "\n")] as const)
  return canonicalJson([name, normalized.map((field) => canonicalJson(field)).toSorted()])
}

/** What a member confirms with; the empty text for what was not given. */
export interface Proof {
  /** A browser's response to the challenge of this action, as JSON. */
  readonly assertion: string
  /** A code of the authenticator app; for a change of factors, a one-time code counts, too. */
  readonly code: string
}

/** What a member has to do to confirm something. */
export interface ConfirmationNeed {
  /** Whether the account, or this member, has a second factor. Without one, nothing has to be confirmed. */
  readonly isNeeded: boolean
  /** Whether this member has a passkey. */
  readonly passkey: boolean
  /** Whether this member has an authenticator app. */
  readonly totp: boolean
}

/**
 * What a change asks of the session that makes it, where the account has a second factor. `nothing`: it only tightens, or a session by mail
 * may do it for another reason. `session`: the session is confirmed, once. `action`: a fresh proof for this very action. `loosening`: the same
 * where it loosens, and nothing where it tightens.
 */
export type Asks = "nothing" | "session" | "action" | "loosening"

/** The rule for sessions; use cases that want a fresh proof take a `Confirmed`. */
export const asksToConfirm = (asks: Asks, { confirmedAtMs }: Pick<Session, "confirmedAtMs">): boolean =>
  asks === "session" && confirmedAtMs === null

declare const confirmed: unique symbol

/** The member confirmed the action, or nothing had to be confirmed. Made by the use case `ConfirmAction` alone, and stored nowhere. */
export interface Confirmed {
  readonly memberId: MemberId
  readonly [confirmed]: true
}
