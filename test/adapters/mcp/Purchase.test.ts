// A complete purchase by tools alone: search, read, dry run, order with partial credit, payment by a human on the page, until the
// link is online. On both servers, with clients of both generations.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import type { ApiClient } from "#adapters/http/api/Client.ts"
import { LinkId, type OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { buyer, by, freshKey } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, press } from "#test/scenarios/HttpCalls.ts"
import { bearer, connectors } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"

/** The operator publishes and verifies the first link of the order. */
const publishFirst = Effect.fnUntraced(function* (api: ApiClient, orderId: OrderId) {
  const { publish, verify } = yield* FulfilLinks
  const [link] = (yield* api.orders.getOrder({ params: { id: orderId } })).items
  const publishedUrl = `https://${link?.domain}/lamps-article`
  yield* publish(link?.link_id ?? LinkId.make(""), publishedUrl, by)
  yield* verify(link?.link_id ?? LinkId.make(""), by)
  return publishedUrl
})

layer(mcpServers(), { excludeTestServices: true })("a purchase by tools alone", (it) => {
  for (const server of serverNames) {
    for (const [revision, connect] of Object.entries(connectors)) {
      it.effect(`${server}, ${revision}: from the search to the published URL`, () =>
        Effect.gen(function* () {
          const { [server]: url } = yield* McpServers
          const niche = `Lighthouses of ${server} in ${revision}`
          const { siteId } = yield* listSite({ nicheLabel: niche, shelf: "Corail" })
          const { key, api } = yield* buyer({ creditCents: 500 })
          const client = yield* connect({ url, headers: bearer(key) })
          // Tools are read as a model reads them: by their text.
          const use = (tool: string, args: Readonly<Record<string, unknown>> = {}) =>
            Effect.map(client.call(tool, args), ({ content: [{ text }] }) => JSON.parse(text))

          expect((yield* use("about")).order_of_calls[0]).toContain("search_sites")
          const [site] = (yield* use("search_sites", { niche, max_price_eur: 20 })).sites
          expect(site).toMatchObject({ id: siteId, price_eur: 15 })
          expect((yield* use("get_site", { site_id: site.id })).site.formats).toStrictEqual([
            { format: "new_article", price_eur: 15 }
          ])
          expect(yield* use("check_balance")).toMatchObject({ available_eur: 5 })

          const items = [
            {
              site_id: site.id,
              target_url: "https://brand.example/lamps",
              anchor_text: "lamps for every coast",
              anchor_type: "partial"
            }
          ]
          const priced = yield* use("create_order", { items, dry_run: true })
          expect(priced).toMatchObject({ quote_id: null, total_eur: 15, payment_url: null })
          expect(priced.summary).toMatch(/^Dry run, nothing was ordered: .*15\.00.*10\.00/)

          const order = { items, max_total_eur: 15, idempotency_key: freshKey() }
          const quote = yield* use("create_order", order)
          expect(quote).toMatchObject({
            status: "awaiting_payment",
            credit_applied_cents: 500,
            card_amount_cents: 1_000,
            next_action: { type: "open_payment_url", url: quote.payment_url }
          })
          expect(quote.next_action.tell_user).toContain(quote.payment_url)
          expect(yield* use("create_order", order)).toStrictEqual(quote)
          expect(yield* use("check_balance")).toMatchObject({ available_cents: 0, held_cents: 500 })
          const waiting = yield* use("get_quote_status", { quote_id: quote.quote_id })
          expect(waiting).toMatchObject({ status: "awaiting_payment", paid: false, payment_url: quote.payment_url })

          const page = yield* call("GET", quote.payment_url)
          expect(page.text).toContain("lamps for every coast")
          yield* press("pay", quote.payment_url)

          const { order_id, paid } = yield* use("get_quote_status", { idempotency_key: order.idempotency_key })
          expect(paid).toBe(true)
          expect((yield* use("list_orders")).orders).toMatchObject([{ order_id, total_eur: 15, published_count: 0 }])

          const publishedUrl = yield* publishFirst(api, order_id)
          expect(yield* use("get_order_status", { order_id })).toMatchObject({
            order_status: "completed",
            published_count: 1,
            items: [{ status: "verified", published_url: publishedUrl }]
          })
        })
      )
    }
  }
})
