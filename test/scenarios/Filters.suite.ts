// Lists narrowed by filters: what a search without a match says, and the values that its filters can have.
import { Effect } from "effect"
import { expect } from "vitest"
import { CatalogPage } from "#adapters/contract/catalogue/Catalog.ts"
import { OrderList } from "#adapters/contract/ordering/Orders.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, by, issueKey, item, order } from "./Buyers.ts"
import { createProject, listSite } from "./CatalogueSetup.ts"
import { call, ORDERS, read, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
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

  it.effect("the facets have the values and counts of the filters, also with a read-only key", () =>
    Effect.gen(function* () {
      const { api, key } = yield* buyer({ scopes: ["read"] })
      const nicheLabel = "Lock picking"
      for (const linkRel of ["sponsored", "sponsored", "nofollow"] as const) yield* listSite({ nicheLabel, linkRel })
      const isListed = ({ name, sites }: { readonly name: string; readonly sites: number }) =>
        name === nicheLabel && sites === 3
      // Another instance than the one that listed the sites may notice them a little later.
      const { niches, languages, shelves, link_rel } = yield* Effect.repeat(api.catalog.getFacets(), {
        until: (facets) => facets.niches.some(isListed)
      })
      const filters = { niche: niches, language: languages, shelf: shelves, link_rel }
      for (const [filter, values] of Object.entries(filters)) {
        for (const { name, sites } of values) {
          const page = yield* read(CatalogPage, key, `${CATALOG}?${new URLSearchParams({ [filter]: name })}`)
          expect(page.total, `${filter}=${name}`).toBe(sites)
        }
      }
      const query = { niche: [nicheLabel], link_rel: "sponsored" } as const
      const { sites, total } = yield* api.catalog.searchSites({ query })
      expect([total, sites.map((site) => site.link_rel)]).toEqual([2, ["sponsored", "sponsored"]])
      const { site } = yield* api.catalog.getSite({ params: { id: sites[0]?.id ?? 0 } })
      expect(site.link_rel).toBe("sponsored")
      expect((yield* call("GET", `${CATALOG}?link_rel=follow`, { key })).status).toBe(422)
    })
  )

  it.effect(
    "a filter with several values finds the sites of each, in pages; the order of its values changes nothing",
    () =>
      Effect.gen(function* () {
        const { key } = yield* buyer()
        const [cup, pot] = ["Tea, and cake", "Teapots"]
        for (const nicheLabel of [cup, pot, "Tea"]) {
          for (const language of ["fr", "en", "de"]) {
            for (const shelf of ["Plancton", "Corail", "Nautilus"] as const)
              yield* listSite({ nicheLabel, language, shelf })
          }
        }
        const search = (query: string) => read(CatalogPage, key, `${CATALOG}?${query}`)
        const niches = `niche=${encodeURIComponent("TEA, and cake")}&niche=${pot}`
        const { total, sites } = yield* search(`${niches}&language=fr,DE&shelf=Corail&shelf=Nautilus`)
        expect([total, new Set(sites.map(({ niche_label }) => niche_label))]).toEqual([8, new Set([cup, pot])])
        expect(new Set(sites.map(({ language }) => language))).toEqual(new Set(["fr", "de"]))
        expect(new Set(sites.map(({ price_shelf }) => price_shelf))).toEqual(new Set(["Corail", "Nautilus"]))
        const first = yield* search(`${niches}&language=fr&language=de&limit=5&sort=-tf`)
        const [one, other] = niches.split("&")
        const rest = yield* search(
          `${other}&language=de,fr&${one}&${other}&limit=20&sort=-tf&cursor=${first.next_cursor}`
        )
        expect([first.total, rest.total, first.count + rest.count]).toEqual([12, 12, 12])
        expect(new Set([...first.sites, ...rest.sites].map(({ id }) => id)).size).toBe(12)
        const narrower = yield* call(
          "GET",
          `${CATALOG}?${one}&language=de,fr&limit=5&sort=-tf&cursor=${first.next_cursor}`,
          { key }
        )
        expect(refusalIn(narrower).param).toBe("cursor")
        const missed = yield* search("niche=Teapotts&niche=Tee,+and+cake&language=xx,fr-FR")
        expect([missed.hint?.niches.slice(0, 2).sort(), missed.hint?.languages[0]]).toEqual([[cup, pot], "fr"])
      })
  )

  it.effect("a search finds the sites that are quick enough, by their own days or those of their shelf", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      const nicheLabel = "Swift birds"
      for (const shelf of ["Plancton", "Corail", "Nautilus"] as const) yield* listSite({ nicheLabel, shelf })
      yield* listSite({ nicheLabel, shelf: "Nautilus", turnaroundDays: 0 })
      yield* listSite({ nicheLabel, turnaroundDays: 8 })
      const path = `${CATALOG}?niche=swift+birds`
      const daysOf = Effect.fnUntraced(function* (most: number) {
        const { sites, total } = yield* read(CatalogPage, key, `${path}&max_turnaround_days=${most}`)
        expect(total).toBe(sites.length)
        return sites.map(({ turnaround_days }) => turnaround_days)
      })
      expect(yield* daysOf(0)).toEqual([0])
      expect(yield* daysOf(2)).toEqual([0])
      expect(yield* daysOf(3)).toEqual([3, 0])
      expect(yield* daysOf(7)).toEqual([3, 7, 0])
      expect(yield* daysOf(8)).toEqual([3, 7, 0, 8])
      expect(yield* daysOf(2_147_483_647)).toEqual([3, 7, 14, 0, 8])
      const first = yield* read(CatalogPage, key, `${path}&max_turnaround_days=8&limit=3`)
      const rest = yield* read(CatalogPage, key, `${path}&max_turnaround_days=8&cursor=${first.next_cursor}`)
      expect([first.total, rest.sites.map(({ turnaround_days }) => turnaround_days)]).toEqual([4, [8]])
      const elsewhere = yield* call("GET", `${path}&max_turnaround_days=9&cursor=${first.next_cursor}`, { key })
      expect(refusalIn(elsewhere).param).toBe("cursor")
      const wrong = refusalIn(yield* call("GET", `${CATALOG}?max_turnaround_days=-1`, { key }))
      expect([wrong.code, wrong.param]).toEqual(["validation_failed", "max_turnaround_days"])
    })
  )

  it.effect("a search leaves out the sites that already link to a domain, by account and mode", () =>
    Effect.gen(function* () {
      const nicheLabel = "Not linking"
      const sites = yield* Effect.all(times(6, (nth) => listSite({ nicheLabel, tf: nth })))
      const [linked, waiting, tried, elsewhere] = sites.map(({ siteId }) => siteId)
      const who = yield* buyer({ creditCents: 500 })
      const test = yield* issueKey(who.accountId, { mode: "sandbox" })
      const link = (siteId: number | undefined, host: string) => item(siteId ?? 0, { target_url: `https://${host}/` })
      yield* order(test, [link(tried, "www.café.example")])
      const bought = yield* order(who, [link(linked, "www.café.example")])
      yield* order(who, [link(waiting, "café.example"), link(elsewhere, "other.example")])
      const found = Effect.fnUntraced(function* (key: string, query: string) {
        const page = yield* read(CatalogPage, key, `${CATALOG}?niche=not+linking&${query}`)
        expect([page.total, page.hint]).toEqual([page.count, page.count === 0 ? expect.anything() : undefined])
        return page.sites.map(({ id }) => id)
      })
      const all = sites.map(({ siteId }) => siteId)
      const without = (...left: ReadonlyArray<number | undefined>) => all.filter((id) => !left.includes(id))
      expect(yield* found(who.key, "not_linking_to=Café.example")).toEqual(without(linked, waiting))
      expect(yield* found(who.key, "not_linking_to=other.example")).toEqual(without(elsewhere))
      expect(yield* found(who.key, "not_linking_to=new.example")).toEqual(all)
      expect(yield* found(test.key, "not_linking_to=caf%C3%A9.example")).toEqual(without(tried))
      expect(yield* found((yield* buyer()).key, "not_linking_to=café.example")).toEqual(all)
      yield* (yield* FulfilLinks).cancelOrder(bought.order_id ?? OrderId.make(""), "as a test", by)
      expect(yield* found(who.key, "not_linking_to=café.example")).toEqual(without(waiting))
      const path = `${CATALOG}?niche=not+linking&limit=2&sort=-tf`
      const first = yield* read(CatalogPage, who.key, `${path}&not_linking_to=café.example`)
      const rest = yield* read(CatalogPage, who.key, `${path}&not_linking_to=CAFÉ.example&cursor=${first.next_cursor}`)
      expect([first.total, rest.total, rest.sites.map(({ id }) => id)]).toEqual([
        5,
        5,
        without(waiting).toReversed().slice(2, 4)
      ])
      for (const other of ["", "&not_linking_to=other.example"]) {
        const refused = yield* call("GET", `${path}${other}&cursor=${first.next_cursor}`, who)
        expect(refusalIn(refused).param).toBe("cursor")
      }
      const wrong = refusalIn(yield* call("GET", `${CATALOG}?not_linking_to=https://café.example/`, who))
      expect([wrong.code, wrong.param]).toEqual(["validation_failed", "not_linking_to"])
    })
  )

  it.effect(
    "orders are narrowed by day, target and project; a cursor is bound to these, and each order has its credit",
    () =>
      Effect.gen(function* () {
        const { nowMs, advance } = yield* MovableClock
        const { cancelOrder } = yield* FulfilLinks
        const { siteId } = yield* listSite()
        const who = yield* buyer({ creditCents: 10_000 })
        const to = (target_url: string) => order(who, [item(siteId, { target_url })])
        const first = yield* to("https://münchen.example/")
        yield* advance("48 hours")
        const second = yield* to("https://shop.münchen.example/a")
        const { projectId } = yield* createProject(who.accountId)
        const target = { target_url: "https://other.example/", project_id: projectId }
        const third = yield* order(who, [item(siteId, target)])
        yield* cancelOrder(first.order_id ?? OrderId.make(""), "as a test", by)
        const ids = Effect.fnUntraced(function* (query: Readonly<Record<string, string>>) {
          const page = yield* read(OrderList, who.key, `${ORDERS}?${new URLSearchParams(query)}`)
          expect(page.total).toBe(page.count)
          return page.orders.map(({ order_id }) => order_id)
        })
        const today = new Date(nowMs()).toISOString()
        const day = today.slice(0, 10)
        expect(yield* ids({ created_from: day })).toEqual([third.order_id, second.order_id])
        expect(yield* ids({ created_to: day })).toEqual([third.order_id, second.order_id, first.order_id])
        expect(yield* ids({ created_to: new Date(nowMs() - 86_400_000).toISOString() })).toEqual([first.order_id])
        expect(yield* ids({ target_domain: "München.example" })).toEqual([second.order_id, first.order_id])
        expect(yield* ids({ target_domain: "münchen.example", status: "paid" })).toEqual([second.order_id])
        expect(yield* ids({ project_id: projectId })).toEqual([third.order_id])
        expect(yield* ids({ project_id: "prj_none" })).toEqual([])
        const { orders, next_cursor = "" } = yield* who.api.orders.listOrders({
          query: { created_from: day, limit: 1 }
        })
        expect(orders.map((one) => one.order_id)).toEqual([third.order_id])
        const elsewhere = yield* call("GET", `${ORDERS}?limit=1&cursor=${next_cursor}`, who)
        expect(refusalIn(elsewhere).param).toBe("cursor")
        const all = yield* who.api.orders.listOrders({ query: {} })
        expect(all.orders.map(({ credited_cents }) => credited_cents)).toEqual([0, 0, 500])
        for (const wrong of ["created_from=2026-02-31", "created_to=yesterday", "target_domain=https://a.example"]) {
          const error = refusalIn(yield* call("GET", `${ORDERS}?${wrong}`, who))
          expect([error.code, error.param]).toEqual(["validation_failed", wrong.split("=")[0]])
        }
        for (const end of ["2026-11-20", "2026-11-20T23:59:59Z"]) {
          const backwards = `${ORDERS}?created_from=2026-11-21&created_to=${end}`
          const error = refusalIn(yield* call("GET", backwards, who))
          expect([error.code, error.param]).toEqual(["validation_failed", "created_to"])
          expect(error.message).toContain("Must not be before created_from.")
        }
        expect((yield* call("GET", `${ORDERS}?created_from=2026-11-21&created_to=2026-11-21`, who)).status).toBe(200)
      })
  )
})
