// The wire of the catalogue forgets nothing: every field of a site is shown, and every member of a query changes the search.
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { CatalogQuery, FullSite, showFullSite } from "#adapters/contract/catalogue/Catalog.ts"
import { readSearch } from "#adapters/contract/catalogue/CatalogSearch.ts"
import { Site } from "#core/domain/catalogue/Catalogue.ts"
import { samplesOf, valuesOf } from "#test/core/FieldSamples.ts"

const terms = {
  tier2PricesCents: { 1: 100, 3: 300, 5: 500 },
  turnaroundDays: { Plancton: 3, Corail: 7, Nautilus: 14 }
}

const encode = Schema.encodeSync(FullSite)
const decode = Schema.decodeUnknownSync(Site)

const shown = (site: object): string =>
  JSON.stringify(encode(showFullSite({ site: decode(site), articlesAvailable: 0, measured: null }, terms)))

/** Fields of a site that clients must not see, each with its reason. */
const NOT_SHOWN: { readonly [Field in keyof Site]?: string } = {}

describe("a site on the wire", () => {
  const [site, another] = samplesOf(Site.fields)

  it("shows every field, or a reason why not", () => {
    const hidden = Object.keys(Site.fields).filter(
      (field) => shown(site) === shown({ ...site, [field]: another[field] })
    )
    const message = "fields of Site that FullSite does not show (adapters/contract/catalogue/Catalog.ts)"
    expect(hidden, message).toEqual(Object.keys(NOT_SHOWN))
  })
})

describe("a query of the catalogue", () => {
  const search = (query: object) =>
    Result.match(readSearch(query), {
      onSuccess: ({ search, domain }) => JSON.stringify({ search, domain }),
      onFailure: ({ _tag }) => _tag
    })

  it("searches by every member", () => {
    const ignored = Object.entries(CatalogQuery.fields).filter(([name, field]) =>
      valuesOf(name, field).every((value) => search({ [name]: value }) === search({}))
    )
    const message = "members of CatalogQuery that no filter reads (adapters/contract/catalogue/CatalogSearch.ts)"
    expect(
      ignored.map(([name]) => name),
      message
    ).toEqual([])
  })
})
