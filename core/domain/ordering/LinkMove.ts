// The move of a link to another status, and what it makes of the link: status, published URL, and one more entry of its history.
import type { Cents } from "../pricing/Money.ts"
import type { Millis } from "../shared/DecisionContext.ts"
import type { LinkId } from "../shared/Ids.ts"
import type { Link, LinkStatus } from "./Link.ts"

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
