// Owners' changes of their webhooks: another URL, other events, disabling and enabling. Against the complete service.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import type { WebhookChange } from "#adapters/contract/webhooks/Webhooks.ts"
import { buyer, issueKey } from "#test/scenarios/Buyers.ts"
import { call, refusalIn, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { signaturesMadeWith } from "./Receiver.ts"
import { createWebhook, deliveriesOf, deliveriesOnce, sendTest, layer as shop } from "./WebhookService.ts"

layer(shop, { excludeTestServices: true })("a webhook", (it) => {
  it.effect("changes the URL and the events, which the next deliveries follow", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const [own, other] = [yield* createWebhook(who), yield* createWebhook(who)]
      const change = (payload: WebhookChange) => who.api.webhooks.changeWebhook({ params: { id: own.id }, payload })
      expect(yield* change({ url: other.url, events: ["order.updated", "quote.abandoned"] })).toMatchObject({
        ...{ ok: true, id: own.id, url: other.url, active: true, standard_webhooks: true },
        events: ["order.updated", "quote.abandoned"]
      })
      expect(other.probes).toHaveLength(2)
      const read = yield* who.api.webhooks.getWebhook({ params: { id: own.id } })
      expect(read).toEqual(yield* change({ url: other.url, active: true }))
      yield* sendTest(who, own.id)
      expect(signaturesMadeWith(own.secret, yield* other.next)).toEqual([0])
      expect(own.received).toEqual([])
    })
  )

  it.effect("changes nothing by a bad change, and nothing of another key's webhook", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const own = yield* createWebhook(who)
      const { webhooks: before } = yield* who.api.webhooks.listWebhooks()
      const path = `${WEBHOOKS}/${own.id}`
      for (const [body, code] of [
        [{}, "validation_failed"],
        [{ active: null }, "validation_failed"],
        [{ active: "yes" }, "validation_failed"],
        [{ events: [] }, "validation_failed"],
        [{ events: ["order.accepted", "order.accepted"] }, "validation_failed"],
        [{ events: ["order.lost"] }, "validation_failed"],
        [{ secret: "whsec_mine" }, "validation_failed"],
        [{ url: "ftp://hooks.example/in", active: false }, "webhook_url_refused"]
      ] as const) {
        expect(refusalIn(yield* call("PATCH", path, { key: who.key, body }))).toMatchObject({ status: 422, code })
      }
      const { key } = yield* issueKey(who.accountId)
      for (const method of ["GET", "PATCH"]) {
        const answer = yield* call(method, path, { key, ...(method === "GET" ? {} : { body: { active: false } }) })
        expect(refusalIn(answer)).toMatchObject({ status: 404, code: "webhook_not_found" })
      }
      expect((yield* who.api.webhooks.listWebhooks()).webhooks).toEqual(before)
    })
  )

  it.effect("disables it, drops what waits, and no test enables it again but `active: true`", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const own = yield* createWebhook(who, (response, index) => response.writeHead(index === 0 ? 500 : 200).end())
      const change = (active: boolean) =>
        who.api.webhooks.changeWebhook({ params: { id: own.id }, payload: { active } })
      yield* sendTest(who, own.id)
      yield* own.next
      yield* deliveriesOnce(who, own.id, ([one]) => one?.attempts.length === 1)
      expect(yield* change(false)).toMatchObject({ active: false, status: "disabled" })
      expect((yield* deliveriesOf(who, own.id)).map(({ status }) => status)).toEqual(["dropped"])
      yield* sendTest(who, own.id)
      yield* own.next
      yield* deliveriesOnce(who, own.id, ([one]) => one?.status === "delivered")
      const { webhooks } = yield* who.api.webhooks.listWebhooks()
      expect(webhooks).toMatchObject([{ active: false, status: "disabled", consecutive_failures: 0 }])
      expect(yield* change(true)).toMatchObject({ active: true, status: "active" })
    })
  )
})
