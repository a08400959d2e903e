// The sentence that tells a human how an order stands.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { utcDays } from "#adapters/contract/schema/Text.ts"
import { dueAtMs, isOverdue } from "#core/domain/ordering/DueDate.ts"
import { canCancel, type LinkStatus, STAGES } from "#core/domain/ordering/Link.ts"
import { orderSummary } from "#core/domain/ordering/OrderSummary.ts"
import { property } from "#test/Property.ts"

const ORDERED = Date.parse("2026-11-27T22:30:00Z")
const NOW = Date.parse("2026-11-30T00:00:00Z")

const link = (status: LinkStatus, turnaroundDays: number | null = 7) => ({
  status,
  turnaroundDays,
  history: [{ status: "to_assign" as const, atMs: ORDERED }]
})

const online = link("verified")
const published = link("published")
const waits = link("drafted")
const late = link("assigned", 2)
const later = link("assigned", 0)
const old = link("to_assign", null)
const gone = link("cancelled", 2)

describe("the summary of an order", () => {
  it.each([
    ["The link is online.", [online]],
    ["The link is due by 4 December 2026 (UTC).", [waits]],
    ["The link was due by 29 November 2026 (UTC) and is overdue.", [late]],
    ["The link is not online yet, without a due date.", [old]],
    ["The link was cancelled.", [gone]],
    ["All 3 links are online.", [online, published, online]],
    ["Both links are due by 4 December 2026 (UTC).", [waits, waits]],
    [
      "Neither link is online yet; the next is due by 4 December 2026 and the last by 11 December 2026 (UTC).",
      [link("drafted", 14), waits]
    ],
    [
      "None of 3 links is online yet; the next is due by 4 December 2026 and the last by 11 December 2026 (UTC).",
      [link("drafted", 14), waits, waits]
    ],
    [
      "1 of 3 links is online; 2 are due by 11 December 2026, the next by 4 December 2026 (UTC).",
      [link("drafted", 14), online, waits]
    ],
    ["Both links were due by 29 November 2026 (UTC) and are overdue.", [late, late]],
    ["Both links are overdue, the oldest since 27 November 2026 (UTC).", [late, later]],
    ["Both links are not online yet, without a due date.", [old, old]],
    ["All 20 links were cancelled.", Array.from({ length: 20 }, () => gone)],
    ["2 of 3 links are online; the third is due by 4 December 2026 (UTC).", [online, published, waits]],
    ["1 of 3 links is online; 2 are due by 4 December 2026 (UTC).", [waits, published, waits]],
    ["2 of 3 links are online; the first was cancelled.", [gone, online, online]],
    ["1 of 3 links is online; 2 were cancelled.", [gone, online, gone]],
    ["Neither link is online yet; the first is due by 4 December 2026 (UTC); the second was cancelled.", [waits, gone]],
    [
      "None of 3 links is online yet; the third was due by 29 November 2026 (UTC) and is overdue; 2 are due by 4 December 2026 (UTC).",
      [waits, waits, late]
    ],
    [
      "1 of 6 links is online; 2 are overdue, the oldest since 27 November 2026 (UTC); the fifth is due by 4 December 2026 (UTC); the fourth has no due date; the sixth was cancelled.",
      [late, online, later, old, waits, gone]
    ],
    [
      "18 of 20 links are online; the twentieth is due by 4 December 2026 (UTC); the first has no due date.",
      [old, ...Array.from({ length: 18 }, () => online), waits]
    ],
    ["1 of 3 links is online; 2 have no due date.", [old, online, old]]
  ])("says %j", (sentence, links) => {
    expect(orderSummary(links, NOW, utcDays)).toBe(sentence)
  })

  it("names the UTC day of a moment close to midnight, also in a new year", () => {
    const at = (ordered: string) => [
      { ...link("assigned", 3), history: [{ status: "to_assign" as const, atMs: Date.parse(ordered) }] }
    ]
    expect(orderSummary(at("2026-12-28T23:59:59.999Z"), NOW, utcDays)).toBe(
      "The link is due by 31 December 2026 (UTC)."
    )
    expect(orderSummary(at("2026-12-29T00:00:00Z"), NOW, utcDays)).toBe("The link is due by 1 January 2027 (UTC).")
  })

  const someLinks = fc.array(
    fc
      .tuple(
        fc.constantFrom<LinkStatus>(...STAGES, "cancelled"),
        fc.option(fc.integer({ min: 0, max: 30 })),
        fc.integer({ min: NOW - 10 ** 9, max: NOW })
      )
      .map(([status, turnaroundDays, atMs]) => ({ ...link(status, turnaroundDays), history: [{ status, atMs }] })),
    { minLength: 1, maxLength: 20 }
  )

  property("is one sentence that counts each link once, and says what is overdue", [someLinks], (links) => {
    const text = orderSummary(links, NOW, utcDays)
    expect(text).toMatch(/^[A-Z0-9][^.]*\.$/)
    expect(/overdue/.test(text)).toBe(links.some((one) => isOverdue(one, NOW)))
    expect(/is due by|are due/.test(text)).toBe(
      links.some((one) => canCancel(one.status) && dueAtMs(one) !== null && !isOverdue(one, NOW))
    )
    if (links.length === 1 || /^(?:All|Both) |; the next is /.test(text)) return
    const [head = "", ...clauses] = text.split("; ")
    const countIn = (clause: string) => Number(/^(\d+) /.exec(clause)?.[1] ?? 1)
    const counted = (/^N/.test(head) ? 0 : countIn(head)) + clauses.reduce((sum, clause) => sum + countIn(clause), 0)
    expect(counted).toBe(links.length)
  })
})
