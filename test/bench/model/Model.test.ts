// The model is a pure, bounded fold: repetitions change nothing, and no order goes back to an earlier status.
import { describe, expect, it } from "vitest"
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import { MAX_ACTORS } from "#bench/model/ActorsModel.ts"
import { MAX_LINES } from "#bench/model/LogModel.ts"
import { emptyModel, MAX_EVENTS, type Model, reduce } from "#bench/model/Model.ts"
import { MAX_EARLY, MAX_ENTRIES_PER_ORDER, MAX_ORDERS, type OrderRow } from "#bench/model/OrdersModel.ts"
import { MAX_HISTORY, MAX_LEDGER_ENTRIES, MAX_WALLETS } from "#bench/model/WalletsModel.ts"
import { MAX_ATTEMPTS, MAX_DELIVERIES, MAX_ENDPOINTS } from "#bench/model/WebhooksModel.ts"
import { canMove } from "#core/domain/ordering/Link.ts"
import { property } from "#test/Property.ts"
import { anyEvents } from "./ArbitraryEvents.ts"
import { orderEvents } from "./OrderEventStream.ts"
import { FURTHEST, modelOf, SAMPLE_EVENTS } from "./SampleEvents.ts"
import { NOON } from "./SampleParts.ts"

/** The model after each event, the empty one first. */
const history = (events: ReadonlyArray<BenchEvent>): ReadonlyArray<Model> => {
  const models = [emptyModel]
  for (const event of events) models.push(reduce(models.at(-1) ?? emptyModel, event))
  return models
}

const freeze = (value: unknown): void => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
}

const lengths = ({
  actors,
  orders,
  wallets,
  webhooks,
  log,
  events
}: Model): ReadonlyArray<readonly [number, number]> => [
  [actors.rows.length, MAX_ACTORS],
  [orders.rows.length, MAX_ORDERS],
  [orders.early.length, MAX_EARLY],
  [wallets.length, MAX_WALLETS],
  [webhooks.endpoints.length, MAX_ENDPOINTS],
  [webhooks.deliveries.length, MAX_DELIVERIES],
  [log.length, MAX_LINES],
  [events.length, MAX_EVENTS],
  ...orders.rows.map(({ timeline }) => [timeline.length, MAX_ENTRIES_PER_ORDER] as const),
  ...wallets.flatMap(({ ledger, history }) => [
    [ledger.length, MAX_LEDGER_ENTRIES] as const,
    [history.length, MAX_HISTORY] as const
  ]),
  ...webhooks.deliveries.map(({ attempts }) => [attempts.length, MAX_ATTEMPTS] as const)
]

const rowOf = (model: Model, id: string): OrderRow | undefined =>
  model.orders.rows.find(({ quoteId }) => quoteId === id)

/** One event moves a row forward, or not at all. */
const isForward = (before: OrderRow, after: OrderRow): boolean => {
  const quote =
    before.status === after.status ||
    before.status === "awaiting_approval" ||
    (before.status === "awaiting_payment" && after.status !== "awaiting_approval") ||
    // A payment that comes late takes up an expired quote again.
    (before.status === "abandoned" && after.status === "paid")
  const links = before.links.every((link, index) => {
    const to = after.links[index]?.status
    if (to === undefined) return false
    return to === link.status || (to === "cancelled" ? link.status !== "cancelled" : canMove(link.status, to))
  })
  return quote && links && after.timeline.length >= Math.min(before.timeline.length, MAX_ENTRIES_PER_ORDER)
}

describe("the sample events", () => {
  const model = modelOf(SAMPLE_EVENTS)

  it("give the order a timeline with every amount", () => {
    expect(rowOf(model, FURTHEST)).toMatchObject({ status: "paid", totalCents: 4_000, size: 3 })
    expect(rowOf(model, FURTHEST)?.timeline.map(({ text, cents }) => `${text} ${cents ?? ""}`.trim())).toEqual([
      "quote for 3 links 5000",
      "less welcome offer 20 % -1000",
      "makes 4000",
      "of it from prepaid credit 3000",
      "of it for a human to pay by card 1000",
      "credit held 3000",
      "payment link ready",
      "payment arrived 1000",
      "held credit spent 3000",
      "quote paid",
      "order placed: 3 links 4000",
      "sourdough-notes.example: assigned",
      "garden-weekly.example: assigned",
      "sourdough-notes.example: drafted",
      "published: https://sourdough-notes.example/spring",
      "credit given back 2400",
      "narrow-gauge.example: cancelled (the buyer changed their mind)"
    ])
  })

  it("leave the wallet with the amounts of its last ledger entry, and its history", () => {
    expect(model.wallets).toMatchObject([{ balanceCents: 4_400, heldCents: 0, availableCents: 4_400 }])
    expect(model.wallets[0]?.history).toEqual([5_000, 2_000, 2_000, 4_400])
  })

  it("join the service's attempts with the receiver's verdicts", () => {
    expect(model.webhooks.deliveries).toMatchObject([
      { event: "order.accepted", state: "delivered", attemptsMade: 2, received: 2, verified: true },
      { event: "order.published", state: "pending", attemptsMade: 0, received: 0 }
    ])
    expect(model.webhooks.endpoints).toMatchObject([{ status: "active", consecutiveFailures: 0 }])
  })

  it("keep each actor's last result", () => {
    expect(model.actors.rows.map(({ name, doing, last }) => [name, doing, last?.ok])).toEqual([
      ["Ada", null, true],
      ["Max", null, false],
      ["Hanna", "pays 10.00 EUR", undefined]
    ])
  })

  it("are counted by outcome", () => {
    expect(model.orders.counts).toEqual({ opened: 3, placed: 1, abandoned: 1, published: 1, cancelled: 1 })
  })

  it("are dropped when a new service opens, but for speed and log", () => {
    const again = reduce(model, { _tag: "ServiceOpened", atMs: NOON, url: "http://b", attached: false, seed: 2 })
    expect(again).toMatchObject({ orders: { rows: [] }, wallets: [], actors: { rows: [] }, run: { speed: 10 } })
    expect(again.log.length).toBe(model.log.length + 1)
  })

  it("put a wallet movement that comes before its quote into the quote's timeline", () => {
    const moved = SAMPLE_EVENTS.findIndex(({ _tag }) => _tag === "WalletMoved")
    const movements = SAMPLE_EVENTS.filter((event) => event._tag === "WalletMoved" && event.quoteId === FURTHEST)
    const early = modelOf([...SAMPLE_EVENTS.slice(0, moved), ...movements, ...SAMPLE_EVENTS.slice(moved)])
    const texts = (model: Model) =>
      rowOf(model, FURTHEST)
        ?.timeline.map(({ text }) => text)
        .toSorted()
    expect(texts(early)).toEqual(texts(model))
    expect(early.orders.early).toEqual([])
  })
})

describe("the log", () => {
  const said = (text: string, atMs = NOON, level: "info" | "warning" = "warning"): BenchEvent => {
    return { _tag: "Logged", atMs, level, text }
  }
  const linesOf = (...events: ReadonlyArray<BenchEvent>) => modelOf(events).log.map(({ text, times }) => [text, times])
  const id = (end: string) => `q_${"0".repeat(26)}${end}`

  it("has one line for what a sweep says of many quotes, and one for each sweep", () => {
    const left = (end: string, atMs?: number) => said(`quote left for the next sweep ${id(end)} {"code":"down"}`, atMs)
    const swept = said("quotes swept: expired 1, resumed 0", NOON, "info")
    expect(linesOf(left("a0"), left("b0"), left("c0", NOON + 900), swept, left("a0", NOON + 30_000))).toEqual([
      [`quote left for the next sweep ${id("a0")} {"code":"down"}`, 3],
      ["quotes swept: expired 1, resumed 0", 1],
      [`quote left for the next sweep ${id("a0")} {"code":"down"}`, 1]
    ])
    expect(linesOf(said("one thing"), said("another thing"), said("another thing", NOON, "info"))).toHaveLength(3)
  })

  it("says how much dead time was skipped", () => {
    const skipped = (millis: number): BenchEvent => ({ _tag: "TimeSkipped", atMs: NOON, millis })
    expect(linesOf(skipped(86_280_000), skipped(60_000))).toEqual([
      ["nothing happened for 23 h 58 min, which was skipped", 1],
      ["nothing happened for 1 min, which was skipped", 1]
    ])
  })
})

describe("any events", () => {
  property("fit into a bounded model", [anyEvents(200)], (events) => {
    for (const [length, most] of lengths(modelOf(events))) expect(length).toBeLessThanOrEqual(most)
  })

  property("never change an earlier model", [anyEvents(40)], (events) => {
    let model = emptyModel
    for (const event of events) {
      freeze(model)
      freeze(event)
      model = reduce(model, event)
    }
    expect(model).toEqual(modelOf(events))
  })

  property("change nothing when repeated, but for the counts of dropped rows", [anyEvents(60)], (events) => {
    const { log: _, events: ___, orders, ...once } = modelOf(events)
    const { log: __, events: ____, orders: again, ...twice } = modelOf(events.flatMap((event) => [event, event]))
    expect(twice).toEqual(once)
    expect(again.rows).toEqual(orders.rows)
    expect(again.early).toEqual(orders.early)
  })

  property("never move an order backwards", [anyEvents(80)], (events) => {
    const models = history(events)
    return models.every((model, index) =>
      model.orders.rows.every((after) => {
        const before = rowOf(models[index - 1] ?? emptyModel, after.quoteId)
        return before === undefined || isForward(before, after)
      })
    )
  })

  property("leave a wallet with the amounts of its last entry", [anyEvents(60)], (events) =>
    modelOf(events).wallets.every(
      (wallet) =>
        wallet.ledger.length === 0 ||
        (wallet.ledger.at(-1)?.availableCents === wallet.availableCents &&
          wallet.history.at(-1) === wallet.availableCents)
    )
  )
})

describe("twenty thousand orders", () => {
  it("take no more memory than a few hundred", () => {
    const size = (model: Model): number => JSON.stringify(model).length
    let model = emptyModel
    let before = 0
    for (let order = 0; order < 20_000; order++) {
      for (const event of orderEvents(order)) model = reduce(model, event)
      if (order === 999) before = size(model)
    }
    for (const [length, most] of lengths(model)) expect(length).toBeLessThanOrEqual(most)
    expect(model.orders.counts).toMatchObject({ opened: 20_000, placed: 10_000, abandoned: 10_000 })
    expect(size(model)).toBeLessThan(before * 1.1)
  })
})
