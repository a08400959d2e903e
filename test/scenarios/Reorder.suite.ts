// An order as it is read: its items, ordered again as the service proposes them, and when its links are due.
import { Effect } from "effect"
import { expect } from "vitest"
import type { OrderItem } from "#adapters/contract/ordering/OrderRequest.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, by, cart, insertion, item, order } from "./Buyers.ts"
import { createOpportunity, createProject, listArticle, listSite } from "./CatalogueSetup.ts"
import { call, ORDERS, placedBy, postOrder, press, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const reorderSuite = scenarios("orders again", {}, (it) => {
  it.effect("the items to reorder are accepted unchanged, and the notes name what differs from the order", () =>
    Effect.gen(function* () {
      const { cancelOrder } = yield* FulfilLinks
      const sites = [yield* listSite(), yield* listSite(), yield* listSite()] as const
      const [siteId, withArticle, closing] = [sites[0].siteId, sites[1].siteId, sites[2].siteId]
      const article = yield* listArticle(withArticle)
      const who = yield* buyer({ creditCents: 100_000 })
      const { projectId: project_id } = yield* createProject(who.accountId)
      const { opportunityId: opportunity_id } = yield* createOpportunity(project_id)
      const whole = item(siteId, { project_id, opportunity_id, brief: "Short, please.\nAnd kind.", tier2_links: 3 })
      const ordered: ReadonlyArray<OrderItem> = [whole, insertion(article), item(closing), item(siteId)]
      const { order_id = OrderId.make("") } = yield* order(who, ordered)
      yield* listSite({ ...sites[2], open: false })
      const read = who.api.orders.getOrder({ params: { id: order_id } })
      const { items, items_to_reorder = [], reorder_notes } = yield* read
      expect(items_to_reorder).toEqual([whole, item(withArticle), item(siteId)])
      expect(reorder_notes).toEqual([
        { link_id: items[1]?.link_id, reason: "new_article_instead" },
        { link_id: items[2]?.link_id, reason: "site_closed" }
      ])
      const again = placedBy(yield* postOrder(who.key, { items: items_to_reorder }))
      expect([again.status, again.items_count]).toEqual(["paid", 3])
      yield* cancelOrder(order_id, "as a test", by)
      expect((yield* read).items_to_reorder).toEqual(items_to_reorder)
    })
  )

  it.effect("an order whose sites are all closed proposes nothing and says so; so does one too long for a model", () =>
    Effect.gen(function* () {
      const site = yield* listSite()
      const who = yield* buyer({ creditCents: 100_000 })
      const { order_id = OrderId.make("") } = yield* order(who, [item(site.siteId)])
      const brief = "庭園の手入れ".repeat(160)
      const long = yield* order(who, [...cart(times(20, () => item(site.siteId, { brief }))).items])
      yield* listSite({ ...site, open: false })
      const { items, items_to_reorder, reorder_notes } = yield* who.api.orders.getOrder({ params: { id: order_id } })
      expect(items_to_reorder).toEqual([])
      expect(reorder_notes).toEqual([{ link_id: items[0]?.link_id, reason: "site_closed" }])
      expect(refusalIn(yield* call("POST", ORDERS, { key: who.key, body: { items: [] } })).param).toBe("items")
      yield* listSite(site)
      const longRead = yield* who.api.orders.getOrder({ params: { id: long.order_id ?? OrderId.make("") } })
      expect([longRead.items.length, "items_to_reorder" in longRead]).toEqual([20, false])
    })
  )

  it.effect("a link keeps the days of its quote, whatever its site takes later", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const site = yield* listSite({ turnaroundDays: 2 })
      const who = yield* buyer()
      const { quote_id, payment_url } = yield* order(who, [item(site.siteId), item(site.siteId, { tier2_links: 1 })])
      const quote = who.api.quotes.getQuote({ params: { id: quote_id ?? QuoteId.make("") } })
      const lines = [5, 9].map((price_eur) => ({ site_id: site.siteId, price_eur, turnaround_days: 2 }))
      expect((yield* quote).lines).toEqual(lines)
      yield* listSite({ ...site, turnaroundDays: 30 })
      yield* advance("90 minutes")
      yield* press("pay", payment_url ?? "")
      const paid = yield* quote
      expect([paid.status, paid.lines]).toEqual(["paid", lines])
      const { items, created_at } = yield* who.api.orders.getOrder({
        params: { id: paid.order_id ?? OrderId.make("") }
      })
      const due_at = new Date(Date.parse(created_at) + 2 * DAY_MS).toISOString()
      expect(items).toMatchObject([
        { due_at, overdue: false },
        { due_at, overdue: false }
      ])
    })
  )

  it.effect("links are due days of 24 hours after their order, over the end of summer time and of a year", () =>
    Effect.gen(function* () {
      const { advance, nowMs } = yield* MovableClock
      const { publish } = yield* FulfilLinks
      const slow = yield* listSite({ shelf: "Corail" })
      const quick = yield* listSite({ shelf: "Nautilus", turnaroundDays: 2 })
      const who = yield* buyer({ creditCents: 100_000 })
      for (const [ordered, [soon, late]] of [
        ["2027-10-29T22:30:00Z", ["31 October 2027", "5 November 2027"]],
        ["2027-12-29T23:30:00Z", ["31 December 2027", "5 January 2028"]]
      ] as const) {
        yield* advance(Date.parse(ordered) - nowMs())
        const { order_id = OrderId.make("") } = yield* order(who, [item(slow.siteId), item(quick.siteId)])
        const read = who.api.orders.getOrder({ params: { id: order_id } })
        const { created_at, summary, items } = yield* read
        const dates = items.map(({ due_at }) => Date.parse(due_at ?? ""))
        expect(dates.map((due) => due - Date.parse(created_at))).toEqual([7 * 24 * 3_600_000, 2 * 24 * 3_600_000])
        expect(summary).toBe(`Neither link is online yet; the next is due by ${soon} and the last by ${late} (UTC).`)
        yield* advance("49 hours")
        const overdue = yield* read
        expect(overdue.items.map((one) => one.overdue)).toEqual([false, true])
        expect(overdue.summary).toBe(
          `Neither link is online yet; the second was due by ${soon} (UTC) and is overdue; the first is due by ${late} (UTC).`
        )
        yield* publish(items[1]?.link_id ?? LinkId.make(""), `https://${quick.domain}/a`, by)
        const online = yield* read
        expect(online.items.map((one) => one.overdue)).toEqual([false, false])
        expect(online.summary).toBe(`1 of 2 links is online; the first is due by ${late} (UTC).`)
      }
    })
  )
})
