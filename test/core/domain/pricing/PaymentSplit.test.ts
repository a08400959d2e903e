// The split of a total between credit and card, compared with all possible splits.
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Split, splitPayment } from "#core/domain/pricing/PaymentSplit.ts"
import { cents } from "#test/core/Arbitraries.ts"
import { property } from "#test/Property.ts"

describe("splitPayment", () => {
  it.each([
    ["nothing to pay", 0, 0, { creditCents: 0, cardCents: 0 }],
    ["credit covers more than all", 500, 10_000, { creditCents: 500, cardCents: 0 }],
    ["credit covers it exactly", 500, 500, { creditCents: 500, cardCents: 0 }],
    ["credit covers less than the card's minimum", 30, 30, { creditCents: 30, cardCents: 0 }],
    ["no credit", 500, 0, { creditCents: 0, cardCents: 500 }],
    ["some credit", 2_600, 1_000, { creditCents: 1_000, cardCents: 1_600 }],
    ["the card would pay exactly its minimum", 500, 450, { creditCents: 450, cardCents: 50 }],
    ["the card would pay less than its minimum", 500, 451, { creditCents: 450, cardCents: 50 }],
    ["the card would pay a cent", 500, 499, { creditCents: 450, cardCents: 50 }],
    ["the total is the card's minimum", 50, 49, { creditCents: 0, cardCents: 50 }]
  ])("%s", (_, total, available, split) => {
    expect(splitPayment(total, available, 50)).toEqual(Result.succeed(split))
  })

  it("cannot pay a total below the card's minimum that credit does not cover", () => {
    expect(splitPayment(49, 48, 50)).toEqual(Result.fail({ minimumCents: 50 }))
    expect(splitPayment(1, 0, 50)).toEqual(Result.fail({ minimumCents: 50 }))
  })

  const few = fc.integer({ min: 0, max: 130 })

  property("finds the payable split with the most credit", [few, few, few], (total, available, minimum) => {
    const possible: Array<Split> = []
    for (let creditCents = 0; creditCents <= Math.min(total, available); creditCents++) {
      const cardCents = total - creditCents
      if (cardCents === 0 || cardCents >= minimum) possible.push({ creditCents, cardCents })
    }
    const best = possible.at(-1)
    const expected = best === undefined ? Result.fail({ minimumCents: minimum }) : Result.succeed(best)
    expect(splitPayment(total, available, minimum)).toEqual(expected)
  })

  property("credit and card add up to the total", [cents, cents], (total, available) => {
    const split = splitPayment(total, available, 50)
    if (Result.isFailure(split)) {
      expect(total).toBeLessThan(50)
      expect(available).toBeLessThan(total)
      return
    }
    const { creditCents, cardCents } = split.success
    expect(creditCents + cardCents).toBe(total)
    expect(creditCents).toBeGreaterThanOrEqual(0)
    expect(creditCents).toBeLessThanOrEqual(available)
    expect(cardCents === 0 || cardCents >= 50).toBe(true)
  })
})
