// A key is rotated while its agent works: both texts are one key for a day, with one cap, one set of idempotency keys and its webhooks; then
// the former text ends, which is no revocation.
import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { MAX_ACTIVE_KEYS } from "#core/domain/access/ApiKey.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, quotesOf } from "../core/BookReads.ts"
import { statusOf } from "./ApprovalSteps.ts"
import { type Buyer, buyer, by, cart, clientOf, freshKey, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, ME, ORDERS, placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const rotate = Effect.fnUntraced(function* ({ keyId }: Pick<Buyer, "keyId">, now = false) {
  const { key, text } = yield* (yield* Credentials).rotate({ keyId, now }, by)
  return yield* clientOf(key, text)
})

const CAP = 10

export const keyRotationsSuite = scenarios("rotations of keys", { DAILY_ORDER_CAP: String(CAP) }, (it) => {
  it.effect(
    "orders, webhooks and what waits for approval are the same key's, and the end of a text is no revocation",
    () =>
      Effect.gen(function* () {
        const { port } = yield* RunningService
        const { advance } = yield* MovableClock
        const { siteId } = yield* listSite()
        const who = yield* buyer({ creditCents: 50_000, limits: { approveAboveCents: 1_000 } })
        const { id } = yield* who.api.webhooks.createWebhook({
          payload: { url: `http://127.0.0.1:${port}/healthz`, events: ["order.accepted"] }
        })
        const { order_id } = placedBy(yield* postOrder(who.key, cart([item(siteId)])))
        yield* advance("20 hours")
        const waiting = placedBy(yield* postOrder(who.key, cart(times(3, () => item(siteId)))))
        expect(waiting.status).toBe("awaiting_approval")
        const next = yield* rotate(who)
        expect([next.keyId, next.key === who.key]).toEqual([who.keyId, false])
        for (const { key } of [who, next]) {
          const { orders } = JSON.parse((yield* call("GET", ORDERS, { key })).text)
          expect(orders.map((one: { order_id: string }) => one.order_id)).toEqual([order_id])
          expect(JSON.parse((yield* call("GET", ME, { key })).text).key.key_id).toBe(who.keyId)
        }
        yield* advance("23 hours")
        expect((yield* call("GET", ME, { key: who.key })).status).toBe(200)
        expect((yield* statusOf(next, waiting.quote_id ?? "")).status).toBe("awaiting_approval")
        yield* advance("1 hour")
        const ended = refusalIn(yield* call("GET", ME, { key: who.key }))
        expect(ended).toMatchObject({ code: "expired_api_key", status: 401, recovery: "human", retryable: false })
        expect(ended.message).toMatch(/replaced/)
        const { webhooks } = yield* next.api.webhooks.listWebhooks()
        expect(webhooks.map((one) => [one.id, one.active])).toEqual([[id, true]])
      })
  )

  it.effect("at once, no instance takes the former texts any more", () =>
    Effect.gen(function* () {
      const instances = yield* (yield* ServiceInstances).all
      const who = yield* buyer()
      const second = yield* rotate(who)
      const third = yield* rotate(second, true)
      const { advance } = yield* MovableClock
      // Each instance looks for changes of keys twice a second.
      yield* advance("1 second")
      for (const { url } of instances) {
        for (const { key } of [who, second])
          expect(refusalIn(yield* call("GET", `${url}${ME}`, { key })).code).toBe("expired_api_key")
        expect((yield* call("GET", `${url}${ME}`, { key: third.key })).status).toBe(200)
      }
    })
  )

  it.effect(`${CAP * 4} orders with both texts while the key is rotated: the cap of ${CAP} holds across both`, () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 100_000 })
      const next = yield* rotate(who)
      const [answers, third] = yield* Effect.all(
        [
          concurrently(
            times(CAP * 4, (nth) => postOrder(nth % 2 === 0 ? who.key : next.key, cart([item(siteId)]), freshKey()))
          ),
          rotate(next)
        ],
        { concurrency: 2 }
      )
      expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: CAP, 429: CAP * 3 })
      expect(refusalIn(yield* postOrder(third.key, cart([item(siteId)]))).code).toBe("daily_order_cap_reached")
      expect(quotesOf(yield* books, who).length).toBe(CAP)
      yield* expectConsistentBooks
    })
  )

  it.effect("twins with one idempotency key, one with each text, while the key is rotated: one order", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 10_000 })
      const next = yield* rotate(who)
      const idempotencyKey = freshKey()
      const [answers] = yield* Effect.all(
        [
          concurrently(
            times(10, (nth) => postOrder(nth % 2 === 0 ? who.key : next.key, cart([item(siteId)]), idempotencyKey))
          ),
          rotate(next)
        ],
        { concurrency: 2 }
      )
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(quotesOf(yield* books, who).length).toBe(1)
    })
  )

  it.effect("rotated twice at once, a key has one text more than before by each, and its place among the five", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      yield* Effect.all(times(MAX_ACTIVE_KEYS - 1, () => issueKey(who.accountId)))
      const both = yield* concurrently(times(2, () => rotate(who)))
      for (const { key } of [who, ...both]) expect((yield* call("GET", ME, { key })).status).toBe(200)
      const keys = yield* (yield* Credentials).list(who.accountId)
      expect(keys).toHaveLength(MAX_ACTIVE_KEYS)
      const rotated = keys.find(({ key }) => key.keyId === who.keyId)?.key
      expect(rotated?.former).toHaveLength(2)
      expect(both.filter(({ key }) => key.endsWith(rotated?.lastFour ?? "?"))).toHaveLength(1)
      // A second window that saw the first text is told so.
      const stale = (yield* Credentials).rotateBy(
        { keyId: who.keyId, now: false, replaces: who.key.slice(-4) },
        { operator: by }
      )
      expect(yield* stale).toBeNull()
      expect(Redacted.isRedacted(rotated?.hash)).toBe(false)
    })
  )
})
