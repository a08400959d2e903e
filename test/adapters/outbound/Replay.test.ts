// An endpoint that was disabled for a day and is replayed (scenario 73): every missed event arrives once and in order of time, by its id and by
// its bytes; and what its owner sees of that.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { type Buyer, buyer, by, issueKey, item, order } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, refusalIn, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import type { Received } from "./Receiver.ts"
import { createWebhook, deliveriesOnce, sendTest, layer as shop } from "./WebhookService.ts"

const idOf = ({ headers }: Received) => String(headers["webhook-id"])
const timeOf = ({ body }: Received) => Date.parse(JSON.parse(body.toString()).created_at)

layer(shop, { excludeTestServices: true })("an endpoint that was disabled for a day", (it) => {
  /** Orders over a day, each with a link that goes online; returns their number. */
  const aDayOf = Effect.fnUntraced(function* (who: Buyer) {
    const { publish } = yield* FulfilLinks
    const { advance } = yield* MovableClock
    const { siteId, domain } = yield* listSite()
    for (const _ of times(4, () => 0)) {
      yield* advance("6 hours")
      const { order_id } = yield* order(who, [item(siteId)])
      const { items } = yield* who.api.orders.getOrder({ params: { id: order_id ?? OrderId.make("") } })
      yield* advance("1 minute")
      for (const { link_id } of items) yield* publish(link_id, `https://${domain}/${link_id}`, by)
    }
  })

  it.effect("gets every missed event once and in order of time, however often its owner asks", () =>
    Effect.gen(function* () {
      const { nowMs } = yield* MovableClock
      const who = yield* buyer({ creditCents: 50_000 })
      let isGone = true
      const own = yield* createWebhook(who, (response) => response.writeHead(isGone ? 410 : 200).end(), ["*"])
      const params = { id: own.id }
      const from = new Date(nowMs()).toISOString()
      const { siteId } = yield* listSite()
      yield* order(who, [item(siteId)])
      const isDisabled = Effect.map(who.api.webhooks.getWebhook({ params }), ({ active }) => !active)
      while (!(yield* isDisabled)) yield* Effect.yieldNow
      yield* aDayOf(who)
      const refused = new Set(own.received.map(idOf))
      expect(refused.size).toBeLessThanOrEqual(2)
      for (const _ of refused) yield* own.next

      isGone = false
      yield* who.api.webhooks.changeWebhook({ params, payload: { active: true } })
      const ask = who.api.deliveries.replayWebhook({ params, payload: { from } })
      const replies = yield* concurrently(times(4, () => ask))
      const { events } = yield* who.api.events.listEvents({ query: { limit: 50 } })
      const missed = events.toReversed()
      expect(missed).toHaveLength(2 + 4 * 5)
      expect(replies.reduce((sum, { queued }) => sum + queued, 0)).toBe(missed.length)
      const received = yield* Effect.all(missed.map(() => own.next))
      expect(received.map(idOf)).toEqual(missed.map(({ id }) => id))
      expect(received.map(({ body }) => JSON.parse(body.toString()))).toEqual(missed)
      expect(received.map(timeOf)).toEqual(received.map(timeOf).toSorted((a, b) => a - b))
      yield* deliveriesOnce(who, own.id, (all) => all.every(({ status }) => status === "delivered"))
      expect(yield* ask).toMatchObject({ ok: true, id: own.id, queued: 0, more: false, sandbox: false })
      yield* sendTest(who, own.id)
      expect((yield* own.next).headers["service-event"]).toBe("webhook.test")
    })
  )

  it.effect("refuses a replay without a time, of another key's webhook, and the 21st of a day", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 50_000 })
      const own = yield* createWebhook(who, undefined, ["order.accepted"])
      const path = `${WEBHOOKS}/${own.id}/replay`
      for (const body of [{}, { from: "yesterday" }, { from: "2026-01-01", to: "2026-01-02" }]) {
        expect(refusalIn(yield* call("POST", path, { key: who.key, body }))).toMatchObject({ status: 422 })
      }
      const { key } = yield* issueKey(who.accountId)
      const body = { from: "2026-01-01" }
      expect(refusalIn(yield* call("POST", path, { key, body }))).toMatchObject({ code: "webhook_not_found" })
      const { siteId } = yield* listSite()
      const change = (active: boolean) =>
        who.api.webhooks.changeWebhook({ params: { id: own.id }, payload: { active } })
      for (const _ of times(20, () => 0)) {
        yield* change(false)
        yield* order(who, [item(siteId)])
        yield* change(true)
        expect((yield* call("POST", path, { key: who.key, body })).status).toBe(202)
        yield* own.next
      }
      yield* change(false)
      yield* order(who, [item(siteId)])
      const bounded = yield* call("POST", path, { key: who.key, body })
      expect(refusalIn(bounded)).toMatchObject({ status: 429, code: "rate_limited", recovery: "wait" })
    })
  )
})
