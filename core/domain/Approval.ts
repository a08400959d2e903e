// When an order waits for the approval of the account's human, and what the human may answer.
import type { SpendLimits } from "./ApiKey.ts"
import type { Cents } from "./Money.ts"
import { hiddenCharacterFault, isVisible } from "./VisibleText.ts"

/** Of the word to the agent with which a human may decline. */
export const DECLINE_REASON_MAX = 200

/** `lookAlike` is a recent quote of the account for the same items. */
export const needsApproval = (
  { approveAboveCents, holdLookAlikes }: SpendLimits,
  totalCents: Cents,
  lookAlike: string | null
): boolean =>
  (holdLookAlikes && lookAlike !== null) ||
  approveAboveCents === 0 ||
  (approveAboveCents !== null && totalCents > approveAboveCents)

/** A sentence on what is wrong with a human's word to the agent; `undefined` if nothing is. An empty one is none. */
export const declineReasonFault = (reason: string): string | undefined => {
  if (reason === "") return undefined
  if (Array.from(reason).length > DECLINE_REASON_MAX) return `Must have at most ${DECLINE_REASON_MAX} characters.`
  if (/\p{Cc}/u.test(reason)) return "Must not contain control characters or line breaks."
  return isVisible(reason) ? hiddenCharacterFault(reason) : "Must contain a character that can be seen."
}
