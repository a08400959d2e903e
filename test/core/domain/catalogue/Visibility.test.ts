// Which site is planned for which opportunity.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import {
  compareStrength,
  MAX_PLAN_BYTES,
  MAX_PLAN_LINES,
  type Opportunity,
  plan,
  suits
} from "#core/domain/catalogue/Visibility.ts"
import { cartFaults, type OrderItem } from "#core/domain/pricing/Cart.ts"
import { OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { someSites } from "#test/core/Arbitraries.ts"
import { opportunity, project, request, site } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const brand = project("prj_rich", "acc_rich", { language: "fr" })
const fr = (siteId: number, over: Partial<Site> = {}): Site => site(siteId, { language: "fr", ...over })
const none: ReadonlySet<number> = new Set()

const pairs = (open: ReadonlyArray<Opportunity>, sites: ReadonlyArray<Site>, linking = none) =>
  plan(brand, open, sites, linking).map((line) => [line.opportunity.opportunityId, line.site.siteId])

describe("suits", () => {
  it.each<readonly [string, Partial<Site>, boolean]>([
    ["a site of the niche and the language", {}, true],
    ["a niche written otherwise", { nicheLabel: "SANTE" }, true],
    ["a language written otherwise", { language: "FR" }, true],
    ["another niche", { nicheLabel: "Santé & Co" }, false],
    ["another language", { language: "en" }, false],
    ["a paused site", { open: false }, false]
  ])("%s", (_, over, expected) => {
    expect(suits(fr(1, { nicheLabel: "Santé", ...over }), "santé", "fr")).toBe(expected)
  })
})

describe("plan", () => {
  it("makes items that can be ordered unchanged", () => {
    const [line] = plan(brand, [opportunity("opp_1")], [fr(1)], none)
    const expected: OrderItem = {
      siteId: 1,
      targetUrl: "https://brand.example/hotels",
      anchorText: "hotels in Lisbon",
      anchorType: "partial",
      format: "new_article",
      tier2Links: 0,
      projectId: ProjectId.make("prj_rich"),
      opportunityId: OpportunityId.make("opp_1")
    }
    expect(line).toEqual({ item: expected, opportunity: opportunity("opp_1"), site: fr(1) })
    expect(cartFaults(request({ items: [expected] }), "live")).toEqual([])
  })

  it("takes the strongest site: authority, then traffic, then the lower id", () => {
    const weak = fr(1, { tf: 9, trafficMonthly: 90_000 })
    const strong = fr(4, { tf: 30, trafficMonthly: 10 })
    const busy = fr(3, { tf: 30, trafficMonthly: 20 })
    const busyToo = fr(2, { tf: 30, trafficMonthly: 20 })
    expect([weak, strong, busy, busyToo].toSorted(compareStrength).map(({ siteId }) => siteId)).toEqual([2, 3, 4, 1])
    expect(pairs([opportunity("opp_1")], [weak, strong, busy, busyToo])).toEqual([["opp_1", 2]])
  })

  it("skips sites that link to the domain of the project already, and sites of earlier lines", () => {
    const sites = [fr(1, { tf: 40 }), fr(2, { tf: 30 }), fr(3, { tf: 20 })]
    expect(pairs([opportunity("opp_1"), opportunity("opp_2")], sites, new Set([1]))).toEqual([
      ["opp_1", 2],
      ["opp_2", 3]
    ])
  })

  it("is truncated before it exceeds its size, in any alphabet, but has at least one line", () => {
    const sites = Array.from({ length: MAX_PLAN_LINES }, (_, n) => fr(n + 1))
    const linesFor = (prompt: string) =>
      pairs(
        sites.map(({ siteId }) =>
          opportunity(`opp_${siteId}`, { prompt, targetUrl: "", anchorText: "", position: siteId })
        ),
        sites
      ).length
    expect(linesFor("a".repeat(MAX_PLAN_BYTES / MAX_PLAN_LINES))).toBe(MAX_PLAN_LINES)
    expect(linesFor("a".repeat(MAX_PLAN_BYTES / MAX_PLAN_LINES + 1))).toBe(MAX_PLAN_LINES - 1)
    expect(linesFor("庭".repeat(MAX_PLAN_BYTES / MAX_PLAN_LINES))).toBe(6)
    expect(linesFor("a".repeat(MAX_PLAN_BYTES + 1))).toBe(1)
  })

  it("keeps the order of the opportunities and skips those without a site", () => {
    const open = [
      opportunity("opp_3", { position: 3 }),
      opportunity("opp_1", { position: 1 }),
      opportunity("opp_2", { position: 2, niche: "Crypto" })
    ]
    expect(pairs(open, [fr(1, { tf: 40 }), fr(2, { tf: 30 })])).toEqual([
      ["opp_1", 1],
      ["opp_3", 2]
    ])
  })

  it("has at most 20 lines", () => {
    const many = Array.from({ length: 30 }, (_, index) => index + 1)
    const open = many.map((position) => opportunity(`opp_${position}`, { position }))
    const lines = pairs(
      open,
      many.map((id) => fr(id))
    )
    expect(MAX_PLAN_LINES).toBe(20)
    expect(lines).toEqual(many.slice(0, 20).map((n) => [`opp_${n}`, n]))
  })

  const niche = fc.constantFrom("voyage", "SANTÉ", "Économie", "Rien")
  const someOpportunities = fc
    .array(niche, { maxLength: 30 })
    .map((niches) => niches.map((one, index) => opportunity(`opp_${index}`, { niche: one, position: index })))
  const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 10 })

  property(
    "has no site twice, none that links already, and never skips a better one",
    [someOpportunities, someSites, someIds],
    (open, sites, linking) => {
      const lines = plan(brand, open, sites, new Set(linking))
      const used = new Set<number>(linking)
      const left = lines.slice()
      for (const each of open) {
        const free = sites.filter((one) => suits(one, each.niche, "fr") && !used.has(one.siteId))
        const line = left[0]?.opportunity === each ? left.shift() : undefined
        if (line === undefined) {
          expect(free.length === 0 || lines.length === MAX_PLAN_LINES).toBe(true)
          continue
        }
        expect(free).toContain(line.site)
        expect(free.every((one) => one === line.site || compareStrength(line.site, one) < 0)).toBe(true)
        used.add(line.site.siteId)
      }
      expect(left).toEqual([])
      expect(lines.length).toBeLessThanOrEqual(20)
    }
  )
})
