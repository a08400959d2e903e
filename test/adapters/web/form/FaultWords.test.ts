// What people read of a fault: a sentence that names what they typed and says what to type instead.
import { describe, expect, it } from "vitest"
import { afterLabel, faultsInWords, faultWords } from "#adapters/web/form/FaultWords.ts"

const CASES: ReadonlyArray<readonly [message: string, value: string, says: string]> = [
  ["Is required.", "", "This field is required."],
  ["Must be an amount of euros, such as 12.50.", " ten ", "“ten” is not an amount of euros. Enter one such as 12.50."],
  ["Must not be below 0.", "-1", "This must not be below 0."],
  [
    "Must be an amount in euros with at most two decimals, such as 15 or 7.50.",
    "cheap",
    "“cheap” is not an amount in euros. Enter one such as 15 or 7.50."
  ],
  ["Must be a VAT id such as DE136695976.", "DE1", "“DE1” is not a VAT id. Enter one such as DE136695976."],
  [
    "Must be a whole number from 0 to 100, written in plain digits.",
    "high",
    "“high” is not a whole number from 0 to 100."
  ],
  [
    "Must be an e-mail address, such as name@example.com.",
    "",
    "This is not an e-mail address. Enter one such as name@example.com."
  ],
  [
    "Must be a domain name, such as shop.example.",
    "x".repeat(41),
    "This is not a domain name. Enter one such as shop.example."
  ],
  ["Must be a string of 1 to 3 characters.", "four", "This has 4 characters. At most 3 fit."],
  ['Must be "exact" | "naked_url"', "loud", "“loud” is not one of exact, naked url."],
  ["Must be at most 6 lines.", "a\nb", "This must be at most 6 lines."],
  ["Is mistyped: its check digits do not fit.", "DE1", "“DE1” is mistyped: its check digits do not fit."],
  ["The key was replaced.", "x", "The key was replaced."]
]

describe("a fault of a field", () => {
  it.each(CASES)("%s with “%s” is said as a sentence, which stays as it is", (message, value, says) => {
    expect(faultWords(message, value)).toBe(says)
    expect(faultWords(says, value)).toBe(says)
  })

  it("is said of the first value that was filled in, and of no secret", () => {
    const sent = new URLSearchParams("day=&day=x&code=123456")
    const message = "Must be a day, such as 2026-11-21."
    expect([
      ...faultsInWords(
        new Map([
          ["day", message],
          ["code", message]
        ]),
        sent
      ).values()
    ]).toEqual(["“x” is not a day. Enter one such as 2026-11-21.", "This is not a day. Enter one such as 2026-11-21."])
  })

  it("follows the label of its field as one sentence", () => {
    expect(afterLabel("This field is required.")).toBe(" is required.")
    expect(afterLabel("This must be at most 6 lines.")).toBe(" must be at most 6 lines.")
    expect(afterLabel("“x” is not a day.")).toBe(": “x” is not a day.")
  })
})
