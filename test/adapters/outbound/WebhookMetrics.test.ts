// The webhook series of `/metrics`: attempts and deliveries by outcome, and the age of the oldest due delivery.
import { layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { expect } from "vitest"
import { changesDuring, scrape } from "#test/adapters/http/server/ScrapeMetrics.ts"
import { type Buyer, buyer, cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { postOrder } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { respondWith } from "./Receiver.ts"
import { createWebhook, layer as webhookShop } from "./WebhookService.ts"

const attempts = (outcome: string): string => `webhook_attempts_total{outcome="${outcome}"}`
const deliveries = (outcome: string): string => `webhook_deliveries_total{outcome="${outcome}"}`

layer(webhookShop, { excludeTestServices: true })("webhook metrics", (it) => {
  /** Waits until an attempt is recorded. */
  const recorded = ({ api }: Buyer) =>
    Effect.map(api.webhooks.listWebhooks(), ({ webhooks }) => webhooks[0]?.last_delivery).pipe(
      Effect.repeat({ until: (last) => last != null, schedule: Schedule.spaced("5 millis") })
    )

  /** Orders once, and waits until the attempt is recorded. */
  const orderAndWait = Effect.fnUntraced(function* (status: number) {
    const { siteId } = yield* listSite()
    const owner = yield* buyer({ creditCents: 500 })
    const hook = yield* createWebhook(owner, respondWith(status))
    const { moved } = yield* changesDuring(
      Effect.gen(function* () {
        yield* postOrder(owner.key, cart([item(siteId)]))
        yield* hook.next
        yield* recorded(owner)
      })
    )
    return Object.fromEntries(Object.entries(moved).filter(([series]) => series.startsWith("webhook")))
  })

  it.effect("a successful delivery counts one attempt and one delivery", () =>
    Effect.gen(function* () {
      expect(yield* orderAndWait(200)).toStrictEqual({ [attempts("success")]: 1, [deliveries("delivered")]: 1 })
    })
  )

  it.effect("a failed attempt counts no delivery until the delivery has ended", () =>
    Effect.gen(function* () {
      expect(yield* orderAndWait(500)).toStrictEqual({ [attempts("http_status")]: 1 })
      expect(yield* orderAndWait(302)).toStrictEqual({ [attempts("redirects")]: 1 })
      expect(yield* orderAndWait(410)).toStrictEqual({ [attempts("http_status")]: 1, [deliveries("failed")]: 1 })
    })
  )

  it.effect("deliveries that wait for a failing receiver are due, and age", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const owner = yield* buyer({ creditCents: 2_000 })
      const hook = yield* createWebhook(owner, (response, index) => {
        if (index === 0) response.writeHead(500).end()
      })
      const order = postOrder(owner.key, cart([item(siteId)]))
      const first = yield* order
      expect(first.status).toBe(201)
      yield* recorded(owner)
      // A failing endpoint gets one attempt at a time: it hangs, and the other two deliveries wait.
      yield* Effect.all([order, order, order])
      yield* Effect.all([hook.next, hook.next])
      expect((yield* scrape).get("backlinks_webhook_deliveries_due")).toBe(2)
      expect((yield* scrape).get("backlinks_webhook_oldest_due_age_seconds")).toBeLessThan(15)
      yield* (yield* MovableClock).advance("1 minute")
      const later = yield* scrape
      expect(later.get("backlinks_webhook_deliveries_due")).toBeGreaterThanOrEqual(2)
      expect(later.get("backlinks_webhook_oldest_due_age_seconds")).toBeGreaterThanOrEqual(60)
    })
  )
})
