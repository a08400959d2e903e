// Recording attempts: each once, despite the failure of another one or of the store.
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
  const webhooks: Array<string | undefined> = []
  const transact: OrderBook["Service"]["transact"] = (reads, decide) =>
    Effect.suspend(() => {
      calls.push(namedIn(reads))
      webhooks.push(reads._tag === "ForDeliveries" ? reads.webhookId : undefined)
      const decided = Effect.fromResult(Result.map(decide(Given.given(), contextAt(Given.NOON)), ({ reply }) => reply))
      return Effect.andThen(work(namedIn(reads)), decided)
    })
  return { book: { transact }, calls, webhooks }
}

/** Records with plain ids of webhooks. */
const recording = (book: Parameters<typeof makeRecordAttempts>[0]) =>
  Effect.map(
    makeRecordAttempts(book),
    (record) => (webhookId: string, attempt: ReturnType<typeof made>) => record(WebhookId.make(webhookId), attempt)
  )

describe("recording attempts", () => {
  it.effect("asks the store for each attempt with its webhook, at once", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { book, calls, webhooks } = bookWith(() => Deferred.await(gate))
      const record = yield* recording(book)
      const all = yield* Effect.forkChild(
        concurrently([...times(2, (n) => record("wh_a", made(`a${n}`))), record("wh_b", made("b0"))]),
        { startImmediately: true }
      )
      expect(calls).toEqual([["a0"], ["a1"], ["b0"]])
      expect(webhooks).toEqual(["wh_a", "wh_a", "wh_b"])
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(all)
    })
  )

  it.effect("records the others when one attempt cannot be recorded", () =>
    Effect.gen(function* () {
      const { book, calls } = bookWith(([id]) => (id === "bad" ? Effect.die("no such row") : Effect.void))
      const record = yield* recording(book)
      const ids = ["first", "good", "bad", "fine"]
      const exits = yield* concurrently(ids.map((id) => Effect.exit(record("wh_a", made(id)))))
      expect(exits.map(({ _tag }) => _tag)).toEqual(["Success", "Success", "Failure", "Success"])
      expect(calls.flat()).toEqual(ids)
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
