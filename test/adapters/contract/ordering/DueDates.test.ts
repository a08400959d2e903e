// Days and dates on the wire: as the quote promised them, and none in quotes and orders from before such promises.
import { describe, expect, it } from "vitest"
import { showLink, showOrderRecord } from "#adapters/contract/ordering/Orders.ts"
import { showQuote } from "#adapters/contract/ordering/Quotes.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { given, item, NOON, orderBy } from "#test/core/Given.ts"
import { orderOver } from "#test/core/InvoiceGiven.ts"
import { placed } from "#test/core/RunDecision.ts"

const placedBy = { kind: "member", id: null } as const

describe("a link on the wire", () => {
  const { order, links } = orderOver([500, 700], { turnaroundDays: 3 })

  it("has the date that was promised, and whether it is over as of the response", () => {
    const [first] = showOrderRecord({ order, links, placedBy }, NOON + 3 * DAY_MS).items
    expect(first).toMatchObject({ due_at: "2026-05-07T12:00:00.000Z", overdue: false })
    const [later] = showOrderRecord({ order, links, placedBy }, NOON + 3 * DAY_MS + 1).items
    expect(later).toMatchObject({ due_at: "2026-05-07T12:00:00.000Z", overdue: true })
  })

  it("has none in an order from before promises, and is never overdue", () => {
    const old = orderOver([500]).links.map((link) => showLink(link, placedBy, NOON + 999 * DAY_MS))
    expect(old).toMatchObject([{ due_at: null, overdue: false }])
  })
})

describe("a quote on the wire", () => {
  const { quote } = placed(given(), orderBy("key_poor", { items: [item(), item({ siteId: 3, tier2Links: 1 })] })).reply
  const linesOf = (lines: typeof quote.lines) =>
    showQuote({ quote: { ...quote, lines }, order: null, approvalUrl: null, placedBy, asOfMs: NOON }).lines

  it("has the price and the days of each of its lines, in their order", () => {
    expect(linesOf(quote.lines)).toEqual([
      { site_id: 1, price_eur: 5, turnaround_days: 3 },
      { site_id: 3, price_eur: 34, turnaround_days: 14 }
    ])
  })

  it("has no days where they were not promised", () => {
    const old = quote.lines.map(({ turnaroundDays: _, ...line }) => line)
    expect(linesOf(old).map(({ turnaround_days }) => turnaround_days)).toEqual([null, null])
  })
})
