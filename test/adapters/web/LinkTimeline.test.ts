// When a link is due, in people's words, on the page of its order.
import { expect, it } from "vitest"
import { linkSection } from "#adapters/web/LinkTimeline.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { NOON } from "#test/core/Given.ts"
import { orderOver } from "#test/core/InvoiceGiven.ts"

const DUE = NOON + 7 * DAY_MS

const shown = (over: Partial<Link>, nowMs = NOON): string =>
  orderOver([500], { turnaroundDays: 7, ...over })
    .links.map((link) => linkSection(link, nowMs).text)
    .join("")
    .replace(/<[^>]*>/g, "")

it("says by when a link will be online, and that it is overdue", () => {
  expect(shown({})).toContain("It will be online by Mon 11 May 2026, 12:00 UTC.")
  expect(shown({}, DUE)).toContain("It will be online by")
  expect(shown({}, DUE + 1)).toContain("It should have been online by Mon 11 May 2026, 12:00 UTC, and is overdue.")
})

it.each([
  ["nothing was promised", { turnaroundDays: null }],
  ["it is online", { status: "published" }],
  ["it is cancelled", { status: "cancelled" }]
] as const)("says nothing of it where %s", (_, over) => {
  expect(shown(over, DUE + 1)).not.toMatch(/online by|overdue/)
})
