// What every store promises of Catalogue's search: the pages that the pure filter and sort of core/domain/Catalogue produce. The suite
// has its own store, because a filter may match every site.
import { Effect, Fiber } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import {
  compareSortKeys,
  MAX_PAGE_SIZE,
  type PageStart,
  type Site,
  Sort,
  type SortKey,
  sortKeyOf
} from "#core/domain/catalogue/Catalogue.ts"
import { facetsOfSites } from "#core/domain/catalogue/CatalogueFacets.ts"
import { type SiteFilter, siteMatcher } from "#core/domain/catalogue/SiteFilters.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import { Catalogue, type SitePage } from "#core/ports/catalogue/Catalogue.ts"
import { buyer, listArticle, listSite } from "../ShopSetup.ts"
import { holdsForAll } from "../StoreProperty.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const niches = ["Santé & Bien-être", "Voyage", "voyages d'hiver", "Tech"]
const languages = ["fr", "en", "de"]

const LINK_RELS = ["dofollow", "nofollow", "sponsored"] as const

/** Many ties in every order, and one site in seven paused. */
const stocked = Effect.all(
  times(70, (index) =>
    listSite({
      nicheLabel: niches[index % niches.length] ?? "",
      language: languages[index % languages.length] ?? "",
      shelf: SHELVES[index % SHELVES.length]?.shelf ?? "Plancton",
      linkRel: LINK_RELS[index % 4] ?? "dofollow",
      tf: 10 + (index % 5),
      trafficMonthly: 1_000 * (index % 4),
      ...(index % 4 === 1 ? { turnaroundDays: index % 9 } : {}),
      cf: 20 + (index % 3),
      rd: 100 * (index % 5),
      mozDa: 30 + (index % 6),
      rankedKeywords: 7 * (index % 7),
      open: index % 7 !== 3
    })
  )
)

const some = <A>(...values: ReadonlyArray<A>) => fc.option(fc.constantFrom(...values), { nil: undefined })

/** None, one or several, in any order. */
const someOf = <A>(...values: ReadonlyArray<A>) => fc.option(fc.shuffledSubarray([...values]), { nil: undefined })

type AskedFilter = Exclude<keyof SiteFilter, "exceptSiteIds">

/** Values of every filter. */
const asked: { readonly [Name in AskedFilter]: fc.Arbitrary<SiteFilter[Name]> } = {
  niches: someOf("sante & bien-etre", "VOYAGE", "tech", "unheard of", "Voyage"),
  shelves: someOf(...SHELVES.map(({ shelf }) => shelf)),
  query: some("voyage", "HIVER", "site1", "santé", ".example", "no such text"),
  languages: someOf("fr", "EN", "it", "de"),
  linkRel: some(...LINK_RELS),
  minTf: some(0, 11, 13, 15),
  minTraffic: some(0, 1_000, 3_000, 3_001),
  minCf: some(0, 21, 22, 23),
  minRd: some(0, 100, 400, 401),
  minMozDa: some(30, 33, 35, 36),
  minRankedKeywords: some(0, 7, 42, 43),
  maxPriceCents: some(0, 500, 1_499, 1_500, 3_000),
  turnaround: some<NonNullable<SiteFilter["turnaround"]>>(
    { days: 0, shelves: [] },
    { days: 3, shelves: ["Plancton"] },
    { days: 7, shelves: ["Nautilus", "Corail"] },
    { days: 9_999_999_999, shelves: ["Plancton", "Corail", "Nautilus"] }
  )
}

const filters: fc.Arbitrary<SiteFilter> = fc
  .record(asked)
  .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))

/** The filters of which no value finds some of the sites, and not all. */
const blind = (sites: ReadonlyArray<Site>): ReadonlyArray<string> => {
  const found = (filter: SiteFilter) => sites.filter(siteMatcher(filter)).length
  const tells = (count: number) => count > 0 && count < found({})
  return Object.entries<fc.Arbitrary<unknown>>(asked).flatMap(([name, values]) => {
    const some = fc.sample(values, { seed: 1, numRuns: 100 }).filter((value) => value !== undefined)
    return some.some((value) => tells(found({ [name]: value }))) ? [] : [name]
  })
}

const sorts = fc.constantFrom<Sort>("id", "price", "-tf", "-traffic")

const expected = (sites: ReadonlyArray<Site>, filter: SiteFilter, sort: Sort): ReadonlyArray<number> =>
  sites
    .filter(siteMatcher(filter))
    .sort((a, b) => compareSortKeys(sortKeyOf(sort, a), sortKeyOf(sort, b)))
    .map(({ siteId }) => siteId)

/** The ids of every page from the first to the last, and the total that each page returned. */
const walk = Effect.fnUntraced(function* (
  query: { readonly filter: SiteFilter; readonly sort: Sort; readonly limit: number },
  between: (page: SitePage) => Effect.Effect<void> = () => Effect.void
) {
  const catalogue = yield* Catalogue
  const ids: Array<number> = []
  const totals: Array<number> = []
  let next: SortKey | null = null
  do {
    const start: PageStart = next === null ? { kind: "offset", offset: 0 } : { kind: "after", sortKey: next }
    const page: SitePage = yield* catalogue.search({ ...query, start })
    expect(page.sites.length).toBeLessThanOrEqual(query.limit)
    ids.push(...page.sites.map(({ siteId }) => siteId))
    totals.push(page.total)
    next = page.next
    yield* between(page)
  } while (next !== null)
  return { ids, totals }
})

export const catalogueSearchSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Catalogue search of ${name}`, store, (it) => {
    it.effect("returns the pages that the domain's filter and sort produce, by cursor and by offset", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const sites = yield* stocked
        expect(blind(sites), "filters that do not tell the sites of this test apart").toEqual([])
        const except = fc.subarray([...sites.map(({ siteId }) => siteId), 999_999_999])
        const filter = fc.oneof(
          filters,
          fc.tuple(filters, except).map(([filter, exceptSiteIds]) => ({ ...filter, exceptSiteIds }))
        )
        const query = fc.record({ filter, sort: sorts, limit: fc.integer({ min: 1, max: 50 }) })
        const cases = fc.tuple(query, fc.integer({ min: 0, max: 80 }))
        yield* holdsForAll(`a search of ${name} is the domain's`, cases, ([query, offset]) =>
          Effect.gen(function* () {
            const all = expected(sites, query.filter, query.sort)
            const pages = Math.max(1, Math.ceil(all.length / query.limit))
            expect(yield* walk(query)).toEqual({ ids: all, totals: times(pages, () => all.length) })
            const page = yield* catalogue.search({ ...query, start: { kind: "offset", offset } })
            expect(page.sites.map(({ siteId }) => siteId)).toEqual(all.slice(offset, offset + query.limit))
            expect(page.total).toBe(all.length)
          })
        )
        const facets = yield* catalogue.facets
        expect(facets).toEqual(facetsOfSites(sites))
        expect(sum(facets.niches.map((niche) => niche.sites))).toBe(60)
        const more = [
          yield* listSite({ nicheLabel: "VOYAGE", language: "FR" }),
          yield* listSite({ nicheLabel: "Café" })
        ]
        expect(yield* catalogue.facets).toEqual(facetsOfSites([...sites, ...more]))
      })
    )

    it.effect("skips any number of sites of several shelves, in every order", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const nicheLabel = "Deep pages"
        const add = (nth: number) =>
          listSite({
            nicheLabel,
            shelf: nth % 2 === 0 ? "Corail" : "Nautilus",
            tf: (nth * 7) % 30,
            trafficMonthly: nth % 40
          })
        const sites = yield* Effect.all(times(2 * MAX_PAGE_SIZE + 20, add))
        const filter: SiteFilter = { niches: [nicheLabel], shelves: ["Nautilus", "Corail"] }
        for (const sort of Sort.literals) {
          const all = expected(sites, filter, sort)
          for (const offset of [1, MAX_PAGE_SIZE + 1, sites.length - 5]) {
            const page = yield* catalogue.search({ filter, sort, start: { kind: "offset", offset }, limit: 10 })
            expect(page.sites.map(({ siteId }) => siteId)).toEqual(all.slice(offset, offset + 10))
            expect([page.total, page.next === null]).toEqual([sites.length, offset === sites.length - 5])
          }
          expect((yield* walk({ filter, sort, limit: MAX_PAGE_SIZE })).ids).toEqual(all)
        }
      })
    )

    it.effect(
      "pages through sites while some are added, removed and updated: none twice, none skipped that stayed",
      () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Effect.Services<ReturnType<typeof listSite>>>()
          const nicheLabel = "A niche of its own"
          const stays = yield* Effect.all(times(20, (index) => listSite({ nicheLabel, tf: 10 + 2 * (index % 5) })))
          const goes = yield* listSite({ nicheLabel, tf: 11 })
          const query = { filter: { niches: [nicheLabel] }, sort: "-tf" as const, limit: 4 }
          const meanwhile = ({ sites }: SitePage) =>
            Effect.gen(function* () {
              for (const tf of [1, 13, 99]) yield* listSite({ nicheLabel, tf })
              yield* listSite({ ...goes, open: false })
              const [seen] = sites
              if (seen !== undefined) yield* listSite({ ...seen, nicheLabel, linkRel: "nofollow" })
            }).pipe(Effect.provide(context), Effect.orDie)
          const { ids } = yield* walk(query, meanwhile)
          expect(new Set(ids).size).toBe(ids.length)
          const kept = new Set(stays.map(({ siteId }) => siteId))
          const inOrder = expected(stays, query.filter, query.sort)
          expect(ids.filter((siteId) => kept.has(siteId))).toEqual(inOrder)
          expect(ids).not.toContain(goes.siteId)
        })
    )

    it.effect("has another version as soon as a site is listed, closed or changed, and the same until then", () =>
      Effect.gen(function* () {
        const { version } = yield* Catalogue
        const seen: Array<string> = []
        const listed = yield* listSite()
        for (const change of [{}, { open: false }, { open: true, tf: 7 }]) {
          yield* listSite({ ...listed, ...change })
          seen.push(yield* version)
          yield* listArticle(listed.siteId)
          yield* buyer()
          expect(yield* version).toBe(seen.at(-1))
        }
        expect(new Set(seen).size).toBe(3)
      })
    )

    it.effect("counts a site as soon as it is listed, during concurrent searches", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const nicheLabel = "A niche that grows"
        const filter = { niches: [nicheLabel] }
        const search = catalogue.search({ filter, sort: "id", start: { kind: "offset", offset: 0 }, limit: 1 })
        const crowd = yield* Effect.forkChild(
          Effect.forEach(
            times(8, () => search),
            (one) => Effect.forever(one),
            { concurrency: "unbounded" }
          )
        )
        for (let listed = 1; listed <= 40; listed++) {
          yield* listSite({ nicheLabel })
          expect((yield* search).total).toBe(listed)
        }
        yield* Fiber.interrupt(crowd)
      })
    )
  })
