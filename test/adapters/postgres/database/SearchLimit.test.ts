// How many searches may run at once, before, while and after orders are committed.
import { expect, it } from "vitest"
import { SearchLimit } from "#adapters/postgres/database/SearchLimit.ts"

it("searches run one at a time from a commit until no other has come for a tenth of a second", () => {
  let nowMs = 5_000
  const limit = new SearchLimit(24, () => nowMs)
  expect(limit.inFlight).toBe(24)
  for (const pauseMs of [0, 99, 99]) {
    nowMs += pauseMs
    expect(limit.inFlight).toBe(pauseMs === 0 ? 24 : 1)
    limit.recordCommit()
    expect(limit.inFlight).toBe(1)
  }
  nowMs += 100
  expect(limit.inFlight).toBe(24)
})
