// When an order waits for the approval of the account's human, and what the human may answer.
import { type AlwaysAllowed, MAX_ALWAYS_ALLOWED, type SpendLimits } from "../access/ApiKey.ts"
import { hostIsWithin, targetHost } from "../pricing/Cart.ts"
import type { Cents } from "../pricing/Money.ts"
import { hiddenCharacterFault, isVisible } from "../shared/VisibleText.ts"

/** The most characters of the word to the agent with which a human may decline. */
export const DECLINE_REASON_MAX = 200

interface Targeted {
  readonly targetUrl: string
}

/**
 * Up to which total orders for these targets are allowed always: the smallest amount among the domains in which they lie; 0 if one target
 * lies in none.
 */
export const alwaysAllowedCents = (
  { alwaysAllow }: Pick<SpendLimits, "alwaysAllow">,
  hosts: ReadonlyArray<string>
): Cents => {
  const amounts = hosts.map((host) =>
    alwaysAllow.filter(({ domain }) => hostIsWithin(host, domain)).map(({ upToCents }) => upToCents)
  )
  return amounts.length === 0 || amounts.some((ofHost) => ofHost.length === 0) ? 0 : Math.min(...amounts.flat())
}

/**
 * The rule that stops an order. `lookAlike`: a recent order for the same items. `allowedCents`: up to which total orders for its targets are
 * allowed always, and which it exceeds; 0 if they are not.
 */
export type ApprovalRule =
  | { readonly _tag: "LookAlike"; readonly lookAlike: string }
  | { readonly _tag: "EveryOrder"; readonly allowedCents: Cents }
  | { readonly _tag: "Above"; readonly aboveCents: Cents; readonly allowedCents: Cents }

/** `null`: the order does not wait. `lookAlike` is a recent quote of the account for the same items. For most orders no URL is parsed. */
export const approvalRule = (
  limits: Pick<SpendLimits, "approveAboveCents" | "holdLookAlikes" | "alwaysAllow">,
  { totalCents, items }: { readonly totalCents: Cents; readonly items: ReadonlyArray<Targeted> },
  lookAlike: string | null
): ApprovalRule | null => {
  const { approveAboveCents: aboveCents, holdLookAlikes, alwaysAllow } = limits
  if (holdLookAlikes && lookAlike !== null) return { _tag: "LookAlike", lookAlike }
  if (aboveCents === null || (aboveCents > 0 && totalCents <= aboveCents)) return null
  const allowedCents = alwaysAllow.length === 0 ? 0 : alwaysAllowedCents(limits, items.map(targetHost))
  // Where every order waits, one for nothing does, too.
  if (allowedCents > 0 && totalCents <= allowedCents) return null
  return aboveCents === 0 ? { _tag: "EveryOrder", allowedCents } : { _tag: "Above", aboveCents, allowedCents }
}

/** See `approvalRule`. */
export const needsApproval = (...order: Parameters<typeof approvalRule>): boolean => approvalRule(...order) !== null

/**
 * The domain for which orders of a key need not wait any more, up to an amount: the one that all links of the order point to. `null`
 * where they point to several, where the key may not link to it, or where the key asks for no order because of its total.
 */
export const domainToAllow = (
  { approveAboveCents, allowedDomains }: SpendLimits,
  items: ReadonlyArray<Targeted>
): string | null => {
  const [domain, ...others] = new Set(items.map((item) => targetHost(item).replace(/^www\./, "")))
  if (domain === undefined || others.length > 0 || approveAboveCents === null) return null
  return allowedDomains === null || allowedDomains.some((allowed) => hostIsWithin(domain, allowed)) ? domain : null
}

/** The limits by which orders to this domain up to this amount do not wait; orders to other domains wait as before. */
export const limitsToAllow = (
  { alwaysAllow }: Pick<SpendLimits, "alwaysAllow">,
  domain: string,
  upToCents: Cents
): Pick<SpendLimits, "alwaysAllow"> => ({
  alwaysAllow: [...alwaysAllow.filter((one) => one.domain !== domain), { domain, upToCents }]
})

/** A sentence on what is wrong with the domains that are allowed always; `undefined` if nothing is. */
export const alwaysAllowFault = (allowed: ReadonlyArray<AlwaysAllowed>): string | undefined => {
  if (allowed.length > MAX_ALWAYS_ALLOWED) return `Must be at most ${MAX_ALWAYS_ALLOWED} domains.`
  if (new Set(allowed.map(({ domain }) => domain)).size < allowed.length) return "Must name each domain once."
  return allowed.every(({ upToCents }) => upToCents > 0) ? undefined : "Must have an amount above 0 for each domain."
}

/** A sentence on what is wrong with a human's word to the agent; `undefined` if nothing is, and for an empty word, which is not sent. */
export const declineReasonFault = (reason: string): string | undefined => {
  if (reason === "") return undefined
  if (Array.from(reason).length > DECLINE_REASON_MAX) return `Must have at most ${DECLINE_REASON_MAX} characters.`
  if (/\p{Cc}/u.test(reason)) return "Must not contain control characters or line breaks."
  return isVisible(reason) ? hiddenCharacterFault(reason) : "Must contain a character that can be seen."
}
