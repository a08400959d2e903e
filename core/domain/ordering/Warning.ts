// Warnings about an order, for the agent to pass on. They never stop an order.
import { Schema } from "effect"
import { credentialKind } from "../access/CredentialKind.ts"
import { type OrderItem, targetHost } from "../pricing/Cart.ts"
import { requestedUrl } from "../pricing/SameItems.ts"
import { type KeyId, QuoteId } from "../shared/Ids.ts"

export const WarningCode = Schema.Literals([
  "similar_recent_order",
  "duplicate_target",
  "too_many_exact_anchors",
  "site_already_links"
])
export type WarningCode = typeof WarningCode.Type

export const Warning = Schema.Struct({
  code: WarningCode,
  message: Schema.String
})
export type Warning = typeof Warning.Type

/** How far back a similar order is searched. */
export const SIMILAR_ORDER_WINDOW_MS = 10 * 60_000

/** The smallest number of links for which a majority of exact anchors is reported. */
const EXACT_ANCHORS_FROM = 3

/** What warnings judge of an item. */
type JudgedItem = Pick<OrderItem, "siteId" | "targetUrl" | "anchorType">

const duplicateTargets = (items: ReadonlyArray<JudgedItem>): ReadonlyArray<Warning> => {
  if (items.length === 1) return []
  const alike = Map.groupBy(items, ({ siteId, targetUrl }) => `${siteId} ${requestedUrl(targetUrl)}`)
  return Array.from(alike.values()).flatMap(([first, second]) =>
    first === undefined || second === undefined
      ? []
      : {
          code: "duplicate_target",
          message: `This order links site ${first.siteId} to ${first.targetUrl} more than once.`
        }
  )
}

const exactAnchors = (items: ReadonlyArray<JudgedItem>): ReadonlyArray<Warning> => {
  const exact = items.filter(({ anchorType }) => anchorType === "exact").length
  return items.length >= EXACT_ANCHORS_FROM && exact * 2 > items.length
    ? [
        {
          code: "too_many_exact_anchors",
          message: `${exact} of ${items.length} anchors are exact matches; a natural profile mixes anchor types.`
        }
      ]
    : []
}

/** The warnings that need the cart alone. */
export const cartWarnings = (items: ReadonlyArray<JudgedItem>): ReadonlyArray<Warning> => [
  ...duplicateTargets(items),
  ...exactAnchors(items)
]

const SEND_A_KEY = ", and send an idempotency key next time"

/** `keyed`: the order has an idempotency key. */
export const similarRecentOrder = (quoteId: QuoteId, keyed = false): Warning => ({
  code: "similar_recent_order",
  message: `Quote ${quoteId} asked for the same items less than 10 minutes ago. If both are for one purchase, see to it that only one is paid for${keyed ? "" : SEND_A_KEY}.`
})

const SIMILAR_QUOTE = /^Quote (q_[\w-]+) /

/** The quote that a warning of a similar order names. */
export const similarQuoteOf = ({ code, message }: Warning): QuoteId | undefined => {
  const [, quoteId] = code === "similar_recent_order" ? (SIMILAR_QUOTE.exec(message) ?? []) : []
  return quoteId === undefined ? undefined : QuoteId.make(quoteId)
}

export const siteAlreadyLinks = (item: Pick<OrderItem, "siteId" | "targetUrl">): Warning => ({
  code: "site_already_links",
  message: `Site ${item.siteId} already carries a link to ${targetHost(item)} ordered by this account.`
})

/** Added to a replayed answer; no quote stores it. */
export interface ReplayWarning {
  readonly code: "placed_by_other_credential" | "replayed_without_key" | "response_not_kept"
  readonly message: string
}

export const replayedWithoutKey = (quoteId: QuoteId): ReplayWarning => ({
  code: "replayed_without_key",
  message: `This is the answer of quote ${quoteId} again, and nothing was bought twice: the same order came without an idempotency_key less than 10 minutes before. If the user wants the same links once more, send the order with a new idempotency_key, which buys again.`
})

/** `label`: what the account calls the credential that placed it. */
export const placedByOtherCredential = (quoteId: QuoteId, keyId: KeyId, label: string): ReplayWarning => ({
  code: "placed_by_other_credential",
  message: `${JSON.stringify(label)}, a ${credentialKind(keyId)} of this account, placed this order before, with this idempotency key and body: this is the answer of its quote ${quoteId}, and nothing was bought twice. If it was to be another purchase, send the order with a new idempotency key, which buys again.`
})

export const responseNotKept = (quoteId: QuoteId): ReplayWarning => ({
  code: "response_not_kept",
  message: `The first answer to this idempotency key is no longer kept. This is the present state of its quote ${quoteId}, and nothing was bought again.`
})
