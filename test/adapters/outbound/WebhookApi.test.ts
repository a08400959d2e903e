// Owners' calls on their webhooks: create, test, list deliveries, redeliver, rotate the secret, delete. Against the complete
// service, with receivers over TLS.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { TestEventBody } from "#adapters/contract/webhooks/Events.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { buyer, issueKey } from "#test/scenarios/Buyers.ts"
import { call, refusalIn, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { receiver, respondWith, signaturesMadeWith, standardSignaturesMadeWith } from "./Receiver.ts"
import { createWebhook, deliveriesOnce, sendTest, layer as shop } from "./WebhookService.ts"

const readTest = Schema.decodeUnknownSync(Schema.fromJsonString(TestEventBody), { onExcessProperty: "error" })

layer(shop, { excludeTestServices: true })("a webhook's owner", (it) => {
  it.effect(
    "gets 20 tests and 20 redeliveries within 24 hours, then 429 with the time to retry and what is left to do",
    () =>
      Effect.gen(function* () {
        const clock = yield* MovableClock
        const who = yield* buyer()
        const own = yield* createWebhook(who, respondWith(204))
        yield* Effect.all(times(19, () => sendTest(who, own.id)))
        yield* clock.advance("1 hour")
        const last = yield* sendTest(who, own.id)
        const refused = yield* call("POST", `${WEBHOOKS}/${own.id}/test`, { key: who.key })
        expect(refused.status).toBe(429)
        const retryAfter = Number(refused.headers.get("retry-after"))
        expect(retryAfter).toBeGreaterThan(22.9 * 3_600)
        expect(retryAfter).toBeLessThanOrEqual(23 * 3_600)
        const error = refusalIn(refused)
        expect(error).toMatchObject({ code: "rate_limited", recovery: "wait", details: { limit: 20 } })
        expect(error.suggestion).toContain(`${own.id}/deliveries/${last.delivery_id}/redeliver`)
        const again = { params: { id: own.id, delivery_id: last.delivery_id } }
        yield* Effect.all(times(20, () => who.api.deliveries.redeliver(again)))
        const path = `${WEBHOOKS}/${own.id}/deliveries/${last.delivery_id}/redeliver`
        const bounded = yield* call("POST", path, { key: who.key })
        expect(bounded.status).toBe(429)
        expect(Number(bounded.headers.get("retry-after"))).toBeGreaterThan(23.9 * 3_600)
        expect(refusalIn(bounded)).toMatchObject({ code: "rate_limited", recovery: "wait", details: { limit: 20 } })
        expect(refusalIn(bounded).suggestion).toContain("the next redelivery is possible after")
        yield* clock.advance("23 hours")
        expect((yield* call("POST", path, { key: who.key })).status).toBe(429)
        expect((yield* sendTest(who, own.id)).status).toBe("pending")
        expect((yield* call("POST", `${WEBHOOKS}/${own.id}/test`, { key: who.key })).status).toBe(202)
      })
  )

  it.effect("gets a signed test event, whatever events the webhook lists, and sees it in the log", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const own = yield* createWebhook(who, respondWith(204), ["order.cancelled"])
      const queued = yield* sendTest(who, own.id)
      expect(queued).toMatchObject({ ok: true, id: own.id, event: "webhook.test", status: "pending", sandbox: false })
      const received = yield* own.next
      expect(received.headers).toMatchObject({
        "service-event": "webhook.test",
        "service-delivery": queued.event_id
      })
      expect(signaturesMadeWith(own.secret, received)).toEqual([0])
      expect(readTest(received.body.toString())).toMatchObject({ id: queued.event_id, data: { webhook_id: own.id } })
      const [seen] = yield* deliveriesOnce(who, own.id, ([first]) => first?.status === "delivered")
      expect(seen).toMatchObject({
        delivery_id: queued.delivery_id,
        event_id: queued.event_id,
        event: "webhook.test",
        attempts: [{ http_status: 204, error: null }],
        next_attempt_at: null
      })
      const { webhooks } = yield* who.api.webhooks.listWebhooks()
      expect(webhooks).toMatchObject([
        {
          id: own.id,
          status: "active",
          standard_webhooks: true,
          consecutive_failures: 0,
          last_delivery: { event: "webhook.test", http_status: 204, error: null }
        }
      ])
      expect(JSON.stringify(webhooks)).not.toContain("whsec_")
    })
  )

  it.effect("sees the fault of each failure, and redelivers with the same id and body", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const own = yield* createWebhook(who, (response, index) => response.writeHead(index === 0 ? 500 : 200).end())
      const { delivery_id } = yield* sendTest(who, own.id)
      const first = yield* own.next
      const [failed] = yield* deliveriesOnce(who, own.id, ([one]) => one?.attempts.length === 1)
      expect(failed).toMatchObject({ status: "pending", attempts: [{ http_status: 500, error: "http_status" }] })
      expect(Date.parse(failed?.next_attempt_at ?? "")).toBeGreaterThan(Date.parse(failed?.attempts[0]?.at ?? ""))
      const { webhooks } = yield* who.api.webhooks.listWebhooks()
      expect(webhooks).toMatchObject([{ status: "failing", consecutive_failures: 1 }])
      const again = yield* who.api.deliveries.redeliver({ params: { id: own.id, delivery_id } })
      expect(again).toMatchObject({ delivery_id, status: "pending" })
      const second = yield* own.next
      expect(second.body).toEqual(first.body)
      expect(second.headers["service-delivery"]).toBe(first.headers["service-delivery"])
      expect(signaturesMadeWith(own.secret, second)).toEqual([0])
      const [done] = yield* deliveriesOnce(who, own.id, ([one]) => one?.status === "delivered")
      expect(done?.attempts.map(({ http_status }) => http_status)).toEqual([500, 200])
    })
  )

  it.effect("rotates the secret: for 24 hours both secrets sign, the new one first; then only the new one", () =>
    Effect.gen(function* () {
      const { nowMs, advance } = yield* MovableClock
      const who = yield* buyer()
      const own = yield* createWebhook(who)
      const rotated = yield* who.api.deliveries.rotateSecret({ params: { id: own.id } })
      expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(rotated.secret).not.toBe(own.secret)
      const endsAtMs = Date.parse(rotated.previous_valid_until)
      expect(Math.abs(endsAtMs - nowMs() - 86_400_000)).toBeLessThan(10_000)
      yield* sendTest(who, own.id)
      const both = yield* own.next
      expect(signaturesMadeWith(rotated.secret, both)).toEqual([0])
      expect(signaturesMadeWith(own.secret, both)).toEqual([1])
      expect(standardSignaturesMadeWith(rotated.secret, both)).toEqual([0])
      expect(standardSignaturesMadeWith(own.secret, both)).toEqual([1])
      yield* advance(endsAtMs - nowMs())
      yield* sendTest(who, own.id)
      const one = yield* own.next
      expect(signaturesMadeWith(rotated.secret, one)).toEqual([0])
      expect(signaturesMadeWith(own.secret, one)).toEqual([])
      expect(standardSignaturesMadeWith(rotated.secret, one)).toEqual([0])
      expect(standardSignaturesMadeWith(own.secret, one)).toEqual([])
    })
  )

  it.effect(
    "rotates the secret twice, as after a lost response: the first secret stays valid as long as promised",
    () =>
      Effect.gen(function* () {
        const { nowMs, advance } = yield* MovableClock
        const who = yield* buyer()
        const own = yield* createWebhook(who)
        const rotate = who.api.deliveries.rotateSecret({ params: { id: own.id } })
        const [lost, kept] = [yield* rotate, yield* Effect.andThen(advance("1 hour"), rotate)]
        const all = [kept.secret, lost.secret, own.secret]
        yield* sendTest(who, own.id)
        const next = yield* own.next
        expect(all.map((secret) => signaturesMadeWith(secret, next))).toEqual([[0], [1], [2]])
        yield* advance(Date.parse(lost.previous_valid_until) - nowMs())
        yield* sendTest(who, own.id)
        const later = yield* own.next
        expect(all.map((secret) => signaturesMadeWith(secret, later))).toEqual([[0], [1], []])
      })
  )

  it.effect("deletes a webhook: nothing more is sent, and it is not found any more", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const own = yield* createWebhook(who, respondWith(500))
      const params = { id: own.id }
      yield* sendTest(who, own.id)
      yield* own.next
      yield* deliveriesOnce(who, own.id, ([one]) => one?.attempts.length === 1)
      expect(yield* who.api.webhooks.deleteWebhook({ params })).toMatchObject({ id: own.id, active: false })
      const { advance } = yield* MovableClock
      yield* advance("1 minute")
      // Everything due is claimed together with this delivery.
      const other = yield* createWebhook(who)
      yield* sendTest(who, other.id)
      yield* other.next
      expect(own.received).toHaveLength(1)
      expect(yield* who.api.webhooks.deleteWebhook({ params })).toMatchObject({ id: own.id, active: false })
      for (const [method, path] of [
        ["POST", "/test"],
        ["GET", "/deliveries"],
        ["POST", "/rotate-secret"]
      ] as const) {
        const answer = yield* call(method, `${WEBHOOKS}/${own.id}${path}`, { key: who.key })
        expect(refusalIn(answer)).toMatchObject({ status: 404, code: "webhook_not_found" })
      }
    })
  )

  it.effect(
    "is the key that created it: another key of the account, another account and a foreign delivery find nothing",
    () =>
      Effect.gen(function* () {
        const who = yield* buyer()
        const own = yield* createWebhook(who)
        const { delivery_id } = yield* sendTest(who, own.id)
        const second = yield* createWebhook(who)
        for (const { key } of [yield* issueKey(who.accountId), yield* buyer()]) {
          const answer = yield* call("POST", `${WEBHOOKS}/${own.id}/deliveries/${delivery_id}/redeliver`, { key })
          expect(refusalIn(answer)).toMatchObject({ status: 404, code: "webhook_not_found" })
        }
        for (const id of ["dlv_none", delivery_id]) {
          const answer = yield* call("POST", `${WEBHOOKS}/${second.id}/deliveries/${id}/redeliver`, { key: who.key })
          expect(refusalIn(answer)).toMatchObject({ status: 404, code: "delivery_not_found" })
        }
      })
  )

  it.effect("reads the log page by page", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const own = yield* createWebhook(who)
      const sent = yield* Effect.all(times(5, () => sendTest(who, own.id)))
      const ids = sent.map(({ delivery_id }) => delivery_id).toReversed()
      const seen: Array<string> = []
      let cursor: string | undefined
      do {
        const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
        const page = yield* who.api.deliveries.listDeliveries({ params: { id: own.id }, query })
        expect(page.count).toBe(page.deliveries.length)
        seen.push(...page.deliveries.map(({ delivery_id }) => delivery_id))
        cursor = page.next_cursor
      } while (cursor !== undefined)
      expect(seen).toEqual(ids)
    })
  )

  it.effect("has at most five over all keys: the sixth is refused, also when several race for the fifth", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const sandbox = yield* issueKey(who.accountId, { mode: "sandbox" })
      for (const one of [who, who, sandbox, sandbox]) yield* createWebhook(one)
      const { url } = yield* receiver()
      const body = { url, events: ["order.accepted"] }
      const keys = times(12, (n) => (n % 2 === 0 ? who.key : sandbox.key))
      const answers = yield* concurrently(keys.map((key) => call("POST", WEBHOOKS, { key, body })))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expect(refusalIn(answer)).toMatchObject({ status: 409, code: "webhook_limit_reached" })
      }
    })
  )
})
