// What every store promises of the domains of sites: one site has each, and that of a site that was ordered stays, however listings and
// orders race.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { cancelLinkById } from "../ordering/OrderSteps.ts"
import { buyer, linksOn, listInCatalogue, listSite, order } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const freshDomain = Effect.map(
  Effect.flatMap(UniqueNumbers, ({ next }) => next),
  (number) => `moved${number}.example`
)

const domainOf = (siteId: number) =>
  Effect.flatMap(Catalogue, (catalogue) => Effect.map(catalogue.site(siteId, 0), (found) => found?.site.domain))

export const siteDomainsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Domains of sites of ${name}`, store, (it) => {
    it.effect("ten listings at once give one domain to ten sites: one has it", () =>
      Effect.gen(function* () {
        const domain = yield* freshDomain
        const sites = yield* Effect.all(times(10, () => listSite()))
        const listed = yield* concurrently(
          sites.map((site) => Effect.result(listInCatalogue({ sites: [{ ...site, domain }] })))
        )
        expect(countOutcomes(listed, () => "listed")).toEqual({ listed: 1, ListingRefused: 9 })
        const named = yield* Effect.all(sites.map(({ siteId }) => domainOf(siteId)))
        expect(named.filter((one) => one?.toLowerCase() === domain)).toHaveLength(1)
      })
    )

    it.effect(
      "a site with an open quote, an order or a cancelled link keeps its domain, until it is changed on purpose",
      () =>
        Effect.gen(function* () {
          const rich = yield* buyer(10_000)
          const poor = yield* buyer()
          const sites = [yield* listSite(), yield* listSite(), yield* listSite(), yield* listSite()] as const
          yield* order(poor.caller, { items: linksOn(sites[0]) })
          yield* order(rich.caller, { items: linksOn(sites[1]) })
          const { links } = yield* order(rich.caller, { items: linksOn(sites[2]) })
          for (const { linkId } of links) yield* cancelLinkById(linkId)
          const domain = yield* freshDomain
          const move = ({ siteId }: (typeof sites)[number], onPurpose = false) => {
            const site = sites.find((one) => one.siteId === siteId) ?? sites[0]
            return Effect.result(listInCatalogue({ sites: [{ ...site, domain: `${siteId}.${domain}` }] }, onPurpose))
          }
          for (const site of sites.slice(0, 3)) {
            expect(Result.isFailure(yield* move(site))).toBe(true)
            expect(yield* domainOf(site.siteId)).toBe(site.domain)
            expect(Result.isSuccess(yield* Effect.result(listInCatalogue({ sites: [{ ...site, tf: 99 }] })))).toBe(true)
            expect(Result.isSuccess(yield* move(site, true))).toBe(true)
            expect(yield* domainOf(site.siteId)).toBe(`${site.siteId}.${domain}`)
          }
          expect(Result.isSuccess(yield* move(sites[3]))).toBe(true)
        })
    )

    it.effect("orders race with listings that change the domain: nothing that was sold changes it", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(100_000)
        const races = yield* concurrently(
          times(20, () =>
            Effect.gen(function* () {
              const site = yield* listSite()
              const domain = yield* freshDomain
              const [placed, listed] = yield* Effect.all(
                [
                  Effect.result(order(caller, { items: linksOn(site) })),
                  Effect.result(listInCatalogue({ sites: [{ ...site, domain }] }))
                ],
                { concurrency: 2 }
              )
              expect(Result.isSuccess(placed)).toBe(true)
              const sold = Result.isSuccess(placed) ? placed.success.quote.lines[0]?.domain : undefined
              expect(sold).toBe(Result.isSuccess(listed) ? domain : site.domain)
              expect(yield* domainOf(site.siteId)).toBe(sold)
            })
          )
        )
        expect(races).toHaveLength(20)
      })
    )
  })
