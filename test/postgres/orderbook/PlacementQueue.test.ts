// Placements while their account's turn is taken, while the store is away and while it closes: everybody keeps the own seat and the
// own patience, is told once, and nobody is tried in vain. What they decide does not matter here, and so there is no database.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { queueFull } from "#adapters/postgres/database/AdmissionQueue.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { settled } from "../FakeDatabase.ts"
import { keys, outcomes, testPlacementQueue } from "./TestPlacementQueue.ts"

describe("placements", () => {
  it.effect("of an account whose turn is taken keep their seats, all that there are, and need no other", () =>
    Effect.gen(function* () {
      const { room, occupy, send } = yield* testPlacementQueue(Effect.succeed, { seats: 10 })
      const busy = yield* occupy("acc")
      const sent = yield* Effect.forEach(keys(10), (key) => send(key, "acc"))
      yield* settled
      expect(room.size).toBe(10)
      yield* busy.open
      expect(yield* outcomes(sent)).toEqual(keys(10))
      expect(room.size).toBe(0)
    })
  )

  it.effect("that find no seat are told so at once, and those who have one are made", () =>
    Effect.gen(function* () {
      const { occupy, order, send } = yield* testPlacementQueue(Effect.succeed, { seats: 2 })
      const busy = yield* occupy("acc")
      const seated = yield* Effect.forEach(keys(2), (key) => send(key, "acc"))
      expect(yield* Effect.flip(order("one too many", "acc"))).toBe(queueFull)
      yield* busy.open
      expect(yield* outcomes(seated)).toEqual(keys(2))
    })
  )

  it.effect("lose their own patience, and not that of whoever came before them", () =>
    Effect.gen(function* () {
      const { room, occupy, send } = yield* testPlacementQueue(Effect.succeed)
      const busy = yield* occupy("acc")
      const first = yield* send("first", "acc")
      yield* TestClock.adjust("900 millis")
      const last = yield* send("last", "acc")
      yield* TestClock.adjust("400 millis")
      expect(yield* outcomes([first])).toEqual([queueFull])
      expect(room.size).toBe(1)
      yield* busy.open
      expect(yield* outcomes([last])).toEqual(["last"])
      expect(room.size).toBe(0)
    })
  )

  it.effect("are not tried one after another where the store is away for the first of an account's", () =>
    Effect.gen(function* () {
      const { tried, send } = yield* testPlacementQueue((key) =>
        key.startsWith("locked") ? Effect.fail(unavailable) : Effect.succeed(key)
      )
      const locked = yield* Effect.forEach(["locked 1", "locked 2", "locked 3"], (key) => send(key, "acc_locked"))
      const free = yield* Effect.forEach(keys(3), (key) => send(key, "acc_free"))
      expect(yield* outcomes(locked)).toEqual([unavailable, unavailable, unavailable])
      expect(yield* outcomes(free)).toEqual(keys(3))
      expect(tried.toSorted()).toEqual([...keys(3), "locked 1"])
    })
  )

  it.effect("of an account that could not be served travel with nobody until it can be", () =>
    Effect.gen(function* () {
      const held = yield* Latch.make()
      let isLocked = true
      const { flown, send } = yield* testPlacementQueue((key) =>
        isLocked ? Effect.andThen(held.await, Effect.fail(unavailable)) : Effect.succeed(key)
      )
      const sent = [yield* send("first", "acc")]
      yield* settled
      // These wait for the account's next turns.
      sent.push(...(yield* Effect.forEach(["second", "third"], (key) => send(key, "acc"))))
      yield* held.open
      isLocked = false
      expect(yield* outcomes(sent)).toEqual([unavailable, "second", "third"])
      expect(flown).toEqual(["first"])
      expect(yield* outcomes([yield* send("fourth", "acc")])).toEqual(["fourth"])
      expect(flown).toEqual(["first", "fourth"])
    })
  )

  it.effect("of an account that could not be served go alone when they come again, too", () =>
    Effect.gen(function* () {
      let isLocked = true
      const { flown, order, send } = yield* testPlacementQueue((key) =>
        isLocked ? Effect.fail(unavailable) : Effect.succeed(key)
      )
      for (const key of keys(3)) expect(yield* Effect.flip(order(key, "acc"))).toBe(unavailable)
      isLocked = false
      expect(yield* outcomes([yield* send("served", "acc")])).toEqual(["served"])
      expect(flown).toEqual(["key 0"])
    })
  )

  it.effect("that nobody waits for any more are looked up nowhere", () =>
    Effect.gen(function* () {
      const { flown, occupy, send } = yield* testPlacementQueue(Effect.succeed)
      const busy = yield* occupy("acc")
      yield* Fiber.interrupt(yield* send("gone", "acc"))
      yield* busy.open
      yield* settled
      expect(flown).toEqual([])
    })
  )

  it.effect("do not hold up those of others who travelled with them", () =>
    Effect.gen(function* () {
      const held = yield* Latch.make()
      const { order, send } = yield* testPlacementQueue((key) =>
        key === "locked" ? Effect.as(held.await, key) : Effect.succeed(key)
      )
      const locked = yield* send("locked", "acc_locked")
      const free = yield* Effect.forEach(["a", "b", "c", "d"], (account) => send(account, account))
      expect(yield* outcomes(free)).toEqual(["a", "b", "c", "d"])
      for (const account of ["a", "b", "c", "d"]) expect(yield* order("again", account)).toBe("again")
      yield* held.open
      expect(yield* outcomes([locked])).toEqual(["locked"])
    })
  )

  it.effect("of somebody who gives up are not made, unless they are on their way", () =>
    Effect.gen(function* () {
      const held = yield* Latch.make()
      const { room, tried, send } = yield* testPlacementQueue((key) => Effect.as(held.await, key))
      const onItsWay = yield* send("on its way", "acc")
      yield* settled
      const waiting = yield* Effect.forEach(keys(2), (key) => send(key, "acc"))
      yield* settled
      for (const one of [onItsWay, ...waiting.slice(0, 1)]) yield* Fiber.interrupt(one)
      expect(room.size).toBe(1)
      yield* held.open
      expect(yield* outcomes(waiting.slice(1))).toEqual(["key 1"])
      expect(tried).toEqual(["on its way", "key 1"])
      expect(room.size).toBe(0)
    })
  )

  it.effect(
    "end before their store does: who waits for a turn is told, who has begun is served, who comes later is refused",
    () =>
      Effect.gen(function* () {
        const [held, heldLonger] = [yield* Latch.make(), yield* Latch.make()]
        const open = yield* Scope.make()
        const { room, order, send } = yield* Scope.provide(
          testPlacementQueue((key) =>
            key === "early" ? Effect.succeed(key) : Effect.as(key === "e" ? heldLonger.await : held.await, key)
          ),
          open
        )
        expect(yield* order("early", "a")).toBe("early")
        yield* settled
        const accounts = ["a", "b", "c", "d", "e"]
        const begun = yield* Effect.forEach(accounts, (account) => Effect.tap(send(account, account), settled))
        const waiting = yield* Effect.forEach(accounts, (account) => send(`later ${account}`, account))
        const closing = yield* Effect.forkChild(Scope.close(open, Exit.void), { startImmediately: true })
        expect(yield* outcomes(waiting)).toEqual(accounts.map(() => unavailable))
        expect(yield* Effect.flip(order("too late", "f"))).toBe(unavailable)
        yield* held.open
        yield* settled
        expect(closing.pollUnsafe()).toBeUndefined()
        yield* heldLonger.open
        expect(yield* outcomes(begun)).toEqual(accounts)
        yield* Fiber.join(closing)
        expect(room.size).toBe(0)
      })
  )
})
