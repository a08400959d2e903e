// Catalogue updates: all rows of a call or none, every bad row by its path; AI-visibility plans from opportunities to links.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { ArticleRow } from "#adapters/operator/records/CatalogueRecords.ts"
import { AccountId, OrderId, ProjectId } from "#core/domain/shared/Ids.ts"
import { cart } from "#test/scenarios/Buyers.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { customer, operatorClient, operatorService, opportunityRow, projectRow, siteRow } from "./OperatorService.ts"

type CatalogueUpdate = Parameters<OperatorClient["listGoods"]>[0]

const articleRow = (articleId: number, siteId: number, over: Partial<ArticleRow> = {}): ArticleRow => ({
  articleId,
  siteId,
  title: "Ten spades",
  url: `https://site${siteId}.example/${articleId}`,
  publishedAtMs: 0,
  keywords: [],
  priceCents: null,
  ...over
})

/** Paths of the refused rows; also expects that nothing was written. */
const placesRefused = Effect.fnUntraced(function* (update: CatalogueUpdate) {
  const { books } = yield* RunningService
  const client = yield* operatorClient()
  const before = yield* books
  const error = yield* Effect.flip(client.listGoods(update))
  expect(error).toMatchObject({ _tag: "OperatorError", code: "validation_failed", status: 422 })
  expect(yield* books).toBe(before)
  return error.errors?.map(({ path }) => path)
})

layer(operatorService(), { excludeTestServices: true })("catalogue updates", (it) => {
  it.effect("name bad rows by path, and write nothing", () =>
    Effect.gen(function* () {
      const good = yield* siteRow()
      const sites = [good, { ...good, siteId: 0 }, { ...good, tf: 101 }, { ...good, domain: "Not a host" }]
      expect(yield* placesRefused({ sites })).toEqual(["sites[1].siteId", "sites[2].tf", "sites[3].domain"])
      const opportunity = yield* opportunityRow(ProjectId.make("prj_1"), { targetUrl: "javascript:alert(1)" })
      expect(yield* placesRefused({ sites: [good], opportunities: [opportunity] })).toEqual([
        "opportunities[0].targetUrl"
      ])
    })
  )

  it.effect("name duplicate rows, and rows that refer to missing records", () =>
    Effect.gen(function* () {
      const good = yield* siteRow()
      expect(yield* placesRefused({ sites: [good, yield* siteRow(), good, good] })).toEqual([
        "sites[2].siteId",
        "sites[3].siteId"
      ])
      const articles = [articleRow(1, good.siteId), articleRow(2, 777_777), articleRow(3, 777_777)]
      expect(yield* placesRefused({ sites: [good], articles })).toEqual(["articles[1].siteId", "articles[2].siteId"])
      expect(yield* placesRefused({ projects: [yield* projectRow(AccountId.make("acc_none"))] })).toEqual([
        "projects[0].accountId"
      ])
      expect(yield* placesRefused({ opportunities: [yield* opportunityRow(ProjectId.make("prj_none"))] })).toEqual([
        "opportunities[0].projectId"
      ])
    })
  )

  it.effect(
    "judge the rows of a file, all errors by line and column, and write them only without one and without dryRun",
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const client = yield* operatorClient()
        const site = yield* siteRow()
        yield* client.listGoods({ sites: [site] })
        const before = yield* books
        const cells = (article_id: string, site_id: string) => ({
          article_id,
          site_id,
          title: "Ten spades",
          url: "https://site1.example/spades",
          published_at: "2026-01-31"
        })
        const known = String(site.siteId)
        const rows = [
          { line: 2, cells: cells("900001", known) },
          { line: 3, cells: cells("x", "888888") },
          { line: 5, cells: cells("900002", "888888") },
          { line: 9, cells: cells("900001", known) }
        ]
        for (const dryRun of [true, false]) {
          expect(yield* client.importRows({ kind: "articles", rows, dryRun })).toStrictEqual({
            written: 0,
            errors: [
              { line: 3, column: "article_id", found: "x", message: "Must be a whole number from 1 to 2147483647." },
              { line: 9, column: "article_id", found: "900001", message: "Is on line 2 already." },
              { line: 5, column: "site_id", found: "888888", message: "There is no such site; import sites first." }
            ]
          })
        }
        const right = { kind: "articles", rows: rows.slice(0, 1) } as const
        expect(yield* client.importRows({ ...right, dryRun: true })).toStrictEqual({ written: 0, errors: [] })
        expect(yield* books).toBe(before)
        const misspelt = [{ line: 2, cells: { ...cells("900001", known), price: "5" } }]
        expect((yield* client.importRows({ kind: "articles", rows: misspelt })).errors).toMatchObject([
          { line: 2, column: "price", message: expect.stringContaining("price_eur") }
        ])
        expect(yield* client.importRows(right)).toStrictEqual({ written: 1, errors: [] })
        expect((yield* books).articles).not.toBe(before.articles)
      })
  )

  it.effect("write hundreds of rows in one call", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const sites = yield* Effect.all(Array.from({ length: 500 }, () => siteRow()))
      const [first] = sites
      const articles = sites.map(({ siteId }) => articleRow(siteId, siteId, { priceCents: 700 }))
      expect(yield* client.listGoods({ sites, articles })).toMatchObject({ sites: 500, articles: 500 })
      const afterId = (first?.siteId ?? 0) - 1
      const page = yield* client.listSites({ limit: 3, afterId })
      expect(page).toMatchObject({ sites: sites.slice(0, 3).map(({ siteId: id, domain }) => ({ id, domain })) })
      expect(page.nextAfterId).toBe(sites[2]?.siteId)
      const shut = yield* siteRow({ open: false })
      yield* client.listGoods({ sites: [shut] })
      expect(yield* client.showSite({ siteId: shut.siteId })).toMatchObject({
        open: false,
        site: { domain: shut.domain }
      })
      const tooMany = [...sites, yield* siteRow()]
      expect(yield* placesRefused({ sites: tooMany })).toEqual(["sites"])
    })
  )

  it.effect("define a promotion code that an order then uses", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const site = yield* siteRow()
      const terms = { minimumCents: null, startsAtMs: null, endsAtMs: null, maxRedemptions: 1, oncePerAccount: true }
      const promo = { code: "Spring-1", reduction: { kind: "fixed", cents: 200 }, ...terms } as const
      yield* client.listGoods({ sites: [site], promos: [promo] })
      const { key } = yield* customer(client, 1_000)
      const item = { site_id: site.siteId, target_url: "https://brand.example/", anchor_text: "spades" }
      const order = { items: [{ ...item, anchor_type: "exact" }], promo_code: "SPRING-1" }
      expect(placedBy(yield* postOrder(key, order))).toMatchObject({ discount_eur: 2, total_eur: 3, status: "paid" })
      const { promos } = yield* client.listPromos({ limit: 10 })
      expect(promos).toContainEqual({ ...promo, code: "SPRING-1", redeemed: 1, reserved: 0 })
    })
  )

  it.effect("match a project's open opportunities to sites", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const { accountId, key } = yield* customer(client, 2_000)
      const niche = `Spades ${accountId}`
      const [weak, strong, french] = [
        yield* siteRow({ nicheLabel: niche, tf: 10 }),
        yield* siteRow({ nicheLabel: niche, tf: 60 }),
        yield* siteRow({ nicheLabel: niche, tf: 90, language: "fr" })
      ]
      const project = yield* projectRow(accountId)
      const { projectId } = project
      const opportunities = [
        yield* opportunityRow(projectId, { niche: niche.toUpperCase() }),
        yield* opportunityRow(projectId, { niche }),
        yield* opportunityRow(projectId, { niche: "unknown" })
      ]
      const update = { sites: [weak, strong, french], projects: [project], opportunities }
      expect(yield* client.listGoods(update)).toMatchObject({ sites: 3, projects: 1, opportunities: 3 })
      const coverage = Effect.map(client.listProjects({ accountId }), (projects) =>
        projects.map((one) => [one.project_id, one.opportunities_open, one.opportunities_total])
      )
      expect(yield* coverage).toEqual([[projectId, 3, 3]])
      const plan = yield* client.planProject({ accountId, projectId })
      expect(plan.items.map(({ site_id, opportunity_id }) => [site_id, opportunity_id])).toEqual([
        [strong.siteId, opportunities[0]?.opportunityId],
        [weak.siteId, opportunities[1]?.opportunityId]
      ])
      const placed = placedBy(yield* postOrder(key, cart(plan.items)))
      expect(yield* coverage).toEqual([[projectId, 1, 3]])
      expect((yield* client.planProject({ accountId, projectId })).items).toEqual([])
      yield* client.cancelOrder({ orderId: placed.order_id ?? OrderId.make(""), reason: "Another strategy." })
      expect(yield* coverage).toEqual([[projectId, 3, 3]])
      const otherCustomer = yield* customer(client)
      const foreign = yield* Effect.flip(client.planProject({ accountId: otherCustomer.accountId, projectId }))
      expect(foreign.code).toBe("project_not_found")
    })
  )
})
