// Who goes through a gate, and when: so many at once, the others in line as they came, and no place is lost or taken twice, whoever
// gives up, loses patience or fails.
import { it } from "@effect/vitest"
import { Effect, Fiber, Latch, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { makeAdmissionQueue, queueFull } from "#adapters/postgres/database/AdmissionQueue.ts"
import { type Admission, KeyedMutex, Semaphore, skipAdmission } from "#adapters/postgres/database/Semaphore.ts"
import { settled } from "../FakeDatabase.ts"

/** Visitors who stay inside until they are called out, by name, and a list of who went in, and whether they had to wait. */
const door = Effect.fnUntraced(function* (width: number, seats = 100) {
  const room = yield* makeAdmissionQueue({ capacity: seats, maxWait: "1 second" })
  const gate = new Semaphore(room, width)
  const lanes = new KeyedMutex(room)
  const entered: Array<string> = []
  const stays = new Map<string, Latch.Latch>()
  const stay = (name: string, latch: Latch.Latch) => (waited: boolean) => {
    entered.push(waited ? `${name}, who waited` : name)
    return Effect.as(latch.await, name)
  }
  const visit = Effect.fnUntraced(function* (name: string, { key, as }: { key?: string; as?: Admission } = {}) {
    const latch = yield* Latch.make()
    stays.set(name, latch)
    const work = stay(name, latch)
    const passing = key === undefined ? gate.run(work, as) : lanes.run(key, work, as)
    return yield* Effect.forkChild(Effect.result(passing), { startImmediately: true })
  })
  const callOut = (name: string) => stays.get(name)?.open ?? Effect.die(`${name} never came`)
  return { room, gate, entered, visit, callOut }
})

describe("a gate", () => {
  it.effect("lets in so many at once and the others as they came, each when somebody leaves", () =>
    Effect.gen(function* () {
      const { room, gate, entered, visit, callOut } = yield* door(2)
      const visitors = yield* Effect.forEach(["a", "b", "c", "d"], (name) => visit(name))
      expect(entered).toEqual(["a", "b"])
      expect([gate.waiting, room.size]).toEqual([2, 2])
      for (const name of ["b", "c", "a", "d"]) yield* Effect.andThen(callOut(name), settled)
      expect(entered).toEqual(["a", "b", "c, who waited", "d, who waited"])
      expect(yield* Fiber.joinAll(visitors)).toEqual(["a", "b", "c", "d"].map(Result.succeed))
      expect([gate.isIdle, room.size]).toEqual([true, 0])
    })
  )

  it.effect("sends away at once whoever finds no seat, but for those who come for the seated", () =>
    Effect.gen(function* () {
      const { room, entered, visit, callOut } = yield* door(1, 1)
      yield* visit("a")
      yield* visit("b")
      expect(yield* Fiber.join(yield* visit("c"))).toEqual(Result.fail(queueFull))
      yield* visit("d", { as: skipAdmission })
      expect(room.size).toBe(1)
      yield* Effect.andThen(callOut("a"), settled)
      yield* Effect.andThen(callOut("b"), settled)
      expect(entered).toEqual(["a", "b, who waited", "d, who waited"])
    })
  )

  it.effect("sends away whoever waits in vain, and never comes back to them", () =>
    Effect.gen(function* () {
      const { gate, entered, visit, callOut } = yield* door(1)
      yield* visit("a")
      const tired = yield* visit("b")
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(tired)).toEqual(Result.fail(queueFull))
      expect(gate.waiting).toBe(0)
      yield* visit("c")
      yield* Effect.andThen(callOut("a"), settled)
      expect(entered).toEqual(["a", "c, who waited"])
    })
  )

  it.effect("passes on the place of whoever gives up, inside or in line", () =>
    Effect.gen(function* () {
      const { gate, room, entered, visit } = yield* door(1)
      const inside = yield* visit("a")
      const inLine = yield* visit("b")
      const next = yield* visit("c")
      yield* visit("d")
      for (const one of [inLine, inside, next]) yield* Effect.andThen(Fiber.interrupt(one), settled)
      expect(entered).toEqual(["a", "c, who waited", "d, who waited"])
      expect([gate.waiting, room.size]).toEqual([0, 0])
      yield* visit("e")
      expect(gate.waiting).toBe(1)
    })
  )
})

describe("lanes", () => {
  it.effect("let one after another through with one key, also while others leave, and keep nobody else waiting", () =>
    Effect.gen(function* () {
      const { entered, visit, callOut } = yield* door(1)
      for (const name of ["a", "b"]) yield* visit(name, { key: "busy" })
      yield* visit("elsewhere", { key: "free" })
      yield* Effect.andThen(callOut("a"), settled)
      yield* visit("c", { key: "busy" })
      expect(entered).toEqual(["a", "elsewhere", "b, who waited"])
      yield* Effect.andThen(callOut("b"), settled)
      yield* Effect.andThen(callOut("c"), settled)
      yield* visit("d", { key: "busy" })
      expect(entered.slice(3)).toEqual(["c, who waited", "d"])
    })
  )
})
