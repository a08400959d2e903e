// How attempts are noted: together where they end together at one endpoint, and in spite of what goes wrong for one of them.
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import type { Reads } from "#core/decisions/Reads.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { makeRecordAttempts } from "#core/usecases/RecordAttempts.ts"
import * as Given from "#test/core/Given.ts"
import { contextAt } from "#test/core/RunDecision.ts"
import { answered } from "#test/ports/DeliverySteps.ts"
import { concurrently, times } from "#test/ports/StoreSuite.ts"
import { createEndpoint, DelivererHarness, layer, queueTest, scriptedSender } from "./DelivererHarness.ts"

const made = (deliveryId: string) => ({
  claimed: { deliveryId, attempts: [], nextAttemptAtMs: null },
  outcome: answered(200)
})

const namedIn = (reads: Reads): ReadonlyArray<string> => (reads._tag === "ForDeliveries" ? reads.deliveryIds : [])

/** Decides on a shop without deliveries, once `work` is done with what it was asked for. */
const bookThat = (work: (deliveryIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>) => {
  const calls: Array<ReadonlyArray<string>> = []
  const transact: OrderBook["Service"]["transact"] = (reads, decide) =>
    Effect.suspend(() => {
      calls.push(namedIn(reads))
      const decided = Effect.fromResult(Result.map(decide(Given.given(), contextAt(Given.NOON)), ({ reply }) => reply))
      return Effect.andThen(work(namedIn(reads)), decided)
    })
  return { book: { transact }, calls }
}

describe("recording attempts", () => {
  it.effect("writes what comes meanwhile together, each endpoint's by itself", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { book, calls } = bookThat(() => Deferred.await(gate))
      const note = yield* makeRecordAttempts(book)
      const all = yield* Effect.forkChild(
        concurrently([
          ...times(4, (n) => note("wh_a", made(`a${n}`))),
          ...times(2, (n) => note("wh_b", made(`b${n}`)))
        ]),
        { startImmediately: true }
      )
      expect(calls).toEqual([["a0"], ["b0"]])
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(all)
      expect(calls).toEqual([["a0"], ["b0"], ["a1", "a2", "a3"], ["b1"]])
      yield* note("wh_a", made("a4"))
      expect(calls.at(-1)).toEqual(["a4"])
    })
  )

  it.effect("does not let one that cannot be noted keep the others from it", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const poisoned = (ids: ReadonlyArray<string>) => (ids.includes("bad") ? Effect.die("no such row") : Effect.void)
      const { book, calls } = bookThat((ids) => Effect.andThen(Deferred.await(gate), poisoned(ids)))
      const note = yield* makeRecordAttempts(book)
      const ids = ["first", "good", "bad", "fine"]
      const exits = yield* Effect.forkChild(concurrently(ids.map((id) => Effect.exit(note("wh_a", made(id))))), {
        startImmediately: true
      })
      yield* Deferred.succeed(gate, undefined)
      expect((yield* Fiber.join(exits)).map(({ _tag }) => _tag)).toEqual(["Success", "Success", "Failure", "Success"])
      expect(calls).toEqual([["first"], ["good", "bad", "fine"], ["good"], ["bad"], ["fine"]])
    })
  )

  it.effect("outlasts a store that is away for a moment, and whoever does not wait for it", () =>
    Effect.gen(function* () {
      const noted = yield* Deferred.make<void>()
      let tries = 0
      const { book, calls } = bookThat(() => {
        tries++
        if (tries < 3) return new StoreUnavailable({ retryAfterSeconds: 1 })
        return Effect.asVoid(Deferred.succeed(noted, undefined))
      })
      const note = yield* makeRecordAttempts(book)
      const impatient = yield* Effect.forkChild(note("wh_a", made("a")), { startImmediately: true })
      yield* Fiber.interrupt(impatient)
      yield* TestClock.adjust("1 second")
      yield* Deferred.await(noted)
      expect(calls).toEqual([["a"], ["a"], ["a"]])
    })
  )

  it.effect("notes an attempt once, though the answer of the store that it was noted is lost", () =>
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
      const note = yield* makeRecordAttempts({ transact })
      const noted = yield* Effect.forkChild(note(own.webhookId, { claimed, outcome: answered(500) }), {
        startImmediately: true
      })
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(noted)
      expect(isLost).toBe(false)
      expect(delivery(claimed.deliveryId)).toMatchObject({ state: "pending", attempts: [{ httpStatus: 500 }] })
      expect(delivery(claimed.deliveryId)?.attempts).toHaveLength(1)
      expect(subscription(own.webhookId)?.health.consecutiveFailures).toBe(1)
    }).pipe(Effect.provide(layer(scriptedSender(() => answered(500)).layer)))
  )

  it.effect("says so where the store stays away, and is ready for the next", () =>
    Effect.gen(function* () {
      let isAway = true
      const { book } = bookThat(() => (isAway ? new StoreUnavailable({ retryAfterSeconds: 1 }) : Effect.void))
      const note = yield* makeRecordAttempts(book)
      const refused = yield* Effect.forkChild(Effect.flip(note("wh_a", made("a"))), { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(refused)).toMatchObject({ _tag: "StoreUnavailable" })
      isAway = false
      yield* note("wh_a", made("a"))
    })
  )
})
