// When waiters time out, and what the queue retains of those that it removed.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { expect } from "vitest"
import { AdmissionQueue, makeAdmissionQueue, type Waiter } from "#adapters/concurrency/AdmissionQueue.ts"
import { property } from "#test/Property.ts"
import { retainedBytesPerCall } from "#test/RetainedMemory.ts"

it.effect("waiters time out between the maximum wait and a fifth of it later", () =>
  Effect.gen(function* () {
    const queue = yield* makeAdmissionQueue({ capacity: 10, maxWait: "1 second" })
    const timedOut: Array<string> = []
    const admit = (name: string) => Effect.sync(() => queue.admit({ refuse: () => void timedOut.push(name) }))
    yield* TestClock.adjust("199 millis")
    yield* admit("just before a tick")
    yield* TestClock.adjust("1 millis")
    yield* admit("just after a tick")
    yield* TestClock.adjust("999 millis")
    expect(timedOut).toEqual([])
    yield* TestClock.adjust("1 millis")
    expect(timedOut).toEqual(["just before a tick"])
    yield* TestClock.adjust("200 millis")
    expect(timedOut).toEqual(["just before a tick", "just after a tick"])
    expect(queue.size).toBe(0)
  })
)

const SIZE = 20

it("a removed waiter is not retained by those that were removed before it", () => {
  const queue = new AdmissionQueue({ capacity: SIZE, maxWaitMs: 0, nowMs: () => 0 })
  const waiters: Array<Waiter> = []
  const bytes = retainedBytesPerCall(() => {
    const payload = Array.from({ length: 100 }, (_, index) => index)
    const waiter = { refuse: () => void payload.pop() }
    if (queue.size === SIZE) for (const one of waiters.splice(0, 1)) queue.remove(one)
    queue.admit(waiter)
    waiters.push(waiter)
  })
  expect(queue.size).toBe(SIZE)
  expect(bytes).toBeLessThan(100)
})

/** A queue whose waiters are numbered in order of arrival; `refused` holds those that had no place, at once or later. */
const sharedQueue = (capacity: number) => {
  const queue = new AdmissionQueue({ capacity, maxWaitMs: 0, nowMs: () => 0 })
  const waiting = new Map<number, Waiter & { readonly account: string }>()
  const refused: Array<string> = []
  let arrived = 0
  const arrive = (account: string): void => {
    const number = arrived++
    const refuse = () => {
      waiting.delete(number)
      refused.push(account)
    }
    const waiter = { account, refuse }
    if (queue.admit(waiter)) waiting.set(number, waiter)
    else refused.push(account)
  }
  const held = (account: string): number => [...waiting.values()].filter((one) => one.account === account).length
  return { queue, waiting, refused, arrive, held }
}

it("a full queue of greedy accounts has a place for each other one, and none is refused that holds less than its share", () => {
  const { arrive, held, refused, queue } = sharedQueue(100)
  for (let n = 0; n < 440; n++) for (const greedy of ["a", "b", "c", "d", "e"]) arrive(greedy)
  expect(queue.size).toBe(100)
  for (let n = 0; n < 10; n++) arrive("bystander")
  expect(held("bystander")).toBe(10)
  expect(refused).not.toContain("bystander")
  expect(queue.size).toBe(100)
})

it("equal accounts are refused by turn of arrival, and no slot moves back and forth", () => {
  const { arrive, held, refused } = sharedQueue(4)
  for (const account of ["a", "a", "a", "a"]) arrive(account)
  for (const account of ["b", "b"]) arrive(account)
  expect([held("a"), held("b"), refused]).toEqual([2, 2, ["a", "a"]])
  for (const account of ["a", "b", "b", "a"]) arrive(account)
  expect([held("a"), held("b")]).toEqual([2, 2])
})

property(
  "an account that never holds more than its share is never refused, in any order of arrivals and departures",
  [fc.integer({ min: 4, max: 20 }), fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 300 })],
  (capacity, steps) => {
    const { arrive, held, refused, queue, waiting } = sharedQueue(capacity)
    const accounts = ["modest", "x", "y", "z"]
    const share = Math.floor(capacity / accounts.length)
    for (const step of steps) {
      const account = accounts[step % 4] ?? ""
      const [oldest] = waiting
      if (step === 9 && oldest !== undefined) {
        waiting.delete(oldest[0])
        queue.remove(oldest[1])
      } else if (account !== "modest" || held("modest") < share) arrive(account)
      expect(queue.size).toBe(waiting.size)
      expect(queue.size).toBeLessThanOrEqual(capacity)
    }
    expect(refused).not.toContain("modest")
  }
)
