// The operator's records as events, and that none of them is published twice.
import { describe, expect, it } from "vitest"
import { deliveryEvents, type QuoteRecord, quoteEvents } from "#bench/attached/RecordEvents.ts"
import { SeenEvents } from "#bench/attached/SeenEvents.ts"
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import { AccountId, DeliveryId, EventId, KeyId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { modelOf } from "../model/SampleEvents.ts"
import { NOON } from "../model/SampleParts.ts"

const SEEN_AT = NOON + 60_000

const quote: QuoteRecord["quote"] = {
  quoteId: QuoteId.make("q_1"),
  accountId: AccountId.make("acc_1"),
  keyId: KeyId.make("key_1"),
  mode: "live",
  lines: [{ domain: "a.example", shelf: "Corail", priceCents: 1_500, netCents: 1_200 }],
  grossCents: 1_500,
  totalCents: 1_200,
  creditCents: 200,
  cardCents: 1_000,
  status: "abandoned",
  abandonedBy: "human",
  orderId: null,
  creditedCents: 1_000,
  idempotencyKey: "key",
  sessionId: null,
  createdAtMs: NOON,
  expiresAtMs: NOON + 86_400_000,
  paymentPendingAtMs: null,
  approvedBy: null,
  approvedAtMs: null,
  declinedReason: null,
  reference: null
}

const delivery: Parameters<typeof deliveryEvents>[1] = {
  deliveryId: DeliveryId.make("dlv_1"),
  eventId: EventId.make("evt_1"),
  event: "order.accepted",
  createdAtMs: NOON,
  state: "pending",
  attempts: [
    { atMs: NOON + 1, httpStatus: 500, fault: "http_status", durationMs: 5 },
    { atMs: NOON + 2, httpStatus: null, fault: "timeout", durationMs: 5 }
  ],
  nextAttemptAtMs: NOON + 60_000
}

describe("a quote", () => {
  it("that was abandoned and paid too late has both events, at the time they were seen", () => {
    const [row] = modelOf(quoteEvents({ quote, order: null }, SEEN_AT)).orders.rows
    expect(row).toMatchObject({ status: "abandoned", abandonedBy: "human", price: { discountCents: 300 } })
    expect(row?.timeline.filter(({ atMs }) => atMs === SEEN_AT).map(({ cents }) => cents)).toEqual([null, 1_000])
  })
})

describe("a delivery", () => {
  it("shows every attempt, and when the next one is due", () => {
    const [row] = modelOf(deliveryEvents(WebhookId.make("wh_1"), delivery)).webhooks.deliveries
    expect(row).toMatchObject({ state: "pending", attemptsMade: 2, nextAttemptAtMs: NOON + 60_000 })
    expect(row?.attempts.map(({ fault }) => fault)).toEqual(["http_status", "timeout"])
  })

  it("of an unknown event type is left out", () => {
    expect(deliveryEvents(WebhookId.make("wh_1"), { ...delivery, event: "order.teleported" })).toEqual([])
  })
})

describe("seen events", () => {
  const healthChanged = (consecutiveFailures: number): BenchEvent => {
    return {
      _tag: "EndpointHealthChanged",
      atMs: NOON,
      webhookId: WebhookId.make("wh_1"),
      status: "active",
      consecutiveFailures
    }
  }

  it("are new once, and again when a value changes back", () => {
    const seen = new SeenEvents()
    const events = [
      ...quoteEvents({ quote, order: null }, SEEN_AT),
      ...deliveryEvents(WebhookId.make("wh_1"), delivery)
    ]
    expect(events.every((event) => seen.isNew(event))).toBe(true)
    expect(events.some((event) => seen.isNew(event))).toBe(false)
    expect([0, 0, 1, 0].map((failures) => seen.isNew(healthChanged(failures)))).toEqual([true, false, true, true])
  })

  it("forget the subject that was met longest ago", () => {
    const seen = new SeenEvents()
    const opened = (index: number): BenchEvent => {
      return { _tag: "WalletOpened", atMs: NOON, accountId: AccountId.make(`acc_${index}`), name: "Ada" }
    }
    for (let index = 0; index < 600; index++) seen.isNew(opened(index))
    expect(seen.isNew(opened(0))).toBe(false)
    seen.isNew(opened(600))
    expect([0, 1].map((index) => seen.isNew(opened(index)))).toEqual([false, true])
  })
})
