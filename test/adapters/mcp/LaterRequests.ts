// What people ask an assistant for in the days after a purchase.
import { Effect } from "effect"
import { expect } from "vitest"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { by, freshKey } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { untilInvoices } from "#test/scenarios/InvoiceSteps.ts"
import type { Body } from "./Chats.ts"
import { bought, buys, itemFor, type Request } from "./Household.ts"

export const laterRequests: ReadonlyArray<Request> = [
  {
    number: 3,
    says: "Cancel what is not placed yet.",
    play: Effect.fnUntraced(function* (chat, who) {
      const corail = yield* listSite({ shelf: "Corail" })
      const { order_id, items } = yield* bought({ ...who, sites: [corail, ...who.sites] }, 2)
      const outcome = yield* chat.ask("cancel_links", { order_id, only: "cancellable", idempotency_key: freshKey() })
      const [begun, waiting] = ["assigned", "to_assign"].map((status) => items.find((one) => one.status === status))
      expect(outcome).toMatchObject({
        cancelled: [waiting?.link_id],
        kept: [{ link_id: begun?.link_id, status: "assigned", who_can: "operator" }],
        credited_cents: 1_500
      })
    })
  },
  {
    number: 4,
    says: "The same as last time.",
    play: Effect.fnUntraced(function* (chat, who) {
      const last = yield* bought(who, 2)
      const { orders } = yield* chat.ask("list_orders", { limit: 1 })
      const order = yield* chat.ask("get_order_status", { order_id: orders[0].order_id })
      const { placed } = yield* buys(chat, order["items_to_reorder"])
      expect(placed).toMatchObject({ status: "paid", items_count: last.items_count })
    })
  },
  {
    number: 5,
    says: "What did I spend in October?",
    play: Effect.fnUntraced(function* (chat, who) {
      const { created_at, total_eur } = yield* bought(who, 3)
      const day = created_at.slice(0, 10)
      const spent = yield* chat.ask("list_orders", { created_from: day, created_to: day, limit: 50 })
      expect(spent).toMatchObject({ total: 1, orders: [{ total_eur }] })
      const before = yield* chat.ask("list_orders", { created_to: "2020-10-31", created_from: "2020-10-01" })
      expect(before).toMatchObject({ total: 0 })
    })
  },
  {
    number: 7,
    says: "Tell me when it is live.",
    play: Effect.fnUntraced(function* (chat, who) {
      const { order_id, items } = yield* bought(who)
      const [link] = items
      expect(yield* chat.ask("get_order_status", { order_id })).toMatchObject({ published_count: 0 })
      const { publish } = yield* FulfilLinks
      yield* publish(LinkId.make(link?.link_id ?? ""), `https://${link?.domain}/bread`, by)
      expect(yield* chat.ask("get_order_status", { order_id })).toMatchObject({
        order_status: "completed",
        items: [{ published_url: `https://${link?.domain}/bread` }]
      })
    })
  },
  {
    number: 8,
    says: "Give me my money back for the link that never came.",
    play: Effect.fnUntraced(function* (chat, who) {
      const { order_id } = yield* bought(who)
      const refused = yield* chat.refused("cancel_links", { order_id })
      expect(refused).toMatchObject({
        error: {
          code: "not_cancellable",
          details: { who_can: "operator" },
          suggestion: expect.stringContaining("user")
        }
      })
    })
  },
  {
    number: 9,
    says: "Send me the invoice of the last order.",
    play: Effect.fnUntraced(function* (chat, who) {
      const { order_id } = yield* bought(who)
      yield* untilInvoices(who, (invoices) => invoices.some((one) => one.order_id === order_id))
      const { orders } = yield* chat.ask("list_orders", { limit: 1 })
      const { invoices } = yield* chat.ask("list_invoices", { order_id: orders[0].order_id })
      expect(invoices).toHaveLength(1)
      expect(invoices[0]).toMatchObject({ kind: "invoice", number: expect.stringMatching(/\d$/), total_eur: 5 })
    })
  },
  {
    number: 15,
    says: "Change the anchor of that link.",
    play: Effect.fnUntraced(function* (chat, who) {
      const { order_id, items } = yield* bought(who)
      const change = { order_id, link_id: items[0]?.link_id, anchor_text: "warm bread" }
      expect(yield* chat.ask("change_link", { ...change, dry_run: true })).toMatchObject({ dry_run: true })
      expect(yield* chat.ask("change_link", change)).toMatchObject({
        changed: ["anchor_text"],
        link: { anchor_text: "warm bread" },
        summary: expect.any(String)
      })
      expect(yield* chat.ask("get_order_status", { order_id })).toMatchObject({
        items: [{ anchor_text: "warm bread" }]
      })
    })
  },
  {
    number: 16,
    says: "Top up 50 EUR.",
    play: Effect.fnUntraced(function* (chat) {
      const { top_up_url, tell_user } = yield* chat.ask("request_top_up", { amount_eur: 50 })
      expect(top_up_url).toMatch(/\/account\/credit\/top-ups\?amount_eur=50\.00$/)
      expect(tell_user).toContain(top_up_url)
    })
  },
  {
    number: 17,
    says: "Which sites link to me?",
    play: Effect.fnUntraced(function* (chat, who) {
      yield* bought(who, 2)
      const { links, totals } = yield* chat.ask("list_links", { target_domain: "bakery.example", scope: "account" })
      expect(links.map((link: Body) => link["site_id"]).sort()).toEqual(
        who.sites
          .slice(0, 2)
          .map(({ siteId }) => siteId)
          .sort()
      )
      expect(totals).toMatchObject({ count: 2, total_eur: 10 })
    })
  },
  {
    number: 20,
    says: "Tag it with our purchase order number.",
    play: Effect.fnUntraced(function* (chat, { sites }) {
      const reference = "PO 2026-118"
      const { placed } = yield* buys(chat, sites.slice(0, 1).map(itemFor), { reference })
      const { orders } = yield* chat.ask("list_orders", { reference })
      expect(orders).toMatchObject([{ order_id: placed["order_id"], reference }])
    })
  }
]
