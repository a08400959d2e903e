// Checks one order against the limits that the account's owner set on the key. Reports the first broken rule.
import { Result } from "effect"
import { type Account, owedCentsOf } from "../members/Account.ts"
import { hostIsWithin, type OrderItem, targetHost } from "../pricing/Cart.ts"
import type { Cents } from "../pricing/Money.ts"
import type { Mode } from "../shared/DecisionContext.ts"
import { SpendPolicyRefused } from "./AccessRefusal.ts"
import type { ApiKey, SpendLimits } from "./ApiKey.ts"
import { isWebCredential } from "./WebCredential.ts"

/** Whether an owner lets the credential buy, change what it bought and add webhooks at present. The Shop's always may. */
export const checkStopped = (
  account: Pick<Account, "agentsStoppedAtMs"> | undefined,
  { keyId, pausedAtMs }: Pick<ApiKey, "keyId" | "pausedAtMs">
): Result.Result<void, SpendPolicyRefused> => {
  if (isWebCredential(keyId)) return Result.void
  if (account?.agentsStoppedAtMs !== undefined) return Result.fail(new SpendPolicyRefused({ rule: "agents_stopped" }))
  return pausedAtMs === undefined ? Result.void : Result.fail(new SpendPolicyRefused({ rule: "paused" }))
}

const checkDomains = (
  allowed: ReadonlyArray<string>,
  items: ReadonlyArray<OrderItem>
): Result.Result<void, SpendPolicyRefused> => {
  for (const [index, item] of items.entries()) {
    const host = targetHost(item)
    if (!allowed.some((domain) => hostIsWithin(host, domain))) {
      const path = { item: index, field: "targetUrl" }
      return Result.fail(new SpendPolicyRefused({ rule: "allowed_domains", host, allowedDomains: allowed, path }))
    }
  }
  return Result.void
}

/**
 * Whether the target of a link that is bought already may change so. A host that no human has seen would go round the approval of orders.
 */
export const checkTarget = (
  { allowedDomains, approveAboveCents }: SpendLimits,
  from: string,
  to: string
): Result.Result<void, SpendPolicyRefused> => {
  const host = new URL(to).hostname
  const path = { field: "targetUrl" }
  if (allowedDomains !== null && !allowedDomains.some((domain) => hostIsWithin(host, domain)))
    return Result.fail(new SpendPolicyRefused({ rule: "allowed_domains", host, allowedDomains, path }))
  return approveAboveCents !== null && host !== new URL(from).hostname
    ? Result.fail(new SpendPolicyRefused({ rule: "approve_above_cents", host, path }))
    : Result.void
}

/** `spentTodayCents` is the sum of the key's open and paid quotes of this UTC day, without this order. */
export const checkSpend = (
  limits: SpendLimits,
  items: ReadonlyArray<OrderItem>,
  totalCents: Cents,
  spentTodayCents: Cents
): Result.Result<void, SpendPolicyRefused> => {
  const { maxOrderCents, maxDayCents, allowedDomains } = limits
  if (maxOrderCents !== null && totalCents > maxOrderCents) {
    return Result.fail(
      new SpendPolicyRefused({ rule: "max_order_cents", limitCents: maxOrderCents, wouldBeCents: totalCents })
    )
  }
  const dayCents = spentTodayCents + totalCents
  if (maxDayCents !== null && dayCents > maxDayCents) {
    return Result.fail(
      new SpendPolicyRefused({ rule: "max_day_cents", limitCents: maxDayCents, wouldBeCents: dayCents })
    )
  }
  return allowedDomains === null ? Result.void : checkDomains(allowedDomains, items)
}

/** No order takes credit while the account owes something. Sandbox orders take none. */
export const checkOwed = (
  account: Pick<Account, "owedCents">,
  { mode, creditCents }: { readonly mode: Mode; readonly creditCents: Cents }
): Result.Result<void, SpendPolicyRefused> => {
  const owedCents = owedCentsOf(account)
  return mode === "live" && creditCents > 0 && owedCents > 0
    ? Result.fail(new SpendPolicyRefused({ rule: "credit_owed", owedCents }))
    : Result.void
}

/** Whether a limit allows more than before; `null` is no limit. */
const allowsMore = (before: number | null, after: number | null): boolean =>
  before !== null && (after === null || after > before)

/** `dailyOrderCap`: 0 means unlimited; `null` means the service's default, which may be above or below any other cap. */
const capAllowsMore = (before: number | null, after: number | null): boolean =>
  before !== after && before !== 0 && (before === null || after === null || after === 0 || after > before)

const domainsAllowMore = (before: ReadonlyArray<string> | null, after: ReadonlyArray<string> | null): boolean =>
  before !== null && (after === null || after.some((host) => !before.some((domain) => hostIsWithin(host, domain))))

/** Up to which total an order for one target of this host is not asked for; `null`: any. */
const unaskedCents = ({ approveAboveCents, alwaysAllow }: SpendLimits, host: string): Cents | null => {
  const amounts = alwaysAllow.filter(({ domain }) => hostIsWithin(host, domain)).map(({ upToCents }) => upToCents)
  if (approveAboveCents === null || amounts.length === 0) return approveAboveCents
  return Math.max(approveAboveCents, Math.min(...amounts))
}

/** The domains themselves stand for all hosts: what lies in one of them counts like the narrowest one in which it lies. */
const alwaysAllowsMore = (before: SpendLimits, after: SpendLimits): boolean =>
  [...before.alwaysAllow, ...after.alwaysAllow].some(({ domain }) =>
    allowsMore(unaskedCents(before, domain), unaskedCents(after, domain))
  )

/** Whether some order that the limits `before` forbid is allowed by those after, or may be. */
export const loosens = (before: SpendLimits, after: SpendLimits): boolean =>
  allowsMore(before.maxOrderCents, after.maxOrderCents) ||
  allowsMore(before.maxDayCents, after.maxDayCents) ||
  allowsMore(before.approveAboveCents, after.approveAboveCents) ||
  (before.holdLookAlikes && !after.holdLookAlikes) ||
  capAllowsMore(before.dailyOrderCap, after.dailyOrderCap) ||
  domainsAllowMore(before.allowedDomains, after.allowedDomains) ||
  alwaysAllowsMore(before, after)
