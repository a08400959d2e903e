// An order request of 1 to 20 links, and the rules that span its fields and items. The contract validates single fields.
import { Schema } from "effect"
import type { Mode } from "../shared/DecisionContext.ts"
import { OpportunityId, ProjectId } from "../shared/Ids.ts"
import type { FieldPath } from "../shared/RequestRefusal.ts"
import type { Cents } from "./Money.ts"

export const AnchorType = Schema.Literals(["exact", "partial", "branded", "generic", "naked_url"])
export type AnchorType = typeof AnchorType.Type

export const Format = Schema.Literals(["new_article", "insertion"])
export type Format = typeof Format.Type

export const Tier2 = Schema.Literals([0, 1, 3, 5])
export type Tier2 = typeof Tier2.Type

export const MAX_ITEMS = 20

export const OrderItem = Schema.Struct({
  siteId: Schema.Int,
  /** Absolute http(s) URL without credentials, on a public host. */
  targetUrl: Schema.String,
  anchorText: Schema.String,
  anchorType: AnchorType,
  format: Format,
  /** Exactly when `format` is `insertion`. */
  articleId: Schema.optionalKey(Schema.Int),
  tier2Links: Tier2,
  projectId: Schema.optionalKey(ProjectId),
  opportunityId: Schema.optionalKey(OpportunityId),
  brief: Schema.optionalKey(Schema.String),
  /** The buyer's own, such as a purchase order number. */
  reference: Schema.optionalKey(Schema.String)
})
export type OrderItem = typeof OrderItem.Type

export interface OrderRequest {
  readonly items: ReadonlyArray<OrderItem>
  readonly promoCode?: string
  /** The buyer's own for the order as a whole. */
  readonly reference?: string
  /** The caller's own guard: the order is refused if the net total is higher. */
  readonly maxTotalCents?: Cents
  readonly dryRun: boolean
  /** The order is refused unless credit pays all of it: no quote awaits a card. */
  readonly creditOnly?: true
  /** Simulated credit; sandbox keys only. */
  readonly sandboxCreditCents?: Cents
  /**
   * The registrable domains that the items link to, by the public suffix list as it is now, each once. Without it their hosts stand for
   * them.
   */
  readonly targetDomains?: ReadonlyArray<string>
}

export interface CartFault {
  readonly path: FieldPath
  readonly message: string
}

/** The rules that the request breaks as a whole; empty if it breaks none. */
export const cartFaults = ({ items, sandboxCreditCents }: OrderRequest, mode: Mode): ReadonlyArray<CartFault> => {
  const faults: Array<CartFault> = []
  if (mode === "live" && sandboxCreditCents !== undefined) {
    faults.push({
      path: { field: "sandboxCreditCents" },
      message: "Only a sandbox key (sn_test_…) may pretend credit."
    })
  }
  const firstUse = new Map<number, number>()
  items.forEach((item, index) => {
    const fault = (field: string, message: string) => faults.push({ path: { item: index, field }, message })
    if (item.format === "insertion" && item.articleId === undefined) {
      fault("articleId", "An insertion needs the article_id of an article listed for this site.")
    }
    if (item.format === "new_article" && item.articleId !== undefined) {
      fault("articleId", 'Only an item with format "insertion" takes an article_id.')
    }
    if (item.opportunityId !== undefined && item.projectId === undefined) {
      fault("opportunityId", "An opportunity_id needs the project_id it belongs to.")
    }
    if (item.articleId === undefined) return
    const earlier = firstUse.get(item.articleId)
    if (earlier === undefined) firstUse.set(item.articleId, index)
    else fault("articleId", `Article ${item.articleId} is already in items[${earlier}]; an article takes one link.`)
  })
  return faults
}

export const targetHost = (item: { readonly targetUrl: string }): string => new URL(item.targetUrl).hostname

export interface LinkTarget {
  readonly siteId: number
  readonly host: string
}

export const linkTarget = (item: Pick<OrderItem, "siteId" | "targetUrl">): LinkTarget => ({
  siteId: item.siteId,
  host: targetHost(item)
})

/** The sites that items link to `domain` or a subdomain of it. */
export const sitesLinkingTo = (items: ReadonlyArray<OrderItem>, domain: string): ReadonlyArray<number> =>
  items.filter((item) => hostIsWithin(targetHost(item), domain)).map(({ siteId }) => siteId)

/** Whether `host` is `domain` or a subdomain of it. */
export const hostIsWithin = (host: string, domain: string): boolean =>
  host.toLowerCase() === domain.toLowerCase() || host.toLowerCase().endsWith(`.${domain.toLowerCase()}`)
