// Up to where a source is not examined again: never past an id that may still be committed, nor past the cancellation of an order that
// waits for its invoice.
import { describe, expect, it } from "vitest"
import { settledMark } from "#adapters/postgres/invoices/IssueTransaction.ts"
import { idPrefixAt } from "#core/domain/DecisionContext.ts"
import { NOON } from "#test/core/Given.ts"

/** An id of this many seconds before noon. */
const ago = (prefix: string, seconds: number): string => `${prefix}${idPrefixAt(NOON - seconds * 1_000)}00`
const state = (waitingOrder: string | null) => ({ nowMs: NOON, waitingOrder })

describe("the mark of a source", () => {
  it.each([
    ["orders", "ord_"],
    ["ledger", "led_"],
    ["refunds", "aud_"]
  ] as const)("of %s is what was reached, but not of the last half a minute", (source, prefix) => {
    expect(settledMark({ source, reached: ago(prefix, 60) }, state(null))).toBe(ago(prefix, 60))
    expect(settledMark({ source, reached: ago(prefix, 29) }, state(null))).toBe(`${prefix}${idPrefixAt(NOON - 30_000)}`)
  })

  it.each([
    ["ledger", "led_"],
    ["refunds", "aud_"]
  ] as const)("of %s does not pass the first order that waits for its invoice", (source, prefix) => {
    const reached = ago(prefix, 60)
    expect(settledMark({ source, reached }, state(ago("ord_", 90)))).toBe(ago(prefix, 90))
    expect(settledMark({ source, reached }, state(ago("ord_", 50)))).toBe(reached)
  })

  it("of orders is not held up by the orders themselves", () => {
    const reached = ago("ord_", 60)
    expect(settledMark({ source: "orders", reached }, state(ago("ord_", 90)))).toBe(reached)
  })
})
