// Recording attempts: in batches over all endpoints, each endpoint in one at a time, and despite the failure of one attempt or endpoint.
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import type { Reads } from "#core/decisions/Reads.ts"
import { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { makeRecordAttempts } from "#core/usecases/webhooks/RecordAttempts.ts"
import * as Given from "#test/core/Given.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { answered, queueTest } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { contextAt } from "#test/core/RunDecision.ts"
import { createEndpoint, DelivererHarness, layer, scriptedSender } from "./DelivererHarness.ts"

const made = (deliveryId: string) => ({
  claimed: { deliveryId: DeliveryId.make(deliveryId), attempts: [], nextAttemptAtMs: null },
  outcome: answered(200)
})

const namedIn = (reads: Reads): ReadonlyArray<DeliveryId> => (reads._tag === "ForDeliveries" ? reads.deliveryIds : [])

/** An order book over a shop without deliveries that runs `work` before each decision. */
const bookWith = (work: (deliveryIds: ReadonlyArray<DeliveryId>) => Effect.Effect<void, StoreUnavailable>) => {
  const calls: Array<ReadonlyArray<string>> = []
  const transact: OrderBook["Service"]["transact"] = (reads, decide) =>
    Effect.suspend(() => {
      calls.push(namedIn(reads))
      const decided = Effect.fromResult(Result.map(decide(Given.given(), contextAt(Given.NOON)), ({ reply }) => reply))
      return Effect.andThen(work(namedIn(reads)), decided)
    })
  return { book: { transact }, calls }
}

/** Records with plain ids of webhooks. */
const recording = (book: Parameters<typeof makeRecordAttempts>[0]) =>
  Effect.map(
    makeRecordAttempts(book),
    (record) => (webhookId: string, attempt: ReturnType<typeof made>) => record(WebhookId.make(webhookId), attempt)
  )

describe("recording attempts", () => {
  it.effect("batches what arrives during two writes, over all endpoints that are not being written", () =>
    Effect.gen(function* () {
      const gates = yield* Effect.all({ wh_a: Deferred.make<void>(), wh_b: Deferred.make<void>() })
      const { book, calls } = bookWith(([first = ""]) =>
        first === "a0" ? Deferred.await(gates.wh_a) : first === "b0" ? Deferred.await(gates.wh_b) : Effect.void
      )
      const record = yield* recording(book)
      const all = yield* Effect.forkChild(
        concurrently([
          ...times(3, (n) => record("wh_a", made(`a${n}`))),
          ...times(2, (n) => record("wh_b", made(`b${n}`))),
          ...times(2, (n) => record("wh_c", made(`c${n}`)))
        ]),
        { startImmediately: true }
      )
      expect(calls).toEqual([["a0"], ["b0"]])
      yield* Deferred.succeed(gates.wh_b, undefined)
      yield* record("wh_d", made("d0"))
      // wh_a is still being written: its attempts wait for that alone.
      expect(calls.slice(2).flat()).toEqual(["b1", "c0", "c1", "d0"])
      yield* Deferred.succeed(gates.wh_a, undefined)
      yield* Fiber.join(all)
      expect(calls.at(-1)).toEqual(["a1", "a2"])
      yield* record("wh_a", made("a3"))
      expect(calls.at(-1)).toEqual(["a3"])
    })
  )

  it.effect("of an endpoint that cannot be written does not keep those of others waiting", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const locked = (ids: ReadonlyArray<string>) => ids.some((id) => id.startsWith("locked"))
      const { book, calls } = bookWith((ids) =>
        Effect.andThen(Deferred.await(gate), locked(ids) ? new StoreUnavailable({ retryAfterSeconds: 1 }) : Effect.void)
      )
      const record = yield* recording(book)
      const blocked = times(3, (n) => Effect.exit(record("wh_locked", made(`locked${n}`))))
      const both = [record("wh_a", made("a0")), record("wh_b", made("b0"))]
      const others = [record("wh_a", made("a1")), record("wh_c", made("c0"))]
      const refused = yield* Effect.forkChild(concurrently([...both, ...blocked]), { startImmediately: true })
      const recorded = yield* Effect.forkChild(concurrently(others), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(recorded)
      expect(calls.slice(2)).toContainEqual(["a1"])
      expect(calls.slice(2)).toContainEqual(["c0"])
      // While it is tried again.
      yield* record("wh_c", made("c1"))
      expect(calls.at(-1)).toEqual(["c1"])
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(refused)
    })
  )

  it.effect("that waits for two endpoints that cannot be written does not wait for their retries", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { book, calls } = bookWith(([id = ""]) =>
        id.startsWith("locked")
          ? Effect.andThen(Deferred.await(gate), new StoreUnavailable({ retryAfterSeconds: 1 }))
          : Effect.void
      )
      const record = yield* recording(book)
      const locked = ["wh_a", "wh_b"].map((webhookId) => Effect.exit(record(webhookId, made(`locked ${webhookId}`))))
      const refused = yield* Effect.forkChild(concurrently(locked), { startImmediately: true })
      const recorded = yield* Effect.forkChild(record("wh_c", made("c0")), { startImmediately: true })
      expect(calls).toHaveLength(2)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(recorded)
      expect(calls).toContainEqual(["c0"])
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(refused)
    })
  )

  it.effect("records the others when one attempt cannot be recorded", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const poisoned = (ids: ReadonlyArray<string>) => (ids.includes("bad") ? Effect.die("no such row") : Effect.void)
      const { book, calls } = bookWith((ids) => Effect.andThen(Deferred.await(gate), poisoned(ids)))
      const record = yield* recording(book)
      const ids = ["first", "good", "bad", "fine"]
      const exits = yield* Effect.forkChild(concurrently(ids.map((id) => Effect.exit(record("wh_a", made(id))))), {
        startImmediately: true
      })
      yield* Deferred.succeed(gate, undefined)
      expect((yield* Fiber.join(exits)).map(({ _tag }) => _tag)).toEqual(["Success", "Success", "Failure", "Success"])
      expect(calls).toEqual([["first"], ...times(2, () => ["good", "bad", "fine"]), ["good"], ["bad"], ["fine"]])
    })
  )

  it.effect("retries while the store is unavailable, even after its caller was interrupted", () =>
    Effect.gen(function* () {
      const recorded = yield* Deferred.make<void>()
      let tries = 0
      const { book, calls } = bookWith(() => {
        tries++
        if (tries < 3) return new StoreUnavailable({ retryAfterSeconds: 1 })
        return Effect.asVoid(Deferred.succeed(recorded, undefined))
      })
      const record = yield* recording(book)
      const impatient = yield* Effect.forkChild(record("wh_a", made("a")), { startImmediately: true })
      yield* Fiber.interrupt(impatient)
      yield* TestClock.adjust("1 second")
      yield* Deferred.await(recorded)
      expect(calls).toEqual([["a"], ["a"], ["a"]])
    })
  )

  it.effect("records an attempt once although the store's response to the write is lost", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { delivery, subscription } = yield* DelivererHarness
      const own = yield* createEndpoint("https://hooks.example/in")
      const claimed = yield* queueTest(own)
      let isLost = true
      const transact: OrderBook["Service"]["transact"] = (reads, decide) =>
        Effect.flatMap(book.transact(reads, decide), (reply) => {
          const lost = isLost
          isLost = false
          return lost ? new StoreUnavailable({ retryAfterSeconds: 1 }) : Effect.succeed(reply)
        })
      const record = yield* makeRecordAttempts({ transact })
      const recorded = yield* Effect.forkChild(
        record(WebhookId.make(own.webhookId), { claimed, outcome: answered(500) }),
        {
          startImmediately: true
        }
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(recorded)
      expect(isLost).toBe(false)
      expect(delivery(claimed.deliveryId)).toMatchObject({ state: "pending", attempts: [{ httpStatus: 500 }] })
      expect(delivery(claimed.deliveryId)?.attempts).toHaveLength(1)
      expect(subscription(own.webhookId)?.health.consecutiveFailures).toBe(1)
    }).pipe(Effect.provide(layer(scriptedSender(() => answered(500)).layer)))
  )

  it.effect("fails when the store stays unavailable, and accepts the next attempt", () =>
    Effect.gen(function* () {
      let isAway = true
      const { book } = bookWith(() => (isAway ? new StoreUnavailable({ retryAfterSeconds: 1 }) : Effect.void))
      const record = yield* recording(book)
      const refused = yield* Effect.forkChild(Effect.flip(record("wh_a", made("a"))), {
        startImmediately: true
      })
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(refused)).toMatchObject({ _tag: "StoreUnavailable" })
      isAway = false
      yield* record("wh_a", made("a"))
    })
  )
})
