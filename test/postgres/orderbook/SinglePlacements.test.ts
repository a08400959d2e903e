// Placements that fill their flight, that follow it, and that could not be made together: each is made once, and only for whoever still
// waits.
import { it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { describe, expect } from "vitest"
import { MAX_BATCH_SIZE, MAX_CONCURRENT_BATCHES } from "#adapters/postgres/database/Batcher.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { QuoteNotFound } from "#core/domain/Refusal.ts"
import { times } from "#test/ports/StoreSuite.ts"
import { settled } from "../FakeDatabase.ts"
import { emptyShop, keys, outcomes, testPlacementQueue, unreadable } from "./TestPlacementQueue.ts"

describe("placements", () => {
  it.effect("fill a flight to the last seat, and no more go with it, nor of one account", () =>
    Effect.gen(function* () {
      const ground = yield* Latch.make()
      const { flown, occupy, send } = yield* testPlacementQueue(Effect.succeed, {
        seats: 200,
        look: Effect.andThen(ground.await, unreadable)
      })
      const flying = yield* Effect.forEach(keys(MAX_CONCURRENT_BATCHES), (one) => Effect.tap(send(one, one), settled))
      const parties = [
        ["x", MAX_BATCH_SIZE - 24],
        ["y", 24],
        ["z", MAX_BATCH_SIZE + 1]
      ] as const
      const sent = yield* Effect.forEach(parties, ([account, count]) =>
        Effect.gen(function* () {
          const busy = yield* occupy(account)
          const party = yield* Effect.forEach(keys(count), (key) => send(`${key} of ${account}`, account))
          yield* busy.open
          yield* settled
          return party
        })
      )
      yield* ground.open
      yield* outcomes([...flying, ...sent.flat()])
      expect(flown.map((names) => names.split(",").length)).toEqual([
        ...times(MAX_CONCURRENT_BATCHES, () => 1),
        MAX_BATCH_SIZE,
        MAX_BATCH_SIZE,
        1
      ])
    })
  )

  it.effect("that follow those on their way leave their seats, and none goes with them who has given up", () =>
    Effect.gen(function* () {
      const ground = yield* Latch.make()
      const look = Effect.andThen(ground.await, emptyShop)
      const { room, decided, tried, send } = yield* testPlacementQueue(Effect.succeed, { look })
      const sent = [yield* Effect.tap(send("first", "acc"), settled)]
      const gone = yield* send("gone", "acc")
      sent.push(...(yield* Effect.forEach(keys(2), (key) => send(key, "acc"))))
      yield* Fiber.interrupt(gone)
      yield* ground.open
      expect(yield* outcomes(sent)).toEqual(["first", ...keys(2)])
      expect(decided).toEqual(["first", ...keys(2)])
      expect(tried).toEqual([])
      expect(room.size).toBe(0)
    })
  )

  it.effect("that follow those on their way are no more than fill a flight", () =>
    Effect.gen(function* () {
      const ground = yield* Latch.make()
      const look = Effect.andThen(ground.await, emptyShop)
      const { flown, send } = yield* testPlacementQueue(Effect.succeed, { seats: 200, look })
      const first = yield* Effect.tap(send("first", "acc"), settled)
      const others = yield* Effect.forEach(keys(MAX_BATCH_SIZE + 1), (key) => send(key, "acc"))
      yield* ground.open
      expect(yield* outcomes([first, ...others])).toEqual(["first", ...keys(MAX_BATCH_SIZE + 1)])
      expect(flown.map((names) => names.split(",").length)).toEqual([1, MAX_BATCH_SIZE, 1])
    })
  )

  it.effect("that could not be looked up because the store is away are told so, and not tried alone", () =>
    Effect.gen(function* () {
      const { tried, occupy, send } = yield* testPlacementQueue(Effect.succeed, { look: Effect.fail(unavailable) })
      const busy = yield* occupy("acc")
      const sent = yield* Effect.forEach(keys(3), (key) => send(key, "acc"))
      yield* busy.open
      expect(yield* outcomes(sent)).toEqual([unavailable, unavailable, unavailable])
      expect(tried).toEqual([])
    })
  )

  it.effect("that could not be made together are made alone once, whoever travelled with them and has given up", () =>
    Effect.gen(function* () {
      const ground = yield* Latch.make()
      const { tried, send } = yield* testPlacementQueue(Effect.succeed, {
        look: Effect.andThen(ground.await, unreadable)
      })
      const flying = yield* Effect.forEach(keys(MAX_CONCURRENT_BATCHES), (one) => Effect.tap(send(one, one), settled))
      const waiting = yield* Effect.forEach(["x", "y"], (account) => Effect.tap(send(account, account), settled))
      yield* Effect.forEach(waiting.slice(1), Fiber.interrupt)
      yield* ground.open
      yield* outcomes([...flying, ...waiting.slice(0, 1)])
      yield* settled
      expect(tried.toSorted()).toEqual([...keys(MAX_CONCURRENT_BATCHES), "x"])
    })
  )

  it.effect("that are refused alone are refused for themselves", () =>
    Effect.gen(function* () {
      const refusal = new QuoteNotFound({ quoteId: "q" })
      const { occupy, send } = yield* testPlacementQueue((key) =>
        key === "key 0" ? Effect.fail(refusal) : Effect.succeed(key)
      )
      const busy = yield* occupy("acc")
      const sent = yield* Effect.forEach(keys(3), (key) => send(key, "acc"))
      yield* busy.open
      expect(yield* outcomes(sent)).toEqual([refusal, "key 1", "key 2"])
    })
  )

  it.effect("of an account that could not be served leave their seats, and are not made for who has given up", () =>
    Effect.gen(function* () {
      const { room, flown, tried, occupy, order, send } = yield* testPlacementQueue((key) =>
        key === "unserved" ? Effect.fail(unavailable) : Effect.succeed(key)
      )
      expect(yield* Effect.flip(order("unserved", "acc"))).toBe(unavailable)
      const all = yield* occupy("acc")
      yield* Fiber.interrupt(yield* send("gone", "acc"))
      yield* all.open
      yield* settled
      const some = yield* occupy("acc")
      const [gone, stays] = [yield* send("gone, too", "acc"), yield* send("stays", "acc")]
      yield* Fiber.interrupt(gone)
      yield* some.open
      expect(yield* outcomes([stays])).toEqual(["stays"])
      expect(tried).toEqual(["unserved", "stays"])
      expect(flown).toEqual(["unserved"])
      expect(room.size).toBe(0)
    })
  )

  it.effect("of so many accounts are remembered as unserved, the latest: the oldest travels with others again", () =>
    Effect.gen(function* () {
      const { flown, order } = yield* testPlacementQueue(() => Effect.fail(unavailable))
      const accounts = keys(1_001)
      for (const account of accounts) yield* Effect.flip(order(account, account))
      for (const account of accounts.slice(1, 3)) yield* Effect.flip(order("latest", account))
      yield* Effect.flip(order("oldest", "key 0"))
      expect(flown.slice(accounts.length)).toEqual(["oldest"])
    })
  )
})
