// The facets of sites, and the names that a search without a hit is answered with.
import { describe, expect, it } from "vitest"
import {
  facetsOfCounts,
  facetsOfSites,
  hintFor,
  MAX_NICHES,
  similarNames
} from "#core/domain/catalogue/CatalogueFacets.ts"
import { site } from "#test/core/Given.ts"

const niches = ["Travel", "Travel", "Travel", "Gardening", "Health & Beauty", "Tech", "Tech", "Finance", "Food"]
const facets = facetsOfSites(
  niches.map((nicheLabel, index) => site(index, { nicheLabel, language: index < 6 ? "en" : "fr" }))
)

describe("facets", () => {
  it("count open sites, the most common value first, and spellings of a niche as one", () => {
    const sites = [
      site(1, { nicheLabel: "Café", language: "FR", linkRel: "nofollow", shelf: "Corail" }),
      site(2, { nicheLabel: "cafe", language: "fr", linkRel: "dofollow", shelf: "Corail" }),
      site(3, { nicheLabel: "Art", language: "en", linkRel: "nofollow", shelf: "Plancton" }),
      site(4, { nicheLabel: "Closed", open: false })
    ]
    expect(facetsOfSites(sites)).toEqual({
      niches: [
        { name: "Café", sites: 2 },
        { name: "Art", sites: 1 }
      ],
      languages: [
        { name: "fr", sites: 2 },
        { name: "en", sites: 1 }
      ],
      shelves: [
        { name: "Corail", sites: 2 },
        { name: "Plancton", sites: 1 }
      ],
      linkRels: [
        { name: "nofollow", sites: 2 },
        { name: "dofollow", sites: 1 }
      ]
    })
  })

  it("list a bounded number of niches", () => {
    const counts = Array.from({ length: MAX_NICHES + 9 }, (_, n) => ({
      facet: "niche" as const,
      folded: `niche ${n}`,
      name: `Niche ${n}`,
      sites: n
    }))
    const { niches } = facetsOfCounts(counts)
    expect(niches.length).toBe(MAX_NICHES)
    expect(niches[0]).toEqual({ name: `Niche ${MAX_NICHES + 8}`, sites: MAX_NICHES + 8 })
  })
})

describe("the hint", () => {
  it.each([
    ["Gardning", "Gardening"],
    ["GARDÉN", "Gardening"],
    ["travelling", "Travel"],
    ["beauty", "Health & Beauty"],
    ["technology", "Tech"]
  ])("for %s begins with %s", (asked, name) => {
    expect(hintFor({ niches: [asked] }, facets).niches[0]).toBe(name)
    expect(hintFor({ query: asked }, facets).niches[0]).toBe(name)
  })

  it("goes on with the most common, which are all there is for a text like no other", () => {
    expect(hintFor({ niches: ["finanse"] }, facets).niches.slice(0, 3)).toEqual(["Finance", "Travel", "Tech"])
    expect(hintFor({ niches: ["xyz"] }, facets).niches.slice(0, 2)).toEqual(["Travel", "Tech"])
    expect(hintFor({ minTf: 99 }, facets).niches).toHaveLength(5)
  })

  it("knows a language by its region or its name", () => {
    expect(hintFor({ languages: ["fr-FR"] }, facets).languages).toEqual(["fr", "en"])
    expect(hintFor({ languages: ["french"] }, facets).languages[0]).toBe("fr")
    expect(hintFor({ languages: ["it"] }, facets).languages).toEqual(["en", "fr"])
  })

  it("has the nearest of each name that was asked for first", () => {
    expect(hintFor({ niches: ["gardning", "finanse"] }, facets).niches.slice(0, 3)).toEqual([
      "Gardening",
      "Finance",
      "Travel"
    ])
    expect(hintFor({ languages: ["it", "french"] }, facets).languages).toEqual(["fr", "en"])
  })

  it("is empty in an empty catalogue", () => {
    expect(hintFor({ niches: ["Travel"] }, facetsOfSites([]))).toEqual({ niches: [], languages: [] })
  })
})

it("the similar names leave out what is only common", () => {
  expect(similarNames({ query: "zzz" }, facets)).toEqual({ niches: [], languages: [] })
  expect(similarNames({ query: "gardning" }, facets)).toEqual({ niches: ["Gardening"], languages: [] })
  expect(similarNames({ languages: ["fr-FR"] }, facets)).toEqual({ niches: [], languages: ["fr"] })
  expect(similarNames({ minTf: 99 }, facets)).toEqual({ niches: [], languages: [] })
})
