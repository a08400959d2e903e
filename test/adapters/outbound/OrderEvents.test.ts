// Events that a receiver gets over TLS during an order's life: which ones, their content and their signatures, verified with
// node:crypto, the library of Standard Webhooks and Stripe's, against the complete service.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { EventBody } from "#adapters/contract/webhooks/Events.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { buyer, by, freshKey, issueKey, item, order } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { press } from "#test/scenarios/HttpCalls.ts"
import { LogLines } from "#test/scenarios/RunningService.ts"
import { type Received, signaturesMadeWith, signedAt } from "./Receiver.ts"
import { verifiedByLibraries } from "./VerifiedByLibraries.ts"
import { createWebhook, layer as shop } from "./WebhookService.ts"

const read = Schema.decodeUnknownSync(Schema.fromJsonString(EventBody), { onExcessProperty: "error" })

/** Expects valid signatures and correct headers, and returns the event. */
const trusted = (secret: string, received: Received) => {
  const event = read(received.body.toString())
  expect(signaturesMadeWith(secret, received)).toEqual([0])
  verifiedByLibraries(secret, received)
  expect(received).toMatchObject({
    method: "POST",
    path: "/in",
    headers: {
      "content-type": "application/json",
      "service-event": event.type,
      "service-delivery": event.id,
      "service-webhook": expect.stringMatching(/^wh_/),
      "webhook-id": event.id,
      "webhook-timestamp": String(signedAt(received)),
      "user-agent": expect.stringMatching(/^BacklinkOrderingService\/1 \(\+http:\/\/127\.0\.0\.1:\d+\/docs\)$/),
      "service-signature": expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/)
    }
  })
  expect(Math.abs(Date.parse(event.created_at) / 1_000 - signedAt(received))).toBeLessThan(30)
  expect(event.api_version).toBe("v1")
  return event
}

layer(shop, { excludeTestServices: true })("order events", (it) => {
  it.effect("report acceptance once and publication once per link, with order and link as in the API", () =>
    Effect.gen(function* () {
      const { publish } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 2_000 })
      const own = yield* createWebhook(who)
      const [one, two] = [yield* listSite(), yield* listSite()]
      const { order_id } = yield* order(who, [item(one.siteId), item(two.siteId, { anchor_text: "clé 🔑 日本" })])
      const shown = () =>
        Effect.map(
          who.api.orders.getOrder({ params: { id: order_id ?? OrderId.make("") } }),
          ({ items_to_reorder: _, reorder_notes: __, summary: ___, invoices: ____, ...order }) => order
        )
      const accepted = trusted(own.secret, yield* own.next)
      expect(accepted).toMatchObject({ type: "order.accepted", sandbox: false, data: { order: { order_id } } })
      let { revision } = accepted.data.order
      expect(yield* shown()).toEqual({ ok: true, ...accepted.data.order })
      expect(accepted.data).not.toHaveProperty("link")
      for (const { link_id, site_id } of accepted.data.order.items) {
        const publishedUrl = `https://${site_id === one.siteId ? one.domain : two.domain}/${link_id}`
        yield* publish(link_id, publishedUrl, by)
        const published = trusted(own.secret, yield* own.next)
        expect(published.type).toBe("order.published")
        expect(published.data.order.revision).toBeGreaterThan(revision)
        revision = published.data.order.revision
        expect(yield* shown()).toEqual({ ok: true, ...published.data.order })
        expect(published.data.link).toEqual(published.data.order.items.find((link) => link.link_id === link_id))
        expect(published.data.link).toMatchObject({
          status: "published",
          published_url: publishedUrl
        })
      }
      expect(own.received).toHaveLength(3)
      expect(own.probes).toHaveLength(1)
    })
  )

  it.effect("report acceptance once after a human's payment, and cancellation once with the recredited amount", () =>
    Effect.gen(function* () {
      const { cancelOrder } = yield* FulfilLinks
      const who = yield* buyer()
      const own = yield* createWebhook(who)
      const { siteId } = yield* listSite()
      const { payment_url } = yield* order(who, [item(siteId), item(siteId)])
      expect(own.received).toEqual([])
      yield* press("pay", payment_url ?? "")
      const accepted = trusted(own.secret, yield* own.next)
      expect(accepted.type).toBe("order.accepted")
      yield* cancelOrder(accepted.data.order.order_id, "changed our mind", by)
      const cancelled = trusted(own.secret, yield* own.next)
      expect(cancelled).toMatchObject({
        type: "order.cancelled",
        data: { credited_cents: 1_000, order: { order_status: "cancelled" } }
      })
      expect(own.received).toHaveLength(2)
    })
  )

  it.effect("are not sent for dry runs, refusals and replays", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 500 })
      const own = yield* createWebhook(who)
      const { siteId } = yield* listSite()
      yield* order(who, [item(siteId)], { dry_run: true })
      yield* Effect.flip(order(who, [item(siteId)], { max_total_eur: 1 }))
      const idempotencyKey = freshKey()
      const first = yield* order(who, [item(siteId)], { idempotencyKey })
      yield* order(who, [item(siteId)], { idempotencyKey })
      expect(trusted(own.secret, yield* own.next).data.order.order_id).toBe(first.order_id)
      const log = yield* who.api.deliveries.listDeliveries({ params: { id: own.id }, query: {} })
      expect(log.count).toBe(1)
      expect(own.received).toHaveLength(1)
    })
  )

  it.effect("are sent to each webhook of the key that lists them, and to no other key's", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 500 })
      const sibling = yield* issueKey(who.accountId)
      const [all, accepted] = [yield* createWebhook(who), yield* createWebhook(who, undefined, ["order.accepted"])]
      const [deaf, foreign] = [yield* createWebhook(who, undefined, ["order.cancelled"]), yield* createWebhook(sibling)]
      const { siteId } = yield* listSite()
      yield* order(who, [item(siteId)])
      const [a, b] = [yield* all.next, yield* accepted.next]
      expect(trusted(all.secret, a).id).toBe(trusted(accepted.secret, b).id)
      expect(a.body).toEqual(b.body)
      // Each webhook has its own secret.
      expect(signaturesMadeWith(all.secret, b)).toEqual([])
      const unheard = yield* who.api.deliveries.listDeliveries({ params: { id: deaf.id }, query: {} })
      expect(unheard.deliveries).toEqual([])
      expect(deaf.received.length + foreign.received.length).toBe(0)
    })
  )

  it.effect("report every change of links to webhooks that name order.updated, with a revision that rises", () =>
    Effect.gen(function* () {
      const { assign, cancelLink } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 10_000 })
      const [own, usual] = [yield* createWebhook(who, undefined, ["order.updated"]), yield* createWebhook(who)]
      const [one, two] = [yield* listSite({ shelf: "Corail" }), yield* listSite({ shelf: "Corail" })]
      const { order_id } = yield* order(who, [item(one.siteId), item(two.siteId)])
      const { items } = yield* who.api.orders.getOrder({ params: { id: order_id ?? OrderId.make("") } })
      yield* assign(items[0]?.link_id ?? LinkId.make(""), by)
      const first = trusted(own.secret, yield* own.next)
      yield* cancelLink(items[1]?.link_id ?? LinkId.make(""), "as asked", by)
      const second = trusted(own.secret, yield* own.next)
      expect([first.type, second.type]).toEqual(["order.updated", "order.updated"])
      expect(second.data.order.items.map(({ status }) => status)).toEqual(["assigned", "cancelled"])
      expect(second.data.order.revision).toBeGreaterThan(first.data.order.revision)
      expect([first, second].map(({ data }) => data.changed_link_ids)).toEqual(items.map(({ link_id }) => [link_id]))
      expect(trusted(usual.secret, yield* usual.next).type).toBe("order.accepted")
      expect(usual.received).toHaveLength(1)
    })
  )

  it.effect("tell once that an order is complete, when its last link is online or the others are cancelled", () =>
    Effect.gen(function* () {
      const { cancelLink, publish, verify } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 10_000 })
      const own = yield* createWebhook(who, undefined, ["order.completed"])
      const { siteId, domain } = yield* listSite({ shelf: "Corail" })
      for (const ends of ["published", "cancelled"] as const) {
        const { order_id } = yield* order(who, [item(siteId), item(siteId)])
        const { items } = yield* who.api.orders.getOrder({ params: { id: order_id ?? OrderId.make("") } })
        const [first, last] = items.map(({ link_id }) => link_id)
        if (first === undefined || last === undefined) throw new Error("two links")
        yield* publish(first, `https://${domain}/${first}`, by)
        yield* ends === "published" ? publish(last, `https://${domain}/${last}`, by) : cancelLink(last, "as asked", by)
        yield* verify(first, by)
        const completed = trusted(own.secret, yield* own.next)
        expect(completed).toMatchObject({
          type: "order.completed",
          data: { order: { order_id, order_status: "completed" } }
        })
      }
      const log = yield* who.api.deliveries.listDeliveries({ params: { id: own.id }, query: {} })
      expect(log.count).toBe(2)
    })
  )

  it.effect("are all sent to a webhook that names `*`", () =>
    Effect.gen(function* () {
      const { publish } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 10_000 })
      const own = yield* createWebhook(who, undefined, ["*"])
      const { siteId, domain } = yield* listSite()
      const { order_id } = yield* order(who, [item(siteId)])
      const { items } = yield* who.api.orders.getOrder({ params: { id: order_id ?? OrderId.make("") } })
      for (const { link_id } of items) yield* publish(link_id, `https://${domain}/${link_id}`, by)
      const { webhooks } = yield* who.api.webhooks.listWebhooks()
      expect(webhooks).toMatchObject([{ events: ["*"] }])
      const types = ["order.accepted", "quote.paid", "order.published", "order.completed", "order.updated"]
      const received = yield* Effect.all(types.map(() => own.next))
      expect(new Set(received.map(({ headers }) => headers["service-event"]))).toEqual(new Set(types))
      for (const one of received) expect(signaturesMadeWith(own.secret, one)).toEqual([0])
    })
  )

  it.effect("of a sandbox order are sent and signed like live ones, and marked as sandbox", () =>
    Effect.gen(function* () {
      const live = yield* buyer()
      const who = yield* issueKey(live.accountId, { mode: "sandbox" })
      const [own, real] = [yield* createWebhook(who), yield* createWebhook(live)]
      expect([own.id, real.id]).toEqual([expect.stringMatching(/^wh_test_/), expect.stringMatching(/^wh_(?!test_)/)])
      const { siteId } = yield* listSite()
      const { order_id } = yield* order(who, [item(siteId)], { sandbox_credit_cents: 10_000 })
      const accepted = trusted(own.secret, yield* own.next)
      expect(accepted).toMatchObject({ sandbox: true, id: expect.stringMatching(/^evt_test_/) })
      const params = { id: order_id ?? OrderId.make("") }
      yield* who.api.sandbox.advanceSandboxOrder({ params, payload: { to: "published" } })
      expect(trusted(own.secret, yield* own.next)).toMatchObject({ type: "order.published", sandbox: true })
      expect(real.received).toEqual([])
    })
  )

  it.effect("leave no secret and no signature in the logs", () =>
    Effect.gen(function* () {
      const { lines } = yield* LogLines
      const who = yield* buyer({ creditCents: 500 })
      const own = yield* createWebhook(who)
      const { siteId } = yield* listSite()
      yield* order(who, [item(siteId)])
      const { headers } = yield* own.next
      const signature = /v1=(\w+)/.exec(String(headers["service-signature"]))?.[1] ?? "none"
      expect(lines.filter((line) => line.includes(own.secret) || line.includes(signature))).toEqual([])
    })
  )
})
