// What every store promises of searches while sites change: a page shows its sites as they were together, each in its place.
import { Effect, Fiber } from "effect"
import { expect } from "vitest"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import { Catalogue, type SitePage } from "#core/ports/catalogue/Catalogue.ts"
import { listSite } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const SITES = 12
const CHANGES = 40

/** Enough that later ones read from memory what earlier ones have brought there. */
const SEARCHES = 12

/** Different ones of the same site, in no order. */
const tfOf = (change: number): number => (change * 37) % 100

const strongestFirst = (sites: Iterable<Site>): ReadonlyArray<Site> =>
  [...sites].filter(({ open }) => open).sort((one, other) => other.tf - one.tf || one.siteId - other.siteId)

/** A site without the time of its listing. */
const factsOf = ({ updatedAtMs: _, ...facts }: Site) => facts

export const catalogueRacesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Catalogue races of ${name}`, store, (it) => {
    it.effect(
      "a search has the sites as they were last listed, and each page is in order, during concurrent searches",
      () =>
        Effect.gen(function* () {
          const catalogue = yield* Catalogue
          const nicheLabel = "A niche that changes"
          const filter = { niches: [nicheLabel] }
          const start = { kind: "offset", offset: 0 } as const
          const search = catalogue.search({ filter, sort: "-tf", start, limit: SITES })
          const sites = new Map<number, Site>()
          for (const nth of times(SITES, (index) => index)) {
            const site = yield* listSite({ nicheLabel, tf: nth })
            sites.set(site.siteId, site)
          }
          const ids = [...sites.keys()]
          const seen: Array<SitePage> = []
          const crowd = yield* Effect.forkChild(
            Effect.forEach(
              times(4, () => Effect.map(search, (page) => void seen.push(page))),
              (one) => Effect.forever(Effect.andThen(one, Effect.yieldNow)),
              { concurrency: "unbounded" }
              // Its statements, which may have begun before a change by another instance, are shared within an account.
            ).pipe(Effect.provideService(CallingAccount, "crowd")),
            { startImmediately: true }
          )
          for (const change of times(CHANGES, (index) => index)) {
            const siteId = ids[(change * 5) % SITES] ?? 0
            const site = yield* listSite({ nicheLabel, siteId, tf: tfOf(change), open: change % 4 !== 3 })
            sites.set(siteId, site)
            const expected = strongestFirst(sites.values()).map(factsOf)
            for (const _ of times(SEARCHES, (nth) => nth)) {
              const page = yield* search
              expect(page.sites.map(factsOf)).toEqual(expected)
              expect([page.total, page.next]).toEqual([expected.length, null])
            }
          }
          yield* Fiber.interrupt(crowd)
          expect(seen.length).toBeGreaterThan(0)
          for (const page of seen) expect(page.sites).toEqual(strongestFirst(page.sites))
        })
    )
  })
