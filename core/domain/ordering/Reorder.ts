// The items of an order once more, as they can be ordered now.
import type { OrderItem } from "../pricing/Cart.ts"
import type { LinkId } from "../shared/Ids.ts"
import type { Link } from "./Link.ts"

/** An article takes one link, so a new article takes its place; a closed site takes no orders. */
export type ReorderReason = "new_article_instead" | "site_closed"

export interface Reorder {
  readonly items: ReadonlyArray<OrderItem>
  /** The links whose item differs or is left out. */
  readonly notes: ReadonlyArray<{ readonly linkId: LinkId; readonly reason: ReorderReason }>
}

const itemOf = (link: Link): OrderItem => ({
  siteId: link.siteId,
  targetUrl: link.targetUrl,
  anchorText: link.anchorText,
  anchorType: link.anchorType,
  format: "new_article",
  tier2Links: link.tier2Links,
  ...(link.projectId === null ? {} : { projectId: link.projectId }),
  ...(link.opportunityId === null ? {} : { opportunityId: link.opportunityId }),
  ...(link.brief === null ? {} : { brief: link.brief }),
  ...(link.reference === null ? {} : { reference: link.reference })
})

const reasonOf = (link: Link, openSites: ReadonlySet<number>): ReorderReason | undefined => {
  if (!openSites.has(link.siteId)) return "site_closed"
  return link.format === "insertion" ? "new_article_instead" : undefined
}

/** Cancelled links included: a replacement is what is wanted for them. */
export const reorderOf = (links: ReadonlyArray<Link>, openSites: ReadonlySet<number>): Reorder => ({
  items: links.filter(({ siteId }) => openSites.has(siteId)).map(itemOf),
  notes: links.flatMap((link) => {
    const reason = reasonOf(link, openSites)
    return reason === undefined ? [] : [{ linkId: link.linkId, reason }]
  })
})
