// Amounts typed by the operator: exact to the cent, or refused.
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Euros, euros, MAX_CENTS } from "#adapters/operator/records/Euros.ts"
import { property } from "#test/Property.ts"

const decode = Schema.decodeUnknownResult(Euros(1))

describe("Euros", () => {
  it.each([
    ["25.00", 2_500],
    ["25", 2_500],
    ["25.5", 2_550],
    ["0.01", 1],
    ["1.15", 115],
    ["8.29", 829],
    ["100000.00", MAX_CENTS]
  ])("reads %s as %i cents", (text, cents) => {
    expect(decode(text)).toStrictEqual(Result.succeed(cents))
  })

  it.each(["", "-5.00", "+5", "5.001", "5,00", "1e3", "0x10", "NaN", "Infinity", "5 EUR", " 5", ".5", "5.", "1_000"])(
    "refuses %j",
    (text) => {
      expect(String(Result.getOrThrow(Result.flip(decode(text))))).toContain("Must be an amount in euros such as 25.00")
    }
  )

  it.each(["0.00", "100000.01", "999999999999.99"])("refuses %s as out of bounds", (text) => {
    expect(String(Result.getOrThrow(Result.flip(decode(text))))).toContain("Must be from 0.01 to 100000.00 EUR.")
  })

  property("what is shown is read as the same cents", [fc.integer({ min: 1, max: MAX_CENTS })], (cents) => {
    expect(decode(euros(cents))).toStrictEqual(Result.succeed(cents))
  })

  it("shows a negative amount with its sign", () => {
    expect([0, 5, -5, -1_234].map(euros)).toStrictEqual(["0.00", "0.05", "-0.05", "-12.34"])
  })
})
