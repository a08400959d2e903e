// Sites found by their metrics, and by their articles while these are sold.
import { Effect } from "effect"
import { expect } from "vitest"
import { CatalogPage } from "#adapters/contract/catalogue/Catalog.ts"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, resultIn, toolCall } from "#test/adapters/mcp/Post.ts"
import { buyer, insertion, order } from "./Buyers.ts"
import { listArticle, listSite } from "./CatalogueSetup.ts"
import { call, read, refusalIn } from "./HttpCalls.ts"
import { ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const CATALOG = "/api/v1/agent/catalog"

export const siteFiltersSuite = scenarios("site filters", {}, (it) => {
  it.effect("sites are found by every metric, and by articles as they are sold, over REST and MCP alike", () =>
    Effect.gen(function* () {
      const [{ url = "" } = {}] = yield* (yield* ServiceInstances).all
      const nicheLabel = "Metrics and articles"
      const low = { nicheLabel, cf: 10, rd: 50, mozDa: 20, rankedKeywords: 5 }
      const site = yield* listSite({ nicheLabel, cf: 40, rd: 900, mozDa: 60, rankedKeywords: 700 })
      const others = [yield* listSite(low), yield* listSite(low)]
      const article = yield* listArticle(site.siteId, {
        keywords: [{ query: "Café à vendre", position: 2, impressions: 100 }]
      })
      const who = yield* buyer({ creditCents: 10_000 })
      const search = Effect.fnUntraced(function* (query: Readonly<Record<string, string>>) {
        const asked = { niche: nicheLabel, ...query }
        const page = yield* read(CatalogPage, who.key, `${CATALOG}?${new URLSearchParams(asked)}`)
        const args = Object.fromEntries(
          Object.entries(asked).map(([name, value]) => [
            name,
            /^(?:\d+|true|false)$/.test(value) ? JSON.parse(value) : value
          ])
        )
        const tool = yield* post(
          `${url}/mcp`,
          toolCall("2025", "search_sites", { ...args, niche: [nicheLabel] }),
          bearer(who.key)
        )
        expect(resultIn(tool).body).toEqual(page)
        expect(page.total).toBe(page.count)
        return page.sites.map(({ id }) => id)
      })
      for (const [name, value] of Object.entries({
        min_cf: 40,
        min_rd: 900,
        min_moz_da: 60,
        min_ranked_keywords: 700
      })) {
        expect(yield* search({ [name]: String(value) })).toEqual([site.siteId])
        expect(yield* search({ [name]: String(value + 1) })).toEqual([])
      }
      const rest = others.map(({ siteId }) => siteId)
      expect(yield* search({ has_articles: "true" })).toEqual([site.siteId])
      expect(yield* search({ has_articles: "false" })).toEqual(rest)
      expect(yield* search({ article_query: "CAFE A" })).toEqual([site.siteId])
      expect(yield* search({ article_query: "vendredi" })).toEqual([])
      yield* order(who, [insertion(article)])
      expect(yield* search({ has_articles: "true" })).toEqual([])
      expect(yield* search({ article_query: "cafe" })).toEqual([])
      for (const [name, wrong] of [
        ["has_articles", "yes"],
        ["article_query", " \u0301 "],
        ["article_query", "a\nb"],
        ["min_cf", "101"]
      ] as const) {
        const refused = yield* call("GET", `${CATALOG}?${new URLSearchParams({ [name]: wrong })}`, who)
        expect(refusalIn(refused).param).toBe(name)
      }
    })
  )
})
