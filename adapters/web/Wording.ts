// States, amounts and kinds of entries as a person would say them.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, isolated } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { Placed } from "#core/domain/access/PlacedBy.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { type LinkStatus, STAGES } from "#core/domain/ordering/Link.ts"
import { type OrderStatus, publishedCount } from "#core/domain/ordering/Order.ts"
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
  assigned: "being written",
  drafted: "written",
  in_review: "in review",
  approved: "approved",
  published: "online",
  verified: "checked",
  cancelled: "cancelled"
}

/** Until when an owner changes and cancels: `canCancel` and `canChangeText`, in the words that every page says them in. */
export const UNTIL_WHEN = "Until a writer begins, you can cancel a link; until its text is written, you can change it."

export const orderStatusText: Readonly<Record<OrderStatus, string>> = {
  paid: "not written yet",
  in_progress: "in progress",
  completed: "online",
  cancelled: "cancelled"
}

/** How an order stands: how many of its links are online, or else at the stage of the one that is furthest. Cancelled links do not count. */
export const orderText = (links: ReadonlyArray<{ readonly status: LinkStatus }>): string => {
  const active = links.map(({ status }) => status).filter((status) => status !== "cancelled")
  if (active.length === 0) return linkStatusText.cancelled
  const online = publishedCount(links)
  if (online === active.length) return online === 1 ? "online" : `all ${online} online`
  if (online > 0) return `${online} of ${active.length} online`
  const furthest = STAGES.findLast((stage) => active.includes(stage)) ?? "to_assign"
  const there = active.filter((status) => status === furthest).length
  return there === active.length ? linkStatusText[furthest] : `${there} of ${active.length} ${linkStatusText[furthest]}`
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
