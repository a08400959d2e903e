// A buyer's own references of orders and links: shown in every answer, found by filters, and no part of what is bought.
import { Effect } from "effect"
import { expect } from "vitest"
import { OrderDetail, OrderList } from "#adapters/contract/ordering/Orders.ts"
import { QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, resultIn, toolCall } from "#test/adapters/mcp/Post.ts"
import { buyer, cart, item, order } from "./Buyers.ts"
import { createOpportunity, createProject, listSite } from "./CatalogueSetup.ts"
import { call, ORDERS, placedBy, postOrder, pricedBy, QUOTES, read, refusalIn } from "./HttpCalls.ts"
import { ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const referencesSuite = scenarios("references", {}, (it) => {
  it.effect("references are in every answer, found by filters, and kept for the next order", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 10_000 })
      const { projectId: project_id } = yield* createProject(who.accountId)
      const { opportunityId: opportunity_id } = yield* createOpportunity(project_id)
      const noted = { reference: "Campaign „Grün“", brief: "Short.\nAnd kind.", project_id, opportunity_id }
      const body = cart([item(siteId, noted), item(siteId)], { reference: "PO-2026-117" })
      expect(pricedBy(yield* postOrder(who.key, { ...body, dry_run: true })).reference).toBe("PO-2026-117")
      const placed = placedBy(yield* postOrder(who.key, body, "with-reference"))
      expect(placed.reference).toBe("PO-2026-117")
      const again = yield* postOrder(who.key, body, "with-reference")
      expect(JSON.parse(again.text)).toEqual(placed)
      expect("reference" in (yield* order(who, [item(siteId)]))).toBe(false)

      const found = yield* read(OrderDetail, who.key, `${ORDERS}/${placed.order_id}`)
      expect(found.reference).toBe("PO-2026-117")
      expect(found.items).toMatchObject([noted, { reference: null, brief: null, opportunity_id: null }])
      expect(found.items_to_reorder?.[0]).toMatchObject(noted)
      expect((yield* read(QuoteStatus, who.key, `${QUOTES}/${placed.quote_id}`)).reference).toBe("PO-2026-117")
      const ids = Effect.fnUntraced(function* (query: Readonly<Record<string, string>>) {
        const page = yield* read(OrderList, who.key, `${ORDERS}?${new URLSearchParams(query)}`)
        expect([page.total, page.orders.every(({ reference }) => reference === "PO-2026-117")]).toEqual([
          page.count,
          true
        ])
        return page.orders.map(({ order_id }) => order_id)
      })
      expect(yield* ids({ reference: "PO-2026-117" })).toEqual([placed.order_id])
      expect(yield* ids({ reference: "Campaign „Grün“", site_id: String(siteId) })).toEqual([placed.order_id])
      expect(yield* ids({ reference: "po-2026-117" })).toEqual([])
      expect(yield* ids({ reference: "PO-2026-117", site_id: "999999999" })).toEqual([])
    })
  )

  it.effect("a reference without a visible character is refused, on the order, an item and a filter", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 10_000 })
      for (const reference of ["", " ", "a\nb", "\u200b", "PO\u202e17", "x".repeat(101), 17]) {
        const ofOrder = yield* postOrder(who.key, { ...cart([item(siteId)]), reference })
        const ofItem = yield* postOrder(who.key, { items: [{ ...item(siteId), reference }] })
        expect([refusalIn(ofOrder).param, refusalIn(ofItem).param]).toEqual(["reference", "items[0].reference"])
        if (typeof reference === "number") continue
        const query = new URLSearchParams({ reference })
        expect(refusalIn(yield* call("GET", `${ORDERS}?${query}`, who)).param).toBe("reference")
      }
      const longest = "🔗".repeat(100)
      expect(placedBy(yield* postOrder(who.key, { ...cart([item(siteId)]), reference: longest })).reference).toBe(
        longest
      )
    })
  )

  it.effect("a reference makes no other link: it is warned of all the same, and no replay without a key", () =>
    Effect.gen(function* () {
      const [{ url = "" } = {}] = yield* (yield* ServiceInstances).all
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 10_000 })
      const create = (over: Readonly<Record<string, unknown>>) =>
        Effect.map(
          post(`${url}/mcp`, toolCall("2025", "create_order", { ...cart([item(siteId)]), ...over }), bearer(who.key)),
          (answer) => {
            // The contract of an order's answer.
            const { warnings, quote_id } = resultIn(answer).body as unknown as QuoteWarnings
            return { quote_id, codes: warnings.map(({ code }) => code) }
          }
        )
      const first = yield* create({ reference: "PO 1" })
      const replayed = yield* create({ reference: "PO 1" })
      expect([replayed.quote_id, replayed.codes]).toEqual([first.quote_id, ["replayed_without_key"]])
      const other = yield* create({ reference: "PO 2" })
      expect(other.quote_id).not.toBe(first.quote_id)
      expect(other.codes).toContain("similar_recent_order")
      const none = yield* create({})
      expect([none.quote_id === first.quote_id, none.codes.includes("similar_recent_order")]).toEqual([false, true])
    })
  )
})

interface QuoteWarnings {
  readonly quote_id: string
  readonly warnings: ReadonlyArray<{ readonly code: string }>
}
