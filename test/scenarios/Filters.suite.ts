// Lists narrowed by filters: what a search without a match says, and the values that its filters can have.
import { Effect } from "effect"
import { expect } from "vitest"
import { CatalogPage } from "#adapters/contract/Catalog.ts"
import { buyer } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { call, read } from "./HttpCalls.ts"
import { scenarios } from "./ScenarioSuite.ts"

const CATALOG = "/api/v1/agent/catalog"

export const filtersSuite = scenarios("filters", {}, (it) => {
  it.effect("a search without a match names the nearest niches and languages; one with a match has no hint", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      for (const nicheLabel of ["Gardening", "Gardening", "Finance"]) yield* listSite({ nicheLabel, language: "fr" })
      const missed = yield* read(CatalogPage, key, `${CATALOG}?niche=gardning&language=fr-FR`)
      expect(missed).toMatchObject({ total: 0, sites: [] })
      expect([missed.hint?.niches[0], missed.hint?.languages[0]]).toEqual(["Gardening", "fr"])
      const found = yield* read(CatalogPage, key, `${CATALOG}?niche=${missed.hint?.niches[0]}&language=fr`)
      expect([found.total, found.hint]).toEqual([2, undefined])
      const behind = yield* read(CatalogPage, key, `${CATALOG}?niche=gardening&offset=9`)
      expect([behind.total, behind.count, behind.hint]).toEqual([2, 0, undefined])
    })
  )

  it.effect(
    "the facets have the values and counts of the filters, also with a read-only key, as soon as a site is listed",
    () =>
      Effect.gen(function* () {
        const { api, key } = yield* buyer({ scopes: ["read"] })
        const nicheLabel = "Lock picking"
        for (const linkRel of ["sponsored", "sponsored", "nofollow"] as const) yield* listSite({ nicheLabel, linkRel })
        const { niches, languages, shelves, link_rel } = yield* api.catalog.getFacets()
        expect(niches).toContainEqual({ name: nicheLabel, sites: 3 })
        const filters = { niche: niches, language: languages, shelf: shelves, link_rel }
        for (const [filter, values] of Object.entries(filters)) {
          for (const { name, sites } of values) {
            const page = yield* read(CatalogPage, key, `${CATALOG}?${new URLSearchParams({ [filter]: name })}`)
            expect(page.total, `${filter}=${name}`).toBe(sites)
          }
        }
        const query = { niche: nicheLabel, link_rel: "sponsored" } as const
        const { sites, total } = yield* api.catalog.searchSites({ query })
        expect([total, sites.map((site) => site.link_rel)]).toEqual([2, ["sponsored", "sponsored"]])
        const { site } = yield* api.catalog.getSite({ params: { id: sites[0]?.id ?? 0 } })
        expect(site.link_rel).toBe("sponsored")
        expect((yield* call("GET", `${CATALOG}?link_rel=follow`, { key })).status).toBe(422)
      })
  )
})
