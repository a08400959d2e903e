// Many deliverers and endpoints: nothing is sent twice, a dead deliverer's work is taken over soon, and one slow receiver does not
// delay another.
import { describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { DeliverEvents } from "#core/usecases/webhooks/DeliverEvents.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { answered, failed, queueTest } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { createEndpoint, DelivererHarness, layer, type Sent, scriptedSender } from "./DelivererHarness.ts"

const idOf = ({ headers }: Sent) => headers["service-delivery"]

describe("a deliverer that dies", () => {
  const quick = scriptedSender(() => answered(200))

  it.effect("while sending is made up for within 30 s: same id and body, new time, valid signature", () =>
    Effect.gen(function* () {
      const { start, nextMove } = yield* DelivererHarness
      const own = yield* createEndpoint("https://hooks.example/in")
      const { eventId, body, createdAtMs } = yield* queueTest(own)
      // Stands for a process that is killed after its claim and records nothing.
      const { claim } = yield* Deliveries
      const nowMs = yield* Clock.currentTimeMillis
      expect(yield* claim({ nowMs, limit: 10, perEndpoint: 16, leaseMs: 20_000 })).toHaveLength(1)
      yield* start
      yield* TestClock.adjust("19999 millis")
      expect(quick.sent).toEqual([])
      yield* TestClock.adjust("10 seconds")
      expect(yield* nextMove).toMatchObject({ state: "delivered", attemptsInRun: 1 })
      const [again, ...more] = quick.sent
      expect(more).toEqual([])
      expect((again?.atMs ?? 0) - createdAtMs).toBeLessThan(30_000)
      expect(again?.headers).toMatchObject({
        "service-delivery": eventId,
        "service-signature": expect.stringMatching(`^t=${Math.floor((again?.atMs ?? 0) / 1_000)},v1=`)
      })
      expect(new TextDecoder().decode(again?.body)).toBe(body)
    }).pipe(Effect.provide(layer(quick.layer)))
  )
})

describe("a deliverer that is stopped", () => {
  const hung = scriptedSender((_, index) => (index === 0 ? Effect.never : answered(200)))

  it.effect("releases unfinished deliveries, which another deliverer sends at once", () =>
    Effect.gen(function* () {
      const { start, nextMove } = yield* DelivererHarness
      const { run } = yield* DeliverEvents
      const own = yield* createEndpoint("https://hooks.example/in")
      const first = yield* Effect.forkChild(run, { startImmediately: true })
      yield* queueTest(own)
      const { atMs } = yield* hung.next
      const stopped = yield* Effect.forkChild(Fiber.interrupt(first), { startImmediately: true })
      // It has one second to finish.
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(stopped)
      yield* start
      expect(yield* nextMove).toMatchObject({ state: "delivered" })
      expect(hung.sent.map((sent) => sent.atMs - atMs)).toEqual([0, 1_000])
    }).pipe(Effect.provide(layer(hung.layer)))
  )

  const slow = scriptedSender(() => Effect.as(Effect.sleep("600 millis"), answered(200)))

  it.effect("lets attempts finish within a second, so that their receivers get them once", () =>
    Effect.gen(function* () {
      const { nextMove } = yield* DelivererHarness
      const { run } = yield* DeliverEvents
      const own = yield* createEndpoint("https://hooks.example/in")
      const deliverer = yield* Effect.forkChild(run, { startImmediately: true })
      yield* queueTest(own)
      yield* slow.next
      const stopped = yield* Effect.forkChild(Fiber.interrupt(deliverer), { startImmediately: true })
      yield* TestClock.adjust("600 millis")
      yield* Fiber.join(stopped)
      expect(yield* nextMove).toMatchObject({ state: "delivered" })
    }).pipe(Effect.provide(layer(slow.layer)))
  )
})

describe("three deliverers over one store", () => {
  const quick = scriptedSender(() => Effect.as(Effect.sleep("5 millis"), answered(200)))

  it.effect("send every delivery once", () =>
    Effect.gen(function* () {
      const { start, nextMove } = yield* DelivererHarness
      for (const one of times(3, () => start)) yield* one
      const endpoints = yield* Effect.all(times(10, (n) => createEndpoint(`https://hooks${n}.example/in`)))
      const queued = yield* Effect.forEach(
        times(500, (n) => endpoints[n % 10] ?? []),
        (one) => ("webhookId" in one ? queueTest(one) : Effect.die("ten endpoints"))
      )
      while (quick.sent.length < 500) yield* TestClock.adjust("1 millis")
      yield* TestClock.adjust("1 minute")
      for (const _ of queued) expect(yield* nextMove).toMatchObject({ state: "delivered", attemptsInRun: 1 })
      expect(quick.sent.map(idOf).sort()).toEqual(queued.map(({ eventId }) => eventId).sort())
    }).pipe(Effect.provide(layer(quick.layer)))
  )
})

describe("a receiver that never responds", () => {
  const hangs = ({ url }: Sent) => url.includes("hole")
  const hangingSender = () =>
    scriptedSender((sent) =>
      hangs(sent) ? Effect.as(Effect.sleep("10 seconds"), { ...failed("timeout"), durationMs: 10_000 }) : answered(200)
    )

  const one = hangingSender()
  it.effect("takes sixteen attempts and then one at a time, and does not delay a healthy receiver", () =>
    Effect.gen(function* () {
      const { start, claims } = yield* DelivererHarness
      yield* start
      const hole = yield* createEndpoint("https://hole.example/in")
      const healthy = yield* createEndpoint("https://hooks.example/in")
      for (const _ of times(100, () => hole)) yield* queueTest(hole)
      const queuedAtMs = yield* Clock.currentTimeMillis
      for (const _ of times(50, () => healthy)) yield* queueTest(healthy)
      for (const _ of times(66, () => one)) yield* one.next
      expect(one.sent.filter((sent) => !hangs(sent)).map(({ atMs }) => atMs)).toEqual(times(50, () => queuedAtMs))
      expect(one.sent.filter(hangs)).toHaveLength(16)
      const before = claims()
      yield* TestClock.adjust("10 seconds")
      yield* TestClock.adjust("30 seconds")
      // From now on one attempt every ten seconds, without many claims in between.
      expect(one.sent.filter(hangs).length).toBeGreaterThanOrEqual(16 + 3)
      expect(one.sent.filter(hangs).length).toBeLessThanOrEqual(16 + 5)
      expect(claims() - before).toBeLessThan(100)
      const { createdAtMs, eventId } = yield* queueTest(healthy)
      while (!one.sent.some((sent) => idOf(sent) === eventId)) yield* one.next
      expect(one.sent.find((sent) => idOf(sent) === eventId)?.atMs).toBe(createdAtMs)
    }).pipe(Effect.provide(layer(one.layer)))
  )

  const many = hangingSender()
  it.effect("delays a healthy receiver by a quarter of a second once, when there are forty of them", () =>
    Effect.gen(function* () {
      const { start } = yield* DelivererHarness
      yield* start
      const holes = yield* Effect.all(times(40, (n) => createEndpoint(`https://hole${n}.example/in`)))
      for (const hole of holes) for (const _ of times(16, () => hole)) yield* queueTest(hole)
      for (const _ of times(128, () => many)) yield* many.next
      const healthy = yield* createEndpoint("https://hooks.example/in")
      const { createdAtMs, eventId } = yield* queueTest(healthy)
      const sent = () => many.sent.find((sent) => idOf(sent) === eventId)
      while (sent() === undefined) {
        expect(yield* Clock.currentTimeMillis).toBeLessThan(createdAtMs + 1_000)
        yield* TestClock.adjust("10 millis")
      }
      expect((sent()?.atMs ?? 0) - createdAtMs).toBeLessThanOrEqual(260)
    }).pipe(Effect.provide(layer(many.layer)))
  )
})
