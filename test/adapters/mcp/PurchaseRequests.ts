// What people ask an assistant for until a purchase is paid.
import { Effect } from "effect"
import { expect } from "vitest"
import { buyer, freshKey, issueKey } from "#test/scenarios/Buyers.ts"
import { createOpportunity, createProject, definePromo, listArticle } from "#test/scenarios/CatalogueSetup.ts"
import { press } from "#test/scenarios/HttpCalls.ts"
import type { Body } from "./Chats.ts"
import { bought, buys, itemFor, type Request } from "./Household.ts"

export const purchaseRequests: ReadonlyArray<Request> = [
  {
    number: 1,
    says: "Three links for my bakery, for less than 60 EUR.",
    play: Effect.fnUntraced(function* (chat, { niche }) {
      const { sites } = yield* chat.ask("search_sites", { query: niche, max_price_eur: 20, sort: "-tf" })
      expect(sites.length).toBeGreaterThanOrEqual(3)
      const items = sites.slice(0, 3).map(({ id }: Body) => itemFor({ siteId: id }))
      const { placed } = yield* buys(chat, items)
      expect(placed).toMatchObject({ status: "paid", order_id: expect.any(String) })
      expect(placed["total_eur"]).toBeLessThan(60)
    })
  },
  {
    number: 2,
    says: "Did my order go through? (asked with a new key)",
    play: Effect.fnUntraced(function* (_, who, newChat) {
      const { idempotencyKey, order_id } = yield* bought(who)
      const { key } = yield* issueKey(who.accountId)
      const quote = yield* newChat(key).ask("get_quote_status", { idempotency_key: idempotencyKey })
      expect(quote).toMatchObject({ paid: true, order_id })
    })
  },
  {
    number: 6,
    says: "French bakery sites with a TF above 20 that do not link to me yet.",
    play: Effect.fnUntraced(function* (chat, who) {
      yield* bought(who)
      const found = yield* chat.ask("search_sites", {
        niche: [who.niche],
        language: ["fr"],
        min_tf: 21,
        not_linking_to: "bakery.example"
      })
      expect(found["sites"].map(({ id }: Body) => id)).toEqual(who.sites.slice(1).map(({ siteId }) => siteId))
    })
  },
  {
    number: 11,
    says: "I never paid that order. (in a new chat)",
    play: Effect.fnUntraced(function* (_, who, newChat) {
      const poor = yield* buyer()
      const placed = yield* newChat(poor.key).ask("create_order", {
        items: [itemFor(who.sites[0] ?? { siteId: 0 })],
        idempotency_key: freshKey()
      })
      const chat = newChat((yield* issueKey(poor.accountId)).key)
      const { open_quotes } = yield* chat.ask("check_balance")
      const quote = yield* chat.ask("get_quote_status", { quote_id: open_quotes[0].quote_id })
      expect(quote).toMatchObject({ paid: false, payment_url: placed["payment_url"] })
      yield* press("pay", String(quote["payment_url"]))
      expect(yield* chat.ask("get_quote_status", { quote_id: quote["quote_id"] })).toMatchObject({ paid: true })
    })
  },
  {
    number: 12,
    says: "I have a promo code.",
    play: Effect.fnUntraced(function* (chat, { sites }) {
      const { code } = yield* definePromo()
      const { price } = yield* buys(chat, sites.map(itemFor), { promo_code: code })
      expect(price["discount"].considered).toContainEqual(expect.objectContaining({ source: "promo", code }))
      const none = yield* chat.refused("create_order", { items: sites.map(itemFor), promo_code: "NONE", dry_run: true })
      expect(none).toMatchObject({ error: { code: "promo_code_invalid" } })
    })
  },
  {
    number: 13,
    says: "Ask me before you buy anything.",
    play: Effect.fnUntraced(function* (_, who, newChat) {
      const { key } = yield* issueKey(who.accountId, { limits: { approveAboveCents: 0 } })
      const chat = newChat(key)
      const { price, placed } = yield* buys(chat, [itemFor(who.sites[0] ?? { siteId: 0 })])
      expect(price).toMatchObject({ outcome: "awaiting_approval" })
      expect(placed).toMatchObject({ status: "awaiting_approval", approval_url: expect.any(String) })
      const { quote_id } = placed
      expect(yield* chat.ask("get_quote_status", { quote_id })).toMatchObject({ status: "awaiting_approval" })
    })
  },
  {
    number: 14,
    says: "A site with an article that ranks for sourdough.",
    play: Effect.fnUntraced(function* (chat, { niche, sites }) {
      const [site = { siteId: 0 }] = sites
      const { articleId } = yield* listArticle(site.siteId, {
        keywords: [{ query: "sourdough at home", position: 4, impressions: 900 }]
      })
      const found = yield* chat.ask("search_sites", { niche: [niche] })
      const withArticles: Array<number> = []
      for (const { id } of found["sites"]) {
        const read = yield* chat.ask("get_site", { site_id: id })
        if (read["site"].articles_available > 0) withArticles.push(id)
      }
      const [site_id = 0] = withArticles
      const { articles } = yield* chat.ask("list_site_articles", { site_id })
      expect(articles).toMatchObject([{ article_id: articleId, keywords: [{ query: "sourdough at home" }] }])
      const { placed } = yield* buys(chat, [
        { ...itemFor({ siteId: site_id }), format: "insertion", article_id: articleId }
      ])
      expect(placed).toMatchObject({ status: "paid" })
    })
  },
  {
    number: 18,
    says: "I want AI assistants to mention me.",
    play: Effect.fnUntraced(function* (chat, { accountId, niche }) {
      const { projectId } = yield* createProject(accountId, { language: "fr" })
      yield* createOpportunity(projectId, { niche })
      const { projects } = yield* chat.ask("list_ai_visibility_projects")
      const plan = yield* chat.ask("get_ai_visibility_plan", { project_id: projects[0].project_id })
      const { placed } = yield* buys(chat, plan["items"])
      expect(placed).toMatchObject({ status: "paid" })
      const after = yield* chat.ask("get_ai_visibility_plan", { project_id: projects[0].project_id })
      expect(after["items"]).toEqual([])
    })
  },
  {
    number: 19,
    says: "The answer was lost: try again.",
    play: Effect.fnUntraced(function* (chat, { sites }) {
      const order = { items: sites.map(itemFor), idempotency_key: freshKey() }
      const lost = yield* chat.ask("create_order", order)
      expect(yield* chat.ask("create_order", order)).toStrictEqual(lost)
      expect(yield* chat.ask("list_orders")).toMatchObject({ total: 1 })
    })
  }
]
