// Removed waiters are garbage.
import { expect, it } from "vitest"
import { AdmissionQueue, type Waiter } from "#adapters/postgres/database/AdmissionQueue.ts"
import { retainedBytesPerCall } from "../../RetainedMemory.ts"

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
