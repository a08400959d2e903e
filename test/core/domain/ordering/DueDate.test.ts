// When a link is due, and whether it is overdue.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { byDueDate, dueAtMs, firstDueMs, isOverdue } from "#core/domain/ordering/DueDate.ts"
import { canCancel, type LinkStatus, STAGES } from "#core/domain/ordering/Link.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { property } from "#test/Property.ts"

const orderedMs = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) })
const days = fc.integer({ min: 0, max: 365 })
const status = fc.constantFrom<LinkStatus>(...STAGES, "cancelled")

const link = (atMs: number, turnaroundDays: number | null, now: LinkStatus) => ({
  turnaroundDays,
  status: now,
  // Later steps do not move the date.
  history: [
    { status: "to_assign" as const, atMs },
    { status: now, atMs: atMs + 5 * DAY_MS }
  ]
})

const at = (text: string) => Date.parse(text)

describe("a link is due", () => {
  it.each([
    ["over the beginning of summer time in Europe", "2027-03-26T23:30:00Z", 3, "2027-03-29T23:30:00.000Z"],
    ["over its end", "2026-10-23T22:30:00Z", 3, "2026-10-26T22:30:00.000Z"],
    ["over the beginning of summer time in America", "2027-03-13T06:59:59.999Z", 1, "2027-03-14T06:59:59.999Z"],
    ["over the end of a year", "2026-12-31T23:59:59.999Z", 14, "2027-01-14T23:59:59.999Z"],
    ["over a leap day", "2028-02-28T12:00:00Z", 2, "2028-03-01T12:00:00.000Z"],
    ["at once", "2026-12-31T23:59:59.999Z", 0, "2026-12-31T23:59:59.999Z"]
  ])("days of 24 hours after its order, %s", (_, ordered, turnaround, due) => {
    expect(new Date(dueAtMs(link(at(ordered), turnaround, "assigned")) ?? 0).toISOString()).toBe(due)
  })

  property("at no time, and is never overdue, where nothing was promised", [orderedMs, status], (atMs, now) => {
    expect(dueAtMs(link(atMs, null, now))).toBeNull()
    expect(isOverdue(link(atMs, null, now), Number.MAX_SAFE_INTEGER)).toBe(false)
  })

  property(
    "in the order of which those come first that are overdue, then the next; others as they were",
    [fc.array(fc.array(fc.tuple(orderedMs, fc.option(days), status), { maxLength: 3 }), { maxLength: 8 }), orderedMs],
    (drawn, nowMs) => {
      const orders = drawn.map((links, nth) => ({ nth, links: links.map((one) => link(...one)) }))
      const sorted = byDueDate(orders)
      expect(sorted.toSorted((one, other) => one.nth - other.nth)).toEqual(orders)
      const late = sorted.map(({ links }) => links.some((one) => isOverdue(one, nowMs)))
      expect(late).toEqual([...late.filter((one) => one), ...late.filter((one) => !one)])
      for (const [index, other] of sorted.slice(1).entries()) {
        const [before, after] = [firstDueMs(sorted[index]?.links ?? []), firstDueMs(other.links)]
        expect(before < after || (before === after && (sorted[index]?.nth ?? 0) < other.nth)).toBe(true)
      }
    }
  )

  property(
    "and overdue from the next millisecond on, as long as it can be cancelled",
    [orderedMs, days, status, fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -(10 ** 10), max: 10 ** 10 }))],
    (atMs, turnaround, now, after) => {
      const one = link(atMs, turnaround, now)
      const due = dueAtMs(one) ?? Number.NaN
      expect(due - atMs).toBe(turnaround * 24 * 3_600_000)
      expect(isOverdue(one, due + after)).toBe(after > 0 && canCancel(now))
    }
  )
})
