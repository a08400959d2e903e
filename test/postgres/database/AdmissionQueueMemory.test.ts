// Who waited, and was served, is forgotten.
import { expect, it } from "vitest"
import { AdmissionQueue, type Waiter } from "#adapters/postgres/database/AdmissionQueue.ts"
import { leftBehindBy } from "../../Leftovers.ts"

const AT_ONCE = 20

it("a guest who has left is not kept by those who left before", () => {
  const room = new AdmissionQueue(AT_ONCE)
  const guests: Array<Waiter> = []
  const bytes = leftBehindBy(() => {
    const luggage = Array.from({ length: 100 }, (_, index) => index)
    const guest = { timeOut: () => void luggage.pop() }
    if (room.size === AT_ONCE) for (const one of guests.splice(0, 1)) room.remove(one)
    room.admit(guest)
    guests.push(guest)
  })
  expect(room.size).toBe(AT_ONCE)
  expect(bytes).toBeLessThan(100)
})
