// Arbitraries for properties: amounts, rates, sites, items. Small values are frequent, and so are ties, edges and collisions.
import fc from "fast-check"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import { OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { site } from "./Given.ts"

/** Any amount of money, often a small one. */
export const cents = fc.oneof(
  fc.integer({ min: 0, max: 200 }),
  fc.integer({ min: 0, max: 20_000 }),
  fc.integer({ min: 0, max: 1_000_000_000 })
)

/** 0 to 100 % with two decimals. */
export const basisPoints = fc.oneof(
  fc.constantFrom(0, 1, 1_000, 2_000, 5_000, 10_000),
  fc.integer({ min: 0, max: 10_000 })
)

export const lines = fc.array(fc.oneof(fc.constantFrom(500, 900, 1_500, 3_000), cents), { minLength: 1, maxLength: 20 })

export const shelf = fc.constantFrom("Plancton" as const, "Corail" as const, "Nautilus" as const)
export const tier2 = fc.constantFrom(0 as const, 1 as const, 3 as const, 5 as const)
export const anchorType = fc.constantFrom("exact", "partial", "branded", "generic", "naked_url")

const niche = fc.constantFrom("Voyage", "Santé", "SANTE", "Économie", "Crypto", "Travel & Food")

export const anySite: fc.Arbitrary<Site> = fc
  .record({
    siteId: fc.integer({ min: 1, max: 60 }),
    nicheLabel: niche,
    language: fc.constantFrom("fr", "en", "DE"),
    tf: fc.integer({ min: 0, max: 6 }),
    trafficMonthly: fc.integer({ min: 0, max: 4 }).map((thousands) => thousands * 1_000),
    shelf,
    open: fc.boolean()
  })
  .map(({ siteId, ...over }) => site(siteId, over))

/** Sites with distinct ids, in any order. */
export const someSites = fc.uniqueArray(anySite, { selector: ({ siteId }) => siteId, maxLength: 40 })

export const anyItem: fc.Arbitrary<OrderItem> = fc.record(
  {
    siteId: fc.integer({ min: 1, max: 4 }),
    targetUrl: fc.constantFrom("https://brand.example/", "https://www.brand.example/a", "http://other.example/b?c=d"),
    anchorText: fc.constantFrom("brand", "a fine page"),
    anchorType,
    format: fc.constantFrom("new_article", "insertion"),
    tier2Links: tier2,
    articleId: fc.integer({ min: 1, max: 3 }),
    projectId: fc.constant(ProjectId.make("prj_rich")),
    opportunityId: fc.constant(OpportunityId.make("opp_rich")),
    brief: fc.constant("Be kind.")
  },
  { requiredKeys: ["siteId", "targetUrl", "anchorText", "anchorType", "format", "tier2Links"] }
)

export const someItems = fc.array(anyItem, { minLength: 1, maxLength: 20 })
