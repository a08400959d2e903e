// When waiters time out, and what the queue retains of those that it removed.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { AdmissionQueue, makeAdmissionQueue, type Waiter } from "#adapters/postgres/database/AdmissionQueue.ts"
import { retainedBytesPerCall } from "../../RetainedMemory.ts"

it.effect("waiters time out between the maximum wait and a fifth of it later", () =>
  Effect.gen(function* () {
    const queue = yield* makeAdmissionQueue({ capacity: 10, maxWait: "1 second" })
    const timedOut: Array<string> = []
    const admit = (name: string) => Effect.sync(() => queue.admit({ timeOut: () => void timedOut.push(name) }))
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
  const queue = new AdmissionQueue(SIZE)
  const waiters: Array<Waiter> = []
  const bytes = retainedBytesPerCall(() => {
    const payload = Array.from({ length: 100 }, (_, index) => index)
    const waiter = { timeOut: () => void payload.pop() }
    if (queue.size === SIZE) for (const one of waiters.splice(0, 1)) queue.remove(one)
    queue.admit(waiter)
    waiters.push(waiter)
  })
  expect(queue.size).toBe(SIZE)
  expect(bytes).toBeLessThan(100)
})
