// What a move changes of its link: status, published URL, and one more entry of its history.
import type { Link } from "#core/domain/ordering/Link.ts"
import type { LinkMove } from "../Change.ts"

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
      ...(move.refunded === true ? { refunded: true } : {}),
      ...(move.creditedCents === undefined ? {} : { creditedCents: move.creditedCents })
    }
  ]
})
