// Full batches, batches of one account, and placements that run singly because their batch could not be written.
import { it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { describe, expect } from "vitest"
import { CONCURRENT_COMMITS } from "#adapters/postgres/database/Database.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { ORDERS_PER_BATCH } from "#adapters/postgres/ports/ordering/OrderBook.ts"
import { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { settled } from "../FakeDatabase.ts"
import { emptyShop, keys, outcomes, testLines, unreadable } from "./TestLines.ts"

describe("placements", () => {
  it.effect("fill a batch up to its maximum size, and so do those of one account", () =>
    Effect.gen(function* () {
      const released = yield* Latch.make()
      const { batches, lockAccount, send } = yield* testLines(Effect.succeed, {
        capacity: 200,
        load: Effect.andThen(released.await, unreadable)
      })
      const running = yield* Effect.forEach(keys(CONCURRENT_COMMITS), (one) => Effect.tap(send(one, one), settled))
      const accountBatches = [
        ["x", ORDERS_PER_BATCH - 24],
        ["y", 24],
        ["z", ORDERS_PER_BATCH + 1]
      ] as const
      const sent = yield* Effect.forEach(accountBatches, ([account, count]) =>
        Effect.gen(function* () {
          const lock = yield* lockAccount(account)
          const batch = yield* Effect.forEach(keys(count), (key) => send(`${key} of ${account}`, account))
          yield* lock.open
          yield* settled
          return batch
        })
      )
      yield* released.open
      yield* outcomes([...running, ...sent.flat()])
      expect(batches.map((names) => names.split(",").length)).toEqual([
        ...times(CONCURRENT_COMMITS, () => 1),
        ORDERS_PER_BATCH,
        ORDERS_PER_BATCH,
        1
      ])
    })
  )

  it.effect("that wait behind a batch of their account free their slots, and interrupted ones are dropped", () =>
    Effect.gen(function* () {
      const released = yield* Latch.make()
      const load = Effect.andThen(released.await, emptyShop)
      const { admission, decided, singles, send } = yield* testLines(Effect.succeed, { load })
      const sent = [yield* Effect.tap(send("first", "acc"), settled)]
      const gone = yield* send("gone", "acc")
      sent.push(...(yield* Effect.forEach(keys(2), (key) => send(key, "acc"))))
      yield* Fiber.interrupt(gone)
      yield* released.open
      expect(yield* outcomes(sent)).toEqual(["first", ...keys(2)])
      expect(decided).toEqual(["first", ...keys(2)])
      expect(singles).toEqual([])
      expect(admission.size).toBe(0)
    })
  )

  it.effect("of one account follow one another in batches of at most the maximum size", () =>
    Effect.gen(function* () {
      const released = yield* Latch.make()
      const load = Effect.andThen(released.await, emptyShop)
      const { batches, send } = yield* testLines(Effect.succeed, { capacity: 200, load })
      const first = yield* Effect.tap(send("first", "acc"), settled)
      const others = yield* Effect.forEach(keys(ORDERS_PER_BATCH + 1), (key) => send(key, "acc"))
      yield* released.open
      expect(yield* outcomes([first, ...others])).toEqual(["first", ...keys(ORDERS_PER_BATCH + 1)])
      expect(batches.map((names) => names.split(",").length)).toEqual([1, ORDERS_PER_BATCH, 1])
    })
  )

  it.effect("fail without a single run if the store is unavailable to load their books", () =>
    Effect.gen(function* () {
      const { singles, lockAccount, send } = yield* testLines(Effect.succeed, {
        load: Effect.fail(unavailable)
      })
      const lock = yield* lockAccount("acc")
      const sent = yield* Effect.forEach(keys(3), (key) => send(key, "acc"))
      yield* lock.open
      expect(yield* outcomes(sent)).toEqual([unavailable, unavailable, unavailable])
      expect(singles).toEqual([])
    })
  )

  it.effect("that cannot be written together run singly once, without those that were interrupted", () =>
    Effect.gen(function* () {
      const released = yield* Latch.make()
      const { singles, send } = yield* testLines(Effect.succeed, {
        load: Effect.andThen(released.await, unreadable)
      })
      const running = yield* Effect.forEach(keys(CONCURRENT_COMMITS), (one) => Effect.tap(send(one, one), settled))
      const waiting = yield* Effect.forEach(["x", "y"], (account) => Effect.tap(send(account, account), settled))
      yield* Effect.forEach(waiting.slice(1), Fiber.interrupt)
      yield* released.open
      yield* outcomes([...running, ...waiting.slice(0, 1)])
      yield* settled
      expect(singles.toSorted()).toEqual([...keys(CONCURRENT_COMMITS), "x"])
    })
  )

  it.effect("that run singly are refused one by one", () =>
    Effect.gen(function* () {
      const refusal = new QuoteNotFound({ quoteId: QuoteId.make("q") })
      const { lockAccount, send } = yield* testLines((key) =>
        key === "key 0" ? Effect.fail(refusal) : Effect.succeed(key)
      )
      const lock = yield* lockAccount("acc")
      const sent = yield* Effect.forEach(keys(3), (key) => send(key, "acc"))
      yield* lock.open
      expect(yield* outcomes(sent)).toEqual([refusal, "key 1", "key 2"])
    })
  )

  it.effect("of a quarantined account free their slots, and interrupted ones are dropped", () =>
    Effect.gen(function* () {
      const { admission, batches, singles, lockAccount, order, send } = yield* testLines((key) =>
        key === "failing" ? Effect.fail(unavailable) : Effect.succeed(key)
      )
      expect(yield* Effect.flip(order("failing", "acc"))).toBe(unavailable)
      const all = yield* lockAccount("acc")
      yield* Fiber.interrupt(yield* send("gone", "acc"))
      yield* all.open
      yield* settled
      const some = yield* lockAccount("acc")
      const [gone, stays] = [yield* send("gone, too", "acc"), yield* send("stays", "acc")]
      yield* Fiber.interrupt(gone)
      yield* some.open
      expect(yield* outcomes([stays])).toEqual(["stays"])
      expect(singles).toEqual(["failing", "stays"])
      expect(batches).toEqual(["failing"])
      expect(admission.size).toBe(0)
    })
  )

  it.effect(
    "of at most a thousand accounts are quarantined: the account that failed longest ago is batched again",
    () =>
      Effect.gen(function* () {
        const { batches, order } = yield* testLines(() => Effect.fail(unavailable))
        const accounts = keys(1_001)
        for (const account of accounts) yield* Effect.flip(order(account, account))
        for (const account of accounts.slice(1, 3)) yield* Effect.flip(order("latest", account))
        yield* Effect.flip(order("oldest", "key 0"))
        expect(batches.slice(accounts.length)).toEqual(["oldest"])
      })
  )
})
