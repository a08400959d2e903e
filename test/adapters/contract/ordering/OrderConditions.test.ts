// The conditions of an order list as its query states them: a date is its whole day in UTC, to the millisecond.
import { describe, expect, it } from "vitest"
import { readConditions } from "#adapters/contract/ordering/OrdersQuery.ts"

const DAY = Date.UTC(2026, 10, 21)

describe("the conditions of an order list", () => {
  it("begin with the first millisecond of a date and end with its last", () => {
    expect(readConditions({ created_from: "2026-11-21", created_to: "2026-11-21" })).toEqual({
      createdFromMs: DAY,
      createdToMs: Date.UTC(2026, 10, 22) - 1
    })
  })

  it("take a time as it is", () => {
    const time = "2026-11-21T09:00:00Z"
    const atMs = DAY + 9 * 3_600_000
    expect(readConditions({ created_from: time, created_to: time })).toEqual({ createdFromMs: atMs, createdToMs: atMs })
  })

  it("are none without a query", () => {
    expect(readConditions({})).toEqual({})
  })
})
