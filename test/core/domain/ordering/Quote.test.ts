// When a quote is open, when it expires, and how long its link can be paid.
import { describe, expect, it } from "vitest"
import { hasExpired, isOpen, payableUrl, type Quote } from "#core/domain/ordering/Quote.ts"
import { given, NOON, orderBy, QUOTE_TTL_MS } from "#test/core/Given.ts"
import { placed } from "#test/core/RunDecision.ts"

const URL = "https://pay.example/1"
const { quote } = placed(given(), orderBy("key_poor")).reply
const waiting: Quote = { ...quote, paymentUrl: URL }
const ENDS = NOON + QUOTE_TTL_MS

describe("a quote", () => {
  it.each<readonly [string, Quote, number, boolean, boolean, string | null]>([
    ["new", waiting, NOON, true, false, URL],
    ["in its last millisecond", waiting, ENDS - 1, true, false, URL],
    ["at its end", waiting, ENDS, true, true, null],
    ["without a link yet", quote, NOON, true, false, null],
    ["paid", { ...waiting, status: "paid" }, NOON, false, false, null],
    ["paid long ago", { ...waiting, status: "paid" }, ENDS, false, false, null],
    ["abandoned", { ...waiting, status: "abandoned" }, NOON, false, false, null]
  ])("%s", (_, one, nowMs, open, expired, url) => {
    expect([isOpen(one), hasExpired(one, nowMs), payableUrl(one, nowMs)]).toEqual([open, expired, url])
  })
})
