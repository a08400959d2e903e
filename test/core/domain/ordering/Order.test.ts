// The status of an order, derived from its links, compared with the four rules applied one after the other.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { LinkStatus } from "#core/domain/ordering/Link.ts"
import { creditedCents, orderStatus, publishedCount } from "#core/domain/ordering/Order.ts"
import { cents } from "#test/core/Arbitraries.ts"
import { property } from "#test/Property.ts"

const status = fc.constantFrom<LinkStatus>(
  "to_assign",
  "assigned",
  "drafted",
  "in_review",
  "approved",
  "published",
  "verified",
  "cancelled"
)
const someLinks = fc.array(fc.record({ status, netCents: cents, history: fc.constant([]) }), {
  minLength: 1,
  maxLength: 20
})

const online = ["published", "verified"]
const begun = ["drafted", "in_review", "approved", "published", "verified"]

const byTheRules = (all: ReadonlyArray<LinkStatus>): string => {
  if (!all.some((one) => one !== "cancelled")) return "cancelled"
  if (!all.some((one) => one !== "cancelled" && !online.includes(one))) return "completed"
  return all.some((one) => begun.includes(one)) ? "in_progress" : "paid"
}

describe("an order", () => {
  it.each<readonly [string, ReadonlyArray<LinkStatus>]>([
    ["paid", ["to_assign"]],
    ["paid", ["to_assign", "assigned", "cancelled"]],
    ["in_progress", ["to_assign", "drafted"]],
    ["in_progress", ["to_assign", "published"]],
    ["in_progress", ["in_review"]],
    ["in_progress", ["approved", "verified", "cancelled"]],
    ["completed", ["published", "verified"]],
    ["completed", ["cancelled", "published"]],
    ["cancelled", ["cancelled", "cancelled"]]
  ])("is %s with %j", (expected, all) => {
    expect(orderStatus(all.map((one) => ({ status: one })))).toBe(expected)
  })

  property("has the status its links give it", [someLinks], (links) => {
    expect(orderStatus(links)).toBe(byTheRules(links.map((link) => link.status)))
  })

  property("counts online links and what cancelled links credited, in any order", [someLinks], (links) => {
    let published = 0
    let credited = 0
    for (const link of links) {
      if (online.includes(link.status)) published++
      if (link.status === "cancelled") credited += link.netCents
    }
    expect(publishedCount(links)).toBe(published)
    expect(creditedCents(links)).toBe(credited)
    expect([orderStatus(links.toReversed()), publishedCount(links.toReversed())]).toEqual([
      orderStatus(links),
      published
    ])
  })
})
