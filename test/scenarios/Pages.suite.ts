// Cursor pages while rows are added: no row twice, and no row skipped that existed when reading began. A cursor is valid only for the
// query that it came from.
import { Effect } from "effect"
import { expect } from "vitest"
import { type Site, Sort } from "#core/domain/catalogue/Catalogue.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, item, order, topUp } from "./Buyers.ts"
import { createProject, listArticle, listSite } from "./CatalogueSetup.ts"
import { call, ORDERS, refusalIn } from "./HttpCalls.ts"
import type { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

interface Page<Id> {
  readonly ids: ReadonlyArray<Id>
  readonly next: string | undefined
}

/** Reads to the end and adds rows after every page. Returns every id in the order of arrival. */
const readAll = <Id, E1, R1, E2, R2>(
  pageAt: (cursor: string | undefined) => Effect.Effect<Page<Id>, E1, R1>,
  add: (nth: number, seen: ReadonlyArray<Id>) => Effect.Effect<unknown, E2, R2>
) =>
  Effect.gen(function* () {
    const seen: Array<Id> = []
    let cursor: string | undefined
    let pages = 0
    do {
      const page: Page<Id> = yield* pageAt(cursor)
      seen.push(...page.ids)
      yield* add(pages, seen)
      pages += 1
      cursor = page.next
    } while (cursor !== undefined && pages < 100)
    return { seen, pages }
  })

const expectWhole = <Id>(seen: ReadonlyArray<Id>, atFirst: ReadonlyArray<Id>): void => {
  expect(new Set(seen).size, "something came twice").toBe(seen.length)
  expect(
    atFirst.filter((id) => !seen.includes(id)),
    "something was skipped"
  ).toEqual([])
}

const SHELVES = ["Plancton", "Corail", "Nautilus"] as const

/** Sites of all kinds, with many ties in every sort key. */
const kind = (nth: number): Partial<Site> => ({
  shelf: SHELVES[(nth * 5) % 3] ?? "Plancton",
  tf: (nth * 7) % 5,
  trafficMonthly: ((nth * 3) % 4) * 1_000
})

const at = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

export const pagesSuite = scenarios("pages", {}, (it) => {
  for (const sort of Sort.literals) {
    it.effect(`the catalogue by ${sort}, while sites are added before and after`, () =>
      Effect.gen(function* () {
        const { api } = yield* buyer()
        const nicheLabel = `Pages ${sort}`
        const add = (nth: number) => listSite({ siteId: 5_000 + ((nth * 37) % 900), nicheLabel, ...kind(nth) })
        const atFirst = yield* Effect.all(times(23, (nth) => Effect.map(add(nth), ({ siteId }) => siteId)))
        const { seen, pages } = yield* readAll(
          (cursor) =>
            Effect.map(
              api.catalog.searchSites({ query: { niche: [nicheLabel], sort, limit: 4, ...at(cursor) } }),
              (page) => {
                expect(page.count).toBe(page.sites.length)
                return { ids: page.sites.map(({ id }) => id), next: page.next_cursor }
              }
            ),
          (nth) => Effect.all(times(2, (more) => add(100 + nth * 2 + more)))
        )
        expectWhole(seen, atFirst)
        expect(pages).toBeGreaterThanOrEqual(6)
      })
    )
  }

  it.effect("the articles of a site, while articles are added and sold", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 100_000 })
      const add = (articleId: number) => listArticle(siteId, { articleId })
      const ids = times(17, (nth) => 700_000 + nth * 10)
      yield* Effect.all(ids.map(add))
      const sell = (article_id: number) => order(who, [item(siteId, { format: "insertion", article_id })])
      const { seen } = yield* readAll(
        (cursor) =>
          Effect.map(
            who.api.catalog.listArticles({ params: { id: siteId }, query: { limit: 3, ...at(cursor) } }),
            ({ articles, next_cursor }) => ({ ids: articles.map(({ article_id }) => article_id), next: next_cursor })
          ),
        // Before and after the reader's position; and the article of the cursor is sold.
        (nth, seen) => Effect.all([add(700_001 + nth * 29), add(699_000 + nth), sell(seen.at(-1) ?? 0)])
      )
      expectWhole(seen, ids)
    })
  )

  for (const status of [undefined, "paid"] as const) {
    it.effect(
      `a key's orders${status === undefined ? "" : ` that are ${status}`}, newest first, while it orders more`,
      () =>
        Effect.gen(function* () {
          const { siteId } = yield* listSite()
          const who = yield* buyer({ creditCents: 1_000_000 })
          const place = Effect.map(order(who, [item(siteId)]), ({ order_id = "" }) => order_id)
          const atFirst = yield* Effect.all(times(20, () => place))
          const { seen } = yield* readAll(
            (cursor) =>
              Effect.map(
                who.api.orders.listOrders({
                  query: { limit: 3, ...(status === undefined ? {} : { status }), ...at(cursor) }
                }),
                ({ orders, next_cursor }) => ({ ids: orders.map(({ order_id }) => order_id), next: next_cursor })
              ),
            () => Effect.all([place, place, place, place])
          )
          expect(seen).toEqual(atFirst.toReversed())
        })
    )
  }

  it.effect("the ledger, newest first, while credit moves", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer()
      yield* Effect.all(times(10, (nth) => topUp(who.accountId, 1_000 + nth)))
      yield* order(who, [item(siteId)])
      const read = (cursor: string | undefined) =>
        Effect.map(who.api.balance.listLedger({ query: { limit: 3, ...at(cursor) } }), ({ entries, next_cursor }) => ({
          ids: entries.map(({ entry_id }) => entry_id),
          next: next_cursor
        }))
      const still = yield* readAll(read, () => Effect.void)
      expect(still.seen.length).toBe(11)
      const { seen } = yield* readAll(read, () => Effect.all([topUp(who.accountId, 1), order(who, [item(siteId)])]))
      expect(seen).toEqual(still.seen)
    })
  )

  it.effect("the projects of an account by id, while projects are added; twenty unless told", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const add = Effect.map(createProject(who.accountId), ({ projectId }) => projectId)
      const atFirst = yield* Effect.all(times(22, () => add))
      const read = (cursor: string | undefined) =>
        Effect.map(
          who.api.aiVisibility.listProjects({ query: { limit: 5, ...at(cursor) } }),
          ({ projects, next_cursor }) => ({ ids: projects.map(({ project_id }) => project_id), next: next_cursor })
        )
      expectWhole((yield* readAll(read, (nth) => (nth < 2 ? add : Effect.void))).seen, atFirst)
      const { count, projects, next_cursor } = yield* who.api.aiVisibility.listProjects({ query: {} })
      expect([count, projects.length, typeof next_cursor]).toEqual([20, 20, "string"])
    })
  )

  it.effect("a balance lists 50 holds, those that lapse last, and the held amount has all", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 100_000, limits: { approveAboveCents: 0, dailyOrderCap: 0 } })
      const quotes = []
      for (const _ of times(53, () => 0)) quotes.push((yield* order(who, [item(siteId)])).quote_id)
      const { holds, held_cents, open_quotes } = yield* who.api.balance.getBalance()
      expect(new Set(holds.map(({ quote_id }) => quote_id))).toEqual(new Set(quotes.slice(-50)))
      expect([holds.length, open_quotes.length, held_cents]).toEqual([50, 20, 53 * 500])
    })
  )

  it.effect(
    "a cursor is refused under other filters, another sort, another list, beside an offset, or when made up",
    () =>
      Effect.gen(function* () {
        const { key, api } = yield* buyer({ creditCents: 1_000_000 })
        const nicheLabel = "Cursors"
        const sites = yield* Effect.all(times(4, () => listSite({ nicheLabel })))
        for (const { siteId } of sites) yield* order({ api }, [item(siteId)])
        const query = { niche: [nicheLabel], limit: 2 }
        const { next_cursor: cursor = "" } = yield* api.catalog.searchSites({ query })
        const orders = yield* api.orders.listOrders({ query: { limit: 2 } })
        const refused = Effect.fnUntraced(function* (path: string): Effect.fn.Return<void, never, RunningService> {
          const error = refusalIn(yield* call("GET", path, { key }))
          expect([error.status, error.code, error.param], path).toEqual([422, "validation_failed", "cursor"])
        })
        const catalog = `/api/v1/agent/catalog?niche=${nicheLabel}`
        yield* refused(`${catalog}&sort=price&cursor=${cursor}`)
        yield* refused(`${catalog}&min_tf=1&cursor=${cursor}`)
        yield* refused(`/api/v1/agent/catalog?cursor=${cursor}`)
        yield* refused(`${catalog}&offset=0&cursor=${cursor}`)
        yield* refused(`${catalog}&cursor=${orders.next_cursor}`)
        yield* refused(`${ORDERS}?cursor=${cursor}`)
        yield* refused(`${ORDERS}?status=paid&cursor=${orders.next_cursor}`)
        yield* refused(`${catalog}&cursor=${cursor.slice(0, -3)}`)
        yield* refused(`${catalog}&cursor=AAAA`)
        const wider = yield* api.catalog.searchSites({ query: { ...query, limit: 50, cursor } })
        expect([wider.count, wider.total, wider.next_cursor]).toEqual([2, 4, undefined])
      })
  )
})
