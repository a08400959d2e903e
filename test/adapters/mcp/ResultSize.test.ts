// The largest result of every tool has at most 25,000 tokens, by an estimate that TokenEstimate.test.ts compares with tokenisers.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { fitsTokens } from "#adapters/contract/schema/TokenEstimate.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, by, cart, item, topUp } from "#test/scenarios/Buyers.ts"
import { createOpportunity, createProject, listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { bearer } from "./Clients.ts"
import { McpServers, layer as mcpServers } from "./McpServers.ts"
import { post, toolCall } from "./Post.ts"

const MAX_TOKENS = 25_000

const NICHE = "Sustainable hospitality & slow travel, northern Mediterranean"
const words = (length: number): string => "how to find good places to stay ".repeat(70).slice(0, length).trimEnd()

const JAPANESE = "庭園の手入れと園芸用品の選び方についての詳しい解説記事です。".repeat(40)

/** Texts too long for fifty entries: many letters, or few letters of a token each. */
const LONG_KEYWORDS = { "in English": words(900), "in Japanese": JAPANESE.slice(0, 60) }

/** A URL of exactly the length given. */
const url = (host: string, length: number): string => `https://${host}/${"a".repeat(length - host.length - 9)}`

/** Fifty sites of one niche with long names, one of which has fifty articles with ten keywords each. */
const stock = Effect.gen(function* () {
  const sites = yield* Effect.forEach(
    times(50, (n) => n),
    (n) =>
      listSite({
        nicheLabel: NICHE,
        domain: `a-rather-long-domain-name-for-a-magazine-${n}.example`,
        trafficMonthly: 2_000_000_000,
        tf: 99
      })
  )
  const keywords = times(10, (n) => ({ query: words(25 + n), position: 12.34, impressions: 1_234_567 }))
  const siteId = sites[0]?.siteId ?? 0
  for (const n of times(50, (n) => n)) {
    yield* listArticle(siteId, { title: words(90), url: url("magazine.example", 100 + n), keywords })
  }
  return sites
})

layer(mcpServers(), { excludeTestServices: true })("the largest results", (it) => {
  it.effect("fit the limit, for every tool whose result grows", () =>
    Effect.gen(function* () {
      const { "in process": server } = yield* McpServers
      const { publish } = yield* FulfilLinks
      const sites = yield* stock
      const who = yield* buyer({ creditCents: 1_000_000 })
      const ask = Effect.fnUntraced(function* (tool: string, args: Readonly<Record<string, unknown>> = {}) {
        const { result } = JSON.parse((yield* post(server, toolCall("2025", tool, args), bearer(who.key))).text)
        const text: string = result.content[0].text
        expect(result.isError, text).toBeUndefined()
        expect(fitsTokens(text, MAX_TOKENS), `${tool} has ${text.length} characters`).toBe(true)
        return result.structuredContent
      })

      const page = yield* ask("search_sites", { niche: NICHE, limit: 50 })
      expect(page.sites.length).toBe(50)
      const siteId = sites[0]?.siteId
      const { articles } = yield* ask("list_site_articles", { site_id: siteId, limit: 50 })
      expect([articles.length, articles[0].keywords.length]).toStrictEqual([50, 10])

      const { projectId } = yield* createProject(who.accountId, { name: words(80) })
      for (const n of times(25, (n) => n)) {
        const asked = {
          niche: NICHE,
          prompt: words(200),
          targetUrl: url("brand.example", 400 + n),
          anchorText: words(120)
        }
        yield* createOpportunity(projectId, asked)
      }
      expect((yield* ask("get_ai_visibility_plan", { project_id: projectId })).items.length).toBe(20)
      for (const _ of times(49, () => 0)) yield* createProject(who.accountId, { name: words(80) })
      expect((yield* ask("list_ai_visibility_projects", { limit: 50 })).projects.length).toBe(50)

      // Orders are never shortened, as over REST; twenty URLs of the greatest length without any words would exceed the limit.
      const longest = (n: number) =>
        item(sites[n]?.siteId ?? 0, {
          target_url: url("brand.example", 1_000),
          anchor_text: words(120),
          tier2_links: 5
        })
      const full = cart(times(20, longest))
      yield* ask("create_order", { ...full, dry_run: true })
      const { order_id, quote_id } = yield* ask("create_order", { ...full })
      for (const { link_id, domain } of (yield* ask("get_order_status", { order_id })).items) {
        yield* publish(link_id, url(domain, 200), by)
      }
      const detail = yield* ask("get_order_status", { order_id })
      expect(detail.published_count).toBe(20)
      yield* ask("get_quote_status", { quote_id })

      for (const _ of times(50, () => 0)) placedBy(yield* postOrder(who.key, cart([item(siteId ?? 0)])))
      expect((yield* ask("list_orders", { limit: 50 })).orders.length).toBe(50)
      for (const tool of ["about", "check_balance"]) yield* ask(tool)
      yield* ask("get_site", { site_id: siteId })
    })
  )

  for (const [says, query] of Object.entries(LONG_KEYWORDS)) {
    it.effect(
      `fit because a page of long texts ${says} gets fewer entries, and the next page continues after them`,
      () =>
        Effect.gen(function* () {
          const { "in process": server } = yield* McpServers
          const { siteId } = yield* listSite()
          const keywords = times(10, () => ({ query, position: 1, impressions: 1 }))
          for (const _ of times(50, () => 0)) yield* listArticle(siteId, { title: JAPANESE.slice(0, 90), keywords })
          const { key } = yield* buyer()
          const found: Array<number> = []
          let cursor: string | undefined
          do {
            const args = { site_id: siteId, limit: 50, ...(cursor === undefined ? {} : { cursor }) }
            const { result } = JSON.parse(
              (yield* post(server, toolCall("2025", "list_site_articles", args), bearer(key))).text
            )
            const { articles, next_cursor } = result.structuredContent
            expect(fitsTokens(result.content[0].text, MAX_TOKENS)).toBe(true)
            const next = `limit=${articles.length}${cursor === undefined ? "" : `&cursor=${cursor}`}`
            const rest = yield* call("GET", `/api/v1/agent/catalog/${siteId}/articles?${next}`, { key })
            expect(result.content[0].text).toBe(rest.text)
            found.push(...articles.map(({ article_id }: { article_id: number }) => article_id))
            cursor = next_cursor
          } while (cursor !== undefined)
          expect(new Set(found).size).toBe(50)
          expect(found.length).toBe(50)
        })
    )
  }

  it.effect("fit because a long plan proposes fewer links, and the rest once those are ordered", () =>
    Effect.gen(function* () {
      const { "in process": server } = yield* McpServers
      const who = yield* buyer({ creditCents: 1_000_000 })
      const niche = "園芸"
      for (const _ of times(20, () => 0)) yield* listSite({ nicheLabel: niche })
      const { projectId } = yield* createProject(who.accountId)
      const targetUrl = `https://brand.example/${encodeURIComponent(JAPANESE).slice(0, 1_494)}`
      for (const _ of times(20, () => 0)) {
        yield* createOpportunity(projectId, {
          niche,
          prompt: JAPANESE.slice(0, 480),
          targetUrl,
          anchorText: "庭の手入れ"
        })
      }
      const read = Effect.gen(function* () {
        const args = { project_id: projectId }
        const answer = yield* post(server, toolCall("2025", "get_ai_visibility_plan", args), bearer(who.key))
        const { text } = JSON.parse(answer.text).result.content[0]
        expect(fitsTokens(text, MAX_TOKENS)).toBe(true)
        expect(text).toBe((yield* call("GET", `/api/v1/agent/ai-visibility/projects/${projectId}/plan`, who)).text)
        return JSON.parse(text).items
      })
      const proposed: Array<string> = []
      for (let items = yield* read; items.length > 0; items = yield* read) {
        proposed.push(...items.map(({ opportunity_id }: { opportunity_id: string }) => opportunity_id))
        placedBy(yield* postOrder(who.key, { items }))
      }
      expect(new Set(proposed).size).toBe(20)
      expect(proposed.length).toBe(20)
    })
  )

  it.effect("fit with a hundred quotes that hold credit", () =>
    Effect.gen(function* () {
      const { "in process": server } = yield* McpServers
      const { siteId } = yield* listSite({ shelf: "Nautilus" })
      const who = yield* buyer()
      for (const _ of times(100, () => 0)) {
        yield* topUp(who.accountId, 100)
        expect(placedBy(yield* postOrder(who.key, cart([item(siteId)]))).credit_applied_cents).toBe(100)
      }
      const { text } = yield* post(server, toolCall("2025", "check_balance"), bearer(who.key))
      expect(fitsTokens(JSON.parse(text).result.content[0].text, MAX_TOKENS)).toBe(true)
    })
  )

  it.effect("include the list of tools", () =>
    Effect.gen(function* () {
      const { "in process": server } = yield* McpServers
      const { key } = yield* buyer()
      const list = { ...toolCall("2025", "about"), body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }
      expect(fitsTokens((yield* post(server, list, bearer(key))).text, MAX_TOKENS)).toBe(true)
    })
  )
})
