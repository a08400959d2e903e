// The same order under another spelling: one URL to every browser and words that read alike are one link, for every way in which orders
// are compared but an idempotency key, which stays strict.
import { Effect } from "effect"
import { expect } from "vitest"
import type { OrderItem, OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, resultIn, toolCall } from "#test/adapters/mcp/Post.ts"
import { quotesOf } from "../core/BookReads.ts"
import { buyer, cart, freshKey, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const plain = { target_url: "https://brand.example/", anchor_text: "café près d’ici" }

const same: ReadonlyArray<readonly [what: string, spelling: Partial<OrderItem>]> = [
  ["no slash", { target_url: "https://brand.example" }],
  ["the default port", { target_url: "https://brand.example:443/" }],
  ["capitals in scheme and host", { target_url: "HTTPS://BRAND.Example/" }],
  ["a fragment", { target_url: "https://brand.example/#top" }],
  ["a host in full-width letters", { target_url: "https://ｂｒａｎｄ．ｅｘａｍｐｌｅ/" }],
  ["a host in circled letters", { target_url: "https://ⓑⓡⓐⓝⓓ.example/" }],
  ["a path that leads back", { target_url: "https://brand.example/a/.." }],
  ["blanks around the anchor", { anchor_text: " café près d’ici " }],
  ["other blanks in the anchor", { anchor_text: "café\u00a0\u2003près d’ici" }],
  ["an anchor with combining marks", { anchor_text: "cafe\u0301 pre\u0300s d’ici" }]
]

const other: ReadonlyArray<readonly [what: string, spelling: Partial<OrderItem>]> = [
  ["http", { target_url: "http://brand.example/" }],
  ["another port", { target_url: "https://brand.example:8443/" }],
  ["a query", { target_url: "https://brand.example/?" }],
  ["another subdomain", { target_url: "https://www.brand.example/" }],
  ["capitals in the anchor", { anchor_text: "Café près d’ici" }]
]

const codesOf = ({ warnings }: { readonly warnings: ReadonlyArray<{ readonly code: string }> }) =>
  warnings.map(({ code }) => code)

const setting = Effect.gen(function* () {
  const { siteId } = yield* listSite()
  const who = yield* buyer({ creditCents: 100_000 })
  const careful = yield* issueKey(who.accountId, { limits: { holdLookAlikes: true } })
  const urls = (yield* (yield* ServiceInstances).all).map(({ url }) => url)
  let turn = 0
  /** The instances in turn. */
  const byTool = (key: string, body: OrderRequest) =>
    Effect.map(post(`${urls[turn++ % urls.length]}/mcp`, toolCall("2025", "create_order", body), bearer(key)), resultIn)
  return { who, careful, byTool, item: (spelling: Partial<OrderItem>) => item(siteId, { ...plain, ...spelling }) }
})

export const sameOrderSuite = scenarios("the same order in another spelling", {}, (it) => {
  for (const [what, spelling] of same) {
    it.effect(`${what}: held as a look-alike, replayed without a key, warned of`, () =>
      Effect.gen(function* () {
        const { who, careful, byTool, item } = yield* setting
        const { books } = yield* RunningService
        const first = yield* byTool(who.key, cart([item({})]))
        const again = yield* byTool(who.key, cart([item(spelling)]))
        expect([again.isError, again.body["quote_id"]]).toEqual([false, first.body["quote_id"]])
        expect(JSON.stringify(again.body["warnings"])).toContain("replayed_without_key")
        expect(quotesOf(yield* books, who)).toHaveLength(1)

        const held = placedBy(yield* postOrder(careful.key, cart([item(spelling)]), freshKey()))
        expect([held.status, codesOf(held)]).toEqual([
          "awaiting_approval",
          ["similar_recent_order", "site_already_links"]
        ])
        const unkeyed = placedBy(yield* postOrder(who.key, cart([item(spelling)])))
        expect(codesOf(unkeyed)).toEqual(["similar_recent_order", "site_already_links"])
        const twice = placedBy(yield* postOrder(who.key, cart([item({}), item(spelling)]), freshKey()))
        expect(codesOf(twice)).toContain("duplicate_target")
      })
    )
  }

  for (const [what, spelling] of other) {
    it.effect(`${what}: another order`, () =>
      Effect.gen(function* () {
        const { who, careful, byTool, item } = yield* setting
        const first = yield* byTool(who.key, cart([item({})]))
        const second = yield* byTool(who.key, cart([item(spelling)]))
        expect([second.isError, second.body["status"]]).toEqual([false, "paid"])
        expect(second.body["quote_id"]).not.toBe(first.body["quote_id"])
        const free = placedBy(yield* postOrder(careful.key, cart([item({ ...spelling, tier2_links: 5 })]), freshKey()))
        expect(free.status).toBe("paid")
        if (spelling.target_url === undefined) return
        const both = placedBy(yield* postOrder(who.key, cart([item({}), item(spelling)]), freshKey()))
        expect(codesOf(both)).not.toContain("duplicate_target")
      })
    )
  }

  it.effect("a brief makes another order without a key, and the same one for warnings and holds", () =>
    Effect.gen(function* () {
      const { who, careful, byTool, item } = yield* setting
      const first = yield* byTool(who.key, cart([item({})]))
      const briefed = yield* byTool(who.key, cart([item({ brief: "about spring" })]))
      expect(briefed.body["quote_id"]).not.toBe(first.body["quote_id"])
      expect(JSON.stringify(briefed.body["warnings"])).toContain("similar_recent_order")
      const held = placedBy(yield* postOrder(careful.key, cart([item({ brief: "about autumn" })]), freshKey()))
      expect(held.status).toBe("awaiting_approval")
    })
  )

  it.effect("an idempotency key stays strict: another spelling is another body", () =>
    Effect.gen(function* () {
      const { who, item } = yield* setting
      const key = freshKey()
      placedBy(yield* postOrder(who.key, cart([item({})]), key))
      const refused = refusalIn(yield* postOrder(who.key, cart([item({ target_url: "https://brand.example" })]), key))
      expect(refused.code).toBe("idempotency_key_reused")
    })
  )

  it.effect("what is linked to is shown in plain letters", () =>
    Effect.gen(function* () {
      const { who, item } = yield* setting
      const target_url = "https://ｂｒａｎｄ。ⓔｘａｍｐｌｅ/Ａ"
      const { order_id } = placedBy(yield* postOrder(who.key, cart([item({ target_url })])))
      const { items } = yield* who.api.orders.getOrder({ params: { id: order_id ?? OrderId.make("") } })
      expect(items[0]?.target_url).toBe("https://brand.example/Ａ")
    })
  )
})
