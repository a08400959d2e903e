// The operator's records as the events that they came from, and that none of them is told twice.
import { describe, expect, it } from "vitest"
import { deliveryEvents, type QuoteRecord, quoteEvents } from "#bench/attached/RecordEvents.ts"
import { SeenEvents } from "#bench/attached/SeenEvents.ts"
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import { modelOf, NOON } from "../model/SampleEvents.ts"

const HEARD_AT = NOON + 60_000

const quote: QuoteRecord["quote"] = {
  quoteId: "q_1",
  accountId: "acc_1",
  keyId: "key_1",
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
  expiresAtMs: NOON + 86_400_000
}

const delivery: Parameters<typeof deliveryEvents>[1] = {
  deliveryId: "dlv_1",
  eventId: "evt_1",
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
  it("that was given up and paid too late shows both, when they were heard of", () => {
    const [row] = modelOf(quoteEvents({ quote, order: null }, HEARD_AT)).orders.rows
    expect(row).toMatchObject({ status: "abandoned", abandonedBy: "human", price: { discountCents: 300 } })
    expect(row?.timeline.filter(({ atMs }) => atMs === HEARD_AT).map(({ cents }) => cents)).toEqual([null, 1_000])
  })
})

describe("a delivery", () => {
  it("shows every attempt, and what is planned after the last", () => {
    const [row] = modelOf(deliveryEvents("wh_1", delivery)).webhooks.deliveries
    expect(row).toMatchObject({ state: "pending", attemptsMade: 2, nextAttemptAtMs: NOON + 60_000 })
    expect(row?.attempts.map(({ fault }) => fault)).toEqual(["http_status", "timeout"])
  })

  it("of an event that the bench has no word for is left out", () => {
    expect(deliveryEvents("wh_1", { ...delivery, event: "order.teleported" })).toEqual([])
  })
})

describe("the memory", () => {
  const fared = (consecutiveFailures: number): BenchEvent => {
    return { _tag: "EndpointHealthChanged", atMs: NOON, webhookId: "wh_1", status: "active", consecutiveFailures }
  }

  it("takes nothing for news twice, and a change back for news", () => {
    const memory = new SeenEvents()
    const told = [...quoteEvents({ quote, order: null }, HEARD_AT), ...deliveryEvents("wh_1", delivery)]
    expect(told.every((event) => memory.isNew(event))).toBe(true)
    expect(told.some((event) => memory.isNew(event))).toBe(false)
    expect([0, 0, 1, 0].map((failures) => memory.isNew(fared(failures)))).toEqual([true, false, true, true])
  })

  it("forgets what it has not looked at for longest", () => {
    const memory = new SeenEvents()
    const opened = (index: number): BenchEvent => {
      return { _tag: "WalletOpened", atMs: NOON, accountId: `acc_${index}`, name: "Ada" }
    }
    for (let index = 0; index < 600; index++) memory.isNew(opened(index))
    expect(memory.isNew(opened(0))).toBe(false)
    memory.isNew(opened(600))
    expect([0, 1].map((index) => memory.isNew(opened(index)))).toEqual([false, true])
  })
})
