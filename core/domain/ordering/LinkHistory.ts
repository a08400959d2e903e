// The history of a link: what a move makes of the link and adds to it, and the link as it was at an earlier entry.
import type { Cents } from "../pricing/Money.ts"
import type { Millis } from "../shared/DecisionContext.ts"
import type { LinkId } from "../shared/Ids.ts"
import { isOnline, type Link, type LinkStatus } from "./Link.ts"

/** The move of a link to another status. */
export interface LinkMove {
  readonly linkId: LinkId
  readonly to: LinkStatus
  readonly atMs: Millis
  readonly reason: string | null
  /** Only with `published`, and when a URL is corrected: then `to` is the present status. */
  readonly publishedUrl: string | null
  /** Only with `cancelled`: the card's part of the price is not credited, because it goes back by refund or dispute. */
  readonly refunded?: boolean
  /** Only with `refunded`: what is credited all the same, because credit had paid it. */
  readonly creditedCents?: Cents
  /** The `idPrefix` of a call under an idempotency key. */
  readonly call?: string
}

/** What a move makes of the link: status, published URL, and one more entry of its history. */
export const moved = (link: Link, move: LinkMove): Partial<Link> => ({
  status: move.to,
  statusReason: move.reason,
  publishedUrl: move.publishedUrl ?? link.publishedUrl,
  publishedAtMs: link.publishedAtMs ?? (move.to === "published" ? move.atMs : null),
  history: [
    ...link.history,
    {
      status: move.to,
      atMs: move.atMs,
      ...(move.reason === null ? {} : { reason: move.reason }),
      ...(move.publishedUrl === null ? {} : { url: move.publishedUrl }),
      ...(move.refunded === true ? { refunded: true } : {}),
      ...(move.creditedCents === undefined ? {} : { creditedCents: move.creditedCents }),
      ...(move.call === undefined ? {} : { call: move.call })
    }
  ]
})

/** The link with the text that it had before these entries of its history. */
const textBefore = (link: Link, later: Link["history"]): Link => {
  const changes = later.flatMap(({ changed = [] }) => changed).toReversed()
  // Each field has the type of its values: those that were stored in it.
  return { ...link, ...(Object.fromEntries(changes.map(({ field, from }) => [field, from])) as Partial<Link>) }
}

/**
 * The link after so many entries of its history. What entries from before they kept reasons and addresses do not tell is taken from the
 * link: its reason is that of its last entry, its address that of its publication.
 */
export const linkAsOf = (link: Link, entries: number): Link => {
  const history = link.history.slice(0, entries)
  const last = history.at(-1)
  if (last === undefined || history.length === link.history.length) return link
  const isPublished = isOnline(last.status) || history.some(({ status }) => isOnline(status))
  const url = history.findLast((entry) => entry.url !== undefined)?.url
  return {
    ...textBefore(link, link.history.slice(entries)),
    history,
    status: last.status,
    statusReason: last.reason ?? null,
    publishedUrl: isPublished ? (url ?? link.publishedUrl) : null,
    publishedAtMs: isPublished
      ? (history.find(({ status }) => status === "published")?.atMs ?? link.publishedAtMs)
      : null
  }
}

/** The link as it was bought. */
export const linkAsBought = (link: Link): Link => {
  const boughtAtMs = link.history[0]?.atMs
  const later = link.history.findIndex(({ atMs, status }) => atMs !== boughtAtMs || !BOUGHT.has(status))
  return later === -1 ? link : linkAsOf(link, later)
}

/** What a link passes through as it is bought. */
const BOUGHT: ReadonlySet<Link["status"]> = new Set(["to_assign", "assigned"])
