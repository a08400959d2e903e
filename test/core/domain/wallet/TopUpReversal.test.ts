// What a refunded or disputed top-up gives back, and how it is shared between credit and debt.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ChargeId } from "#core/domain/shared/Ids.ts"
import { giveBack, reversedCentsDue, takeBack } from "#core/domain/wallet/TopUpReversal.ts"
import { cents } from "#test/core/Arbitraries.ts"
import { property } from "#test/Property.ts"

const [one, other] = [ChargeId.make("ch_1"), ChargeId.make("ch_2")]
const paid = { status: "paid", cents: 5_000 } as const
const told = (of: ChargeId, amount: number, state: "open" | "final" | "won" = "final") => ({
  ...{ chargeId: of, cents: amount, state }
})

const reversal = fc.record({
  chargeId: fc.constantFrom(one, other),
  cents: fc.integer({ min: 0, max: 9_000 }),
  state: fc.constantFrom("open", "final", "won")
})
const reversals = fc.array(reversal, { maxLength: 6 })

describe("what a top-up is to give back", () => {
  it.each([
    ["nothing before it is paid", { ...paid, status: "open" }, [told(one, 5_000)], 0],
    ["a part, if a part was refunded", paid, [told(one, 1_200)], 1_200],
    ["a dispute's amount from its beginning", paid, [told(one, 5_000, "open")], 5_000],
    ["nothing for a dispute that was won", paid, [told(one, 5_000, "won")], 0],
    ["a charge's refund and dispute once", paid, [told(one, 2_000), told(one, 5_000, "open")], 5_000],
    ["each of two charges", paid, [told(one, 5_000), told(other, 5_000)], 10_000]
  ] as const)("is %s", (_, topUp, notices, due) => expect(reversedCentsDue(topUp, notices)).toBe(due))

  property(
    "rises with every notice but a win, and never exceeds its charges",
    [reversals, reversal],
    (before, next) => {
      const due = reversedCentsDue(paid, before)
      const after = reversedCentsDue(paid, [...before, next])
      expect(after).toBeGreaterThanOrEqual(due)
      expect(after).toBeLessThanOrEqual(2 * paid.cents)
      if (next.state === "won") expect(after).toBe(due)
    }
  )
})

describe("taking back and giving back", () => {
  property("take no more than is free, and owe the rest", [cents, cents], (due, available) => {
    const { taken, owed } = takeBack(due, available)
    expect([taken + owed, taken <= available, taken === available || owed === 0]).toEqual([due, true, true])
  })

  property(
    "undo each other, whatever of the debt was paid meanwhile",
    [cents, cents, cents],
    (due, available, later) => {
      const { taken, owed } = takeBack(due, available)
      const paidLater = Math.min(owed, later)
      const { struckOff, credited } = giveBack(due, owed - paidLater)
      expect([struckOff, credited]).toEqual([owed - paidLater, taken + paidLater])
    }
  )
})
