// Sites that are kept between searches, over a database that answers as told: a page whose sites are known is read by its ids alone.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { Database } from "#adapters/postgres/database/Database.ts"
import * as PostgresCatalogue from "#adapters/postgres/ports/catalogue/Catalogue.ts"
import * as CatalogueVersion from "#adapters/postgres/ports/catalogue/CatalogueVersion.ts"
import { KeptSites, KNOWN_PAGES } from "#adapters/postgres/ports/catalogue/KeptSites.ts"
import { Site } from "#core/domain/catalogue/Catalogue.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import * as Given from "#test/core/Given.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { admissionQueue, fakeDatabase } from "./FakeDatabase.ts"

/** A row as the statement has it, with null for what is missing. */
const rowOf = (site: Site): ReadonlyArray<unknown> => {
  const fields: Readonly<Record<string, unknown>> = site
  return Object.keys(Site.fields).map((name) => fields[name] ?? null)
}

/** A catalogue of some sites, all of them on one page. */
const catalogueOf = (...first: ReadonlyArray<Site>) => {
  let version = 1
  let listed = first
  const statements: Array<"sites" | "ids"> = []
  const database = fakeDatabase(admissionQueue(0), {
    search: (sql) =>
      Effect.sync(() => {
        const catalogue = String(version)
        if (sql.startsWith("SELECT count(*)")) return [{ total: listed.length }]
        const isOfIds = sql.includes("AS ids")
        statements.push(isOfIds ? "ids" : "sites")
        return [
          isOfIds ? { catalogue, ids: listed.map(({ siteId }) => siteId) } : { catalogue, sites: listed.map(rowOf) }
        ]
      })
  })
  const layer = PostgresCatalogue.layer.pipe(
    Layer.provide(CatalogueVersion.layer),
    Layer.provide(Layer.succeed(Database, database))
  )
  const list = (...sites: ReadonlyArray<Site>) => {
    version++
    listed = sites
  }
  const search = Effect.map(Catalogue, (catalogue) =>
    Effect.map(
      catalogue.search({ filter: {}, sort: "id", start: { kind: "offset", offset: 0 }, limit: 20 }),
      ({ sites }) => sites
    )
  )
  return Effect.map(Effect.provide(search, layer), (sites) => ({ sites, list, statements }))
}

const [one, two] = [Given.site(1), Given.site(2)]

/** The searches after which all sites are likely to be known. */
const someSearches = times(1 + KNOWN_PAGES, () => "sites")

describe("a search", () => {
  it.effect("reads ids alone once the sites of some pages in a row were known", () =>
    Effect.gen(function* () {
      const { sites, statements } = yield* catalogueOf(one, two)
      for (const _ of [...someSearches, 1, 2]) expect(yield* sites).toEqual([one, two])
      expect(statements).toEqual([...someSearches, "ids", "ids"])
    })
  )

  it.effect("reads the sites again when the catalogue has changed", () =>
    Effect.gen(function* () {
      const { sites, list, statements } = yield* catalogueOf(one, two)
      for (const _ of someSearches) yield* sites
      const changed = { ...two, tf: two.tf + 1 }
      list(changed)
      expect(yield* sites).toEqual([changed])
      expect(yield* sites).toEqual([changed])
      expect(statements.slice(someSearches.length)).toEqual(["ids", "sites", "sites"])
    })
  )
})

describe("kept sites", () => {
  it("are those of one version", () => {
    const kept = new KeptSites()
    kept.keep("1", [one, two])
    expect(kept.find("1", [2, 1])).toEqual([two, one])
    expect(kept.find("2", [1])).toBeUndefined()
    kept.keep("2", [two])
    expect(kept.find("2", [1, 2])).toBeUndefined()
    expect(kept.find("1", [2])).toBeUndefined()
    expect(kept.find("2", [2])).toEqual([two])
  })

  it("are as many as fit, of the pages that were read last", () => {
    const kept = new KeptSites(3)
    kept.keep("1", [one, two])
    kept.keep("1", [one])
    kept.keep("1", [Given.site(3), Given.site(4)])
    expect(kept.find("1", [1])).toBeUndefined()
    expect(kept.find("1", [3, 4])).toHaveLength(2)
  })

  it("are likely known while those of pages in a row were", () => {
    const kept = new KeptSites()
    for (const _ of times(KNOWN_PAGES + 1, (nth) => nth)) {
      expect(kept.areLikelyKnown).toBe(false)
      kept.keep("1", [one])
    }
    expect(kept.areLikelyKnown).toBe(true)
    kept.find("1", [1])
    expect(kept.areLikelyKnown).toBe(true)
    kept.find("1", [1, 2])
    expect(kept.areLikelyKnown).toBe(false)
  })
})
