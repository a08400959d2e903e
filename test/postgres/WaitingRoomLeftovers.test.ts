// Who waited, and was served, is forgotten.
import { expect, it } from "vitest"
import { type Guest, WaitingRoom } from "#adapters/postgres/WaitingRoom.ts"
import { leftBehindBy } from "../Leftovers.ts"

const AT_ONCE = 20

it("a guest who has left is not kept by those who left before", () => {
  const room = new WaitingRoom(AT_ONCE)
  const guests: Array<Guest> = []
  const bytes = leftBehindBy(() => {
    const luggage = Array.from({ length: 100 }, (_, index) => index)
    const guest = { tire: () => void luggage.pop() }
    if (room.taken === AT_ONCE) for (const one of guests.splice(0, 1)) room.leave(one)
    room.enter(guest)
    guests.push(guest)
  })
  expect(room.taken).toBe(AT_ONCE)
  expect(bytes).toBeLessThan(100)
})
