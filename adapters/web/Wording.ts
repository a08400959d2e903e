// States, amounts and kinds of entries as a person would say them.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, isolated } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { Placed } from "#core/domain/access/PlacedBy.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { LinkStatus } from "#core/domain/ordering/Link.ts"
import { type OrderStatus, orderStatus, publishedCount } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { MovementKind } from "#core/domain/wallet/Ledger.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import { endpointStatus } from "#core/domain/webhooks/EndpointHealth.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"

const LIVE = { value: "live", label: "live: orders are real" }
export const SANDBOX = { value: "sandbox", label: "sandbox: nothing is bought" }
export const MODES = [LIVE, SANDBOX]

export const linkStatusText: Readonly<Record<LinkStatus, string>> = {
  to_assign: "waits for a writer",
  assigned: "a writer has it",
  drafted: "is written",
  in_review: "is being reviewed",
  approved: "is approved",
  published: "is online",
  verified: "is online and checked",
  cancelled: "is cancelled"
}

export const orderStatusText: Readonly<Record<OrderStatus, string>> = {
  paid: "paid, work begins",
  in_progress: "in progress",
  completed: "all links are online",
  cancelled: "cancelled"
}

/** How an order stands: how many of its links are online, or are being written. Cancelled links do not count. */
export const orderText = (links: ReadonlyArray<{ readonly status: LinkStatus }>): string => {
  const status = orderStatus(links)
  const active = links.filter((one) => one.status !== "cancelled")
  const online = publishedCount(active)
  if (status === "completed") return active.length === 1 ? "online" : `all ${active.length} online`
  if (online > 0) return `${online} of ${active.length} online`
  const written = active.filter((one) => one.status === "assigned").length
  if (status === "paid" && written > 0)
    return written === active.length ? "being written" : `${written} of ${active.length} being written`
  return orderStatusText[status]
}

export const quoteStatusText = ({
  status,
  abandonedBy,
  paymentPendingAtMs,
  declinedReason
}: Pick<Quote, "status" | "abandonedBy" | "paymentPendingAtMs" | "declinedReason">): string => {
  if (status === "paid") return "paid"
  if (status === "awaiting_payment") return paymentPendingAtMs === null ? "awaiting payment" : "payment under way"
  if (status === "awaiting_approval") return "awaiting your approval"
  if (declinedReason !== null) return "declined"
  return abandonedBy === "expiry" ? "expired" : "withdrawn"
}

export const movementText: Readonly<Record<MovementKind, string>> = {
  top_up: "Top-up",
  late_payment: "Payment that came too late for its order",
  recredit: "Given back for a cancelled link",
  adjustment: "Taken back: a correction, a refund or a dispute",
  adjustment_reversed: "Given back: a dispute was won",
  hold: "Held for an unpaid order",
  release: "No longer held",
  capture: "Paid for an order"
}

export const topUpStatusText: Readonly<Record<TopUp["status"], string>> = {
  open: "awaiting payment",
  paid: "paid",
  ended: "not paid"
}

/** A credential as lists name it; that of the Shop has its own name. */
export const credentialText = ({ keyId, label, consent }: Pick<ApiKey, "keyId" | "label" | "consent">): string => {
  const kind = credentialKind(keyId)
  if (kind === "web") return "the Shop"
  return consent === undefined ? label : `${isolated(label)} (connection, ${consent.clientHost})`
}

/** Who placed something, as the people of the account see it. `members`: those that it has now. */
export const placerText = (
  placed: Placed,
  keys: ReadonlyArray<ApiKey>,
  members: ReadonlyArray<Pick<Member, "memberId" | "email">>
): string => {
  if (credentialKind(placed.keyId) === "web") {
    return members.find(({ memberId }) => memberId === placed.memberId)?.email ?? "a member"
  }
  const key = keys.find(({ keyId }) => keyId === placed.keyId)
  return key === undefined ? placed.keyId : credentialText(key)
}

/** The amount with its sign, for changes. */
export const signedEur = (cents: number): string =>
  cents === 0 ? formatEur(0) : `${cents > 0 ? "+" : "−"}${formatEur(Math.abs(cents))}`

/** What a state means for the reader; its word says the rest. */
export type Tone = "ok" | "wait" | "bad" | "info" | "off"

export const orderTone: Readonly<Record<OrderStatus, Tone>> = {
  paid: "info",
  in_progress: "info",
  completed: "ok",
  cancelled: "off"
}

export const quoteTone = ({ status }: Pick<Quote, "status">): Tone =>
  status === "paid" ? "ok" : status === "abandoned" ? "off" : "wait"

export const state = (text: string, tone: Tone = "off"): Html => html`<span class="pill ${tone}">${text}</span>`

const endpointText = ({ health }: Subscription): string => {
  switch (endpointStatus(health)) {
    case "active":
      return health.lastAttempt === null ? "nothing sent yet" : "works"
    case "failing":
      return `failing: ${counted(health.consecutiveFailures, "attempt")} in a row`
    case "disabled":
      if (health.pausedByOwner) return "turned off by an owner"
      return health.isPaused ? "turned off" : "switched off after lasting failures; a test that succeeds switches it on"
  }
}

const ENDPOINT_TONES = { active: "ok", failing: "wait", disabled: "bad" } as const

/** How the endpoint of a webhook fares. */
export const endpointState = (one: Subscription): Html => {
  const status = endpointStatus(one.health)
  const isUnused = status === "active" && one.health.lastAttempt === null
  return state(endpointText(one), isUnused ? "off" : ENDPOINT_TONES[status])
}
