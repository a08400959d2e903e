// When an order waits for the approval of the account's human, and what the human may answer.
import type { SpendLimits } from "../access/ApiKey.ts"
import { hostIsWithin, targetHost } from "../pricing/Cart.ts"
import type { Cents } from "../pricing/Money.ts"
import { hiddenCharacterFault, isVisible } from "../shared/VisibleText.ts"

/** The most characters of the word to the agent with which a human may decline. */
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

/**
 * The domain for which orders of a key need not wait any more, up to an amount: the one that all links of the order point to. `null`
 * where they point to several, where the key may not link to it, or where the key asks for no order because of its total.
 */
export const domainToAllow = (
  { approveAboveCents, allowedDomains }: SpendLimits,
  items: ReadonlyArray<{ readonly targetUrl: string }>
): string | null => {
  const [domain, ...others] = new Set(items.map((item) => targetHost(item).replace(/^www\./, "")))
  if (domain === undefined || others.length > 0 || approveAboveCents === null) return null
  return allowedDomains === null || allowedDomains.some((allowed) => hostIsWithin(domain, allowed)) ? domain : null
}

/**
 * The limits by which orders of up to this amount do not wait. There is one amount for all orders of a key, so that one which may link
 * anywhere is bound to the domain; the domains of any other stay as they are.
 */
export const limitsToAllow = (
  { allowedDomains }: Pick<SpendLimits, "allowedDomains">,
  domain: string,
  upToCents: Cents
): Pick<SpendLimits, "approveAboveCents" | "allowedDomains"> => ({
  approveAboveCents: upToCents,
  allowedDomains: allowedDomains ?? [domain]
})

/** A sentence on what is wrong with a human's word to the agent; `undefined` if nothing is, and for an empty word, which is not sent. */
export const declineReasonFault = (reason: string): string | undefined => {
  if (reason === "") return undefined
  if (Array.from(reason).length > DECLINE_REASON_MAX) return `Must have at most ${DECLINE_REASON_MAX} characters.`
  if (/\p{Cc}/u.test(reason)) return "Must not contain control characters or line breaks."
  return isVisible(reason) ? hiddenCharacterFault(reason) : "Must contain a character that can be seen."
}
