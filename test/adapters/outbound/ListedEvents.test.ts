// GET /events against the complete service: what a webhook was told, byte for byte, and what none was told, as it was then.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { eventError } from "#test/adapters/http/docs/DocumentedResponses.ts"
import { type Buyer, buyer, by, issueKey, item, order } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { createWebhook, layer as shop } from "./WebhookService.ts"

const EVENTS = "/api/v1/agent/events"

const listed = (
  { api }: Pick<Buyer, "api">,
  query: Parameters<Buyer["api"]["events"]["listEvents"]>[0]["query"] = {}
) => Effect.map(api.events.listEvents({ query }), ({ events }) => events)

const shown = ({ api }: Buyer, id: OrderId) =>
  Effect.map(
    api.orders.getOrder({ params: { id } }),
    ({ ok: _, summary: __, items_to_reorder: ___, reorder_notes: ____, invoices: _____, ...one }) => one
  )

layer(shop, { excludeTestServices: true })("the list of events", (it) => {
  it.effect("shows each step of an order that no webhook was told of as it was then, in the shape of a delivery", () =>
    Effect.gen(function* () {
      const { assign, cancelLink, correct, publish } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 10_000 })
      const { siteId, domain } = yield* listSite({ shelf: "Corail" })
      const placed = yield* order(who, [item(siteId), item(siteId), item(siteId)])
      const id = placed.order_id ?? OrderId.make("")
      const states = [yield* shown(who, id)]
      const [one, two, three] = states[0]?.items.map(({ link_id }) => link_id) ?? []
      if (one === undefined || two === undefined || three === undefined) throw new Error("three links")
      const path = `/api/v1/agent/orders/${id}/links/${one}`
      const steps = [
        call("PATCH", path, { key: who.key, body: { anchor_text: "another text" } }),
        assign(one, by),
        publish(one, `https://${domain}/first`, by),
        correct({ linkId: one, publishedUrl: `https://${domain}/better`, reason: "typo" }, by),
        cancelLink(two, "as asked", by),
        publish(three, `https://${domain}/third`, by)
      ]
      for (const step of steps) {
        yield* step
        states.push(yield* shown(who, id))
      }
      const events = yield* listed(who)
      for (const event of events) expect(eventError(event.type, event)).toBeUndefined()
      const ordersOf = (type: string) =>
        events
          .filter((event) => event.type === type)
          .map(({ data }) => data["order"])
          .toReversed()
      expect(ordersOf("order.accepted")).toEqual([states[0]])
      expect(ordersOf("order.updated")).toEqual(states.slice(1))
      expect(ordersOf("order.completed")).toEqual([states.at(-1)])
      const changed = events.flatMap(({ data }) => data["changed_link_ids"] ?? []).toReversed()
      expect(changed).toEqual([one, one, one, one, two, three])
      const paid = events.find(({ type }) => type === "quote.paid")
      expect(paid?.data["quote"]).toMatchObject({ quote_id: placed.quote_id, status: "paid", order_status: "paid" })
      expect(new Set(events.map((event) => event.id)).size).toBe(events.length)
    })
  )

  it.effect("shows what was delivered byte for byte, under the same id", () =>
    Effect.gen(function* () {
      const { publish } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 10_000 })
      const own = yield* createWebhook(who, undefined, ["*"])
      const { siteId, domain } = yield* listSite()
      const { order_id } = yield* order(who, [item(siteId)])
      const { items } = yield* shown(who, order_id ?? OrderId.make(""))
      for (const { link_id } of items) yield* publish(link_id, `https://${domain}/${link_id}`, by)
      const events = yield* listed(who)
      const received = yield* Effect.all(events.map(() => own.next))
      const bytes = new Map(received.map(({ headers, body }) => [String(headers["webhook-id"]), body.toString()]))
      expect(events).toHaveLength(5)
      for (const event of events) expect(JSON.stringify(event)).toBe(bytes.get(event.id))
    })
  )

  it.effect("goes back 30 days, in pages that are bound to their filters, and is this key's alone", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 10_000 })
      const { siteId } = yield* listSite()
      yield* order(who, [item(siteId)])
      const { advance } = yield* MovableClock
      yield* advance("29 days")
      const { order_id } = yield* order(who, [item(siteId)])
      expect(yield* listed(who)).toHaveLength(4)
      const other = yield* issueKey(who.accountId)
      expect(yield* other.api.events.listEvents({ query: {} })).toMatchObject({
        ...{ count: 0, events: [], other_credentials: { events: 4 } },
        hint: expect.stringContaining("scope=account")
      })
      expect(yield* listed(other, { scope: "account" })).toEqual(yield* listed(who))
      const page = yield* who.api.events.listEvents({ query: { limit: 3 } })
      expect(page).toMatchObject({ ok: true, count: 3, sandbox: false })
      const rest = yield* who.api.events.listEvents({ query: { limit: 3, cursor: page.next_cursor ?? "" } })
      expect([...page.events, ...rest.events]).toEqual(yield* listed(who))
      yield* advance("2 days")
      expect(yield* listed(who)).toMatchObject([
        { type: "quote.paid" },
        { type: "order.accepted", data: { order: { order_id } } }
      ])
      expect(yield* listed(who, { type: "order.accepted" })).toHaveLength(1)
      for (const query of [`cursor=${page.next_cursor}&type=order.accepted`, "type=order.lost", "since=2026-01-01"]) {
        const answer = yield* call("GET", `${EVENTS}?${query}`, { key: who.key })
        expect(refusalIn(answer)).toMatchObject({ status: 422, code: "validation_failed" })
      }
    })
  )
})
