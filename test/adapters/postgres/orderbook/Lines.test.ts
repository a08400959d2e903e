// Placements of locked accounts, of an unavailable store and of a store that closes: each keeps its slot and its time limit, and is answered
// once.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, type Result, Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { queueFull, unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { settled } from "../FakeDatabase.ts"
import { emptyShop, keys, outcomes, testLines } from "./TestLines.ts"

describe("placements", () => {
  it.effect("of a locked account keep their slots, and need no others once they run", () =>
    Effect.gen(function* () {
      const { admission, lockAccount, send } = yield* testLines(Effect.succeed, { capacity: 10 })
      const lock = yield* lockAccount("acc")
      const sent = yield* Effect.forEach(keys(10), (key) => send(key, "acc"))
      yield* settled
      expect(admission.size).toBe(10)
      yield* lock.open
      expect(yield* outcomes(sent)).toEqual(keys(10))
      expect(admission.size).toBe(0)
    })
  )

  it.effect("are refused at once when the admission queue is full, while those in it are placed", () =>
    Effect.gen(function* () {
      const { lockAccount, order, send } = yield* testLines(Effect.succeed, { capacity: 2 })
      const lock = yield* lockAccount("acc")
      const admitted = yield* Effect.forEach(keys(2), (key) => send(key, "acc"))
      expect(yield* Effect.flip(order("one too many", "acc"))).toBe(queueFull)
      yield* lock.open
      expect(yield* outcomes(admitted)).toEqual(keys(2))
    })
  )

  it.effect("time out one by one, each after its own wait", () =>
    Effect.gen(function* () {
      const { admission, lockAccount, send } = yield* testLines(Effect.succeed)
      const lock = yield* lockAccount("acc")
      const first = yield* send("first", "acc")
      yield* TestClock.adjust("900 millis")
      const last = yield* send("last", "acc")
      yield* TestClock.adjust("400 millis")
      expect(yield* outcomes([first])).toEqual([queueFull])
      expect(admission.size).toBe(1)
      yield* lock.open
      expect(yield* outcomes([last])).toEqual(["last"])
      expect(admission.size).toBe(0)
    })
  )

  it.effect("of one account all fail once the store is unavailable for the first of them", () =>
    Effect.gen(function* () {
      const { singles, send } = yield* testLines((key) =>
        key.startsWith("locked") ? Effect.fail(unavailable) : Effect.succeed(key)
      )
      const locked = yield* Effect.forEach(["locked 1", "locked 2", "locked 3"], (key) => send(key, "acc_locked"))
      const free = yield* Effect.forEach(keys(3), (key) => send(key, "acc_free"))
      expect(yield* outcomes(locked)).toEqual([unavailable, unavailable, unavailable])
      expect(yield* outcomes(free)).toEqual(keys(3))
      expect(singles.toSorted()).toEqual([...keys(3), "locked 1"])
    })
  )

  it.effect("of an account that failed run singly until one succeeds", () =>
    Effect.gen(function* () {
      const held = yield* Latch.make()
      let isLocked = true
      const { batches, send } = yield* testLines((key) =>
        isLocked ? Effect.andThen(held.await, Effect.fail(unavailable)) : Effect.succeed(key)
      )
      const sent = [yield* send("first", "acc")]
      yield* settled
      // These wait for the next batches of the account.
      sent.push(...(yield* Effect.forEach(["second", "third"], (key) => send(key, "acc"))))
      yield* held.open
      isLocked = false
      expect(yield* outcomes(sent)).toEqual([unavailable, "second", "third"])
      expect(batches).toEqual(["first"])
      expect(yield* outcomes([yield* send("fourth", "acc")])).toEqual(["fourth"])
      expect(batches).toEqual(["first", "fourth"])
    })
  )

  it.effect("of an account that failed run singly even after its queue was empty", () =>
    Effect.gen(function* () {
      let isLocked = true
      const { batches, order, send } = yield* testLines((key) =>
        isLocked ? Effect.fail(unavailable) : Effect.succeed(key)
      )
      for (const key of keys(3)) expect(yield* Effect.flip(order(key, "acc"))).toBe(unavailable)
      isLocked = false
      expect(yield* outcomes([yield* send("served", "acc")])).toEqual(["served"])
      expect(batches).toEqual(["key 0"])
    })
  )

  it.effect("that were interrupted are not loaded", () =>
    Effect.gen(function* () {
      const { batches, lockAccount, send } = yield* testLines(Effect.succeed)
      const lock = yield* lockAccount("acc")
      yield* Fiber.interrupt(yield* send("gone", "acc"))
      yield* lock.open
      yield* settled
      expect(batches).toEqual([])
    })
  )

  it.effect("that run singly do not delay other accounts of their batch", () =>
    Effect.gen(function* () {
      const held = yield* Latch.make()
      const { order, send } = yield* testLines((key) =>
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

  it.effect("that are interrupted are dropped, unless they have started", () =>
    Effect.gen(function* () {
      const held = yield* Latch.make()
      const { admission, singles, send } = yield* testLines((key) => Effect.as(held.await, key))
      const started = yield* send("started", "acc")
      yield* settled
      const waiting = yield* Effect.forEach(keys(2), (key) => send(key, "acc"))
      yield* settled
      for (const one of [started, ...waiting.slice(0, 1)]) yield* Fiber.interrupt(one)
      expect(admission.size).toBe(1)
      yield* held.open
      expect(yield* outcomes(waiting.slice(1))).toEqual(["key 1"])
      expect(singles).toEqual(["started", "key 1"])
      expect(admission.size).toBe(0)
    })
  )

  it.effect("end before their store does: started ones complete, waiting and later ones fail", () =>
    Effect.gen(function* () {
      const [held, heldLonger] = [yield* Latch.make(), yield* Latch.make()]
      const open = yield* Scope.make()
      const { admission, order, send } = yield* Scope.provide(
        testLines((key) =>
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
      expect(admission.size).toBe(0)
    })
  )

  describe("beside a batch that runs", () => {
    /** Sends placements of two accounts, whose batch runs until the latch is opened. */
    const twoRun = Effect.gen(function* () {
      const running = yield* Latch.make()
      const line = yield* testLines(Effect.succeed, { load: Effect.andThen(running.await, emptyShop) })
      // Before the line ends, which waits for its batches.
      yield* Effect.addFinalizer(() => running.open)
      const sent = yield* Effect.forEach(["a", "b"], (account) => line.send(account, account))
      yield* settled
      expect(line.batches).toEqual(["a,b"])
      const answered = (later: ReadonlyArray<Fiber.Fiber<Result.Result<string, unknown>>>) =>
        Effect.andThen(running.open, outcomes([...sent, ...later]))
      return { ...line, answered }
    })

    it.effect("gather until they are of as many accounts", () =>
      Effect.gen(function* () {
        const { batches, send, answered } = yield* twoRun
        const later = [yield* send("c", "c")]
        yield* settled
        expect(batches).toEqual(["a,b"])
        later.push(yield* send("d", "d"))
        yield* settled
        expect(batches).toEqual(["a,b", "c,d"])
        expect(yield* answered(later)).toEqual(["a", "b", "c", "d"])
      })
    )

    it.effect("gather until it ends", () =>
      Effect.gen(function* () {
        const { batches, send, answered } = yield* twoRun
        expect(yield* answered([yield* send("c", "c")])).toEqual(["a", "b", "c"])
        expect(batches).toEqual(["a,b", "c"])
      })
    )

    it.effect("gather for 50 milliseconds if it is held up", () =>
      Effect.gen(function* () {
        const { batches, send, answered } = yield* twoRun
        const later = [yield* send("c", "c")]
        yield* TestClock.adjust("49 millis")
        yield* settled
        expect(batches).toEqual(["a,b"])
        yield* TestClock.adjust("1 millis")
        yield* settled
        expect(batches).toEqual(["a,b", "c"])
        expect(yield* answered(later)).toEqual(["a", "b", "c"])
      })
    )
  })
})
