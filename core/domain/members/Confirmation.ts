// Fresh confirmation of one action by a second factor. Access to a member's mail, which is enough to sign in, is not enough for it.
import { canonicalJson } from "../shared/CanonicalJson.ts"
import type { MemberId } from "../shared/Ids.ts"

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

declare const confirmed: unique symbol

/** The member confirmed the action, or nothing had to be confirmed. Made by the use case `ConfirmAction` alone, and stored nowhere. */
export interface Confirmed {
  readonly memberId: MemberId
  readonly [confirmed]: true
}
