// The text of the conditions decides which index a search uses: a single value or several, and a bound on the sort key or on a column.
import { expect, it } from "vitest"
import { countOf, pageOf } from "#adapters/postgres/ports/catalogue/CatalogueSearch.ts"
import type { SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"

const conditions = (filter: SiteFilter) => {
  const { sql, params } = countOf({ filter })
  return [sql.slice(sql.indexOf("WHERE ") + "WHERE ".length), params]
}

it("has every filter in the order of the list, on the columns that are stored folded", () => {
  const lists = { languages: ["FR", "en"], shelves: ["Corail"], niches: ["Santé", "Tech"] } as const
  const metrics = { minRankedKeywords: 4, minMozDa: 3, minRd: 2, minCf: 1, minTraffic: 5, minTf: 7 }
  const others = { maxPriceCents: 900, ...metrics, linkRel: "nofollow", exceptSiteIds: [3] } as const
  const turnaround = { days: 4, shelves: ["Plancton", "Corail"] } as const
  expect(conditions({ turnaround, ...others, ...lists, query: "50%" })).toEqual([
    [
      "open AND niche_folded = ANY ($1::text[]) AND shelf = $2 AND (domain_folded LIKE $3 OR niche_folded LIKE $3)",
      "language_folded = ANY ($4::text[]) AND site_id NOT IN (SELECT unnest($5::bigint[])) AND link_rel = $6",
      "tf >= $7 AND traffic_monthly >= $8 AND cf >= $9 AND rd >= $10 AND moz_da >= $11 AND ranked_keywords >= $12",
      "price_cents <= $13 AND (turnaround_days <= $14 OR turnaround_days IS NULL AND shelf = ANY ($15::text[]))"
    ].join(" AND "),
    [
      ["sante", "tech"],
      "Corail",
      "%50\\%%",
      ["en", "fr"],
      "{3}",
      "nofollow",
      7,
      5,
      1,
      2,
      3,
      4,
      900,
      4,
      ["Corail", "Plancton"]
    ]
  ])
})

it.each([
  [{ niches: ["Santé", "SANTE"] }, "open AND niche_folded = $1", ["sante"]],
  [{ languages: [] }, "open AND language_folded = ANY ($1::text[])", [[]]]
])("compares a single value by itself: %j", (filter, sql, params) => {
  expect(conditions(filter)).toEqual([sql, params])
})

it("bounds the sort key as the order names it", () => {
  const page = (sort: "-tf" | "-traffic") =>
    pageOf({ filter: { minTf: 7, minTraffic: 5 }, sort, start: { kind: "offset", offset: 0 }, limit: 20 }).sql
  expect(page("-tf")).toContain("WHERE open AND (-tf) <= -$1::bigint AND traffic_monthly >= $2 AND ((-tf), site_id)")
  expect(page("-traffic")).toContain("WHERE open AND tf >= $1 AND (-traffic_monthly) <= -$2::bigint AND")
})
