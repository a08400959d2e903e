// Stored answers and discounts: what differs between orders apart from the form that they have in common.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isOfFewForms, storedText, type TextForms, textFormRows } from "#adapters/postgres/rows/StoredText.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { property } from "#test/Property.ts"

const ID_PREFIX = "01k5zqv8dwabcdefghjkmnpqrs"
const OTHER = "01k5zqv8dxabcdefghjkmnpqrt"

/** What the SQL function `stored_text` does. */
const textOf = (stored: string, quoteId: string, forms: TextForms): string => {
  const [id = "", ...values] = stored.slice(1).split(" ")
  const { form = "" } = textFormRows(forms).find(({ form_id }) => form_id === id) ?? {}
  const parts = form.replaceAll("\u0002", quoteId.slice(-28, -2)).split("\u0001")
  return parts.map((part, index) => part + (values[index] ?? "")).join("")
}

const answerOf = (idPrefix: string, cents: number) =>
  JSON.stringify({ quote_id: `q_${idPrefix}00`, cents, note: `Order ord_${idPrefix}03 costs ${cents / 100} EUR.` })

describe("stored texts", () => {
  it("of orders that differ in ids and amounts have one form", () => {
    const forms: TextForms = new Map()
    const stored = [
      storedText(answerOf(ID_PREFIX, 450), QuoteId.make(`q_${ID_PREFIX}00`), forms),
      storedText(answerOf(OTHER, 1_000), QuoteId.make(`q_${OTHER}00`), forms)
    ]
    expect(forms.size).toBe(1)
    expect(stored.map((one) => one.split(" ").slice(1))).toEqual([
      ["00", "450", "03", "4.5"],
      ["00", "1000", "03", "10"]
    ])
    expect(textOf(stored[1] ?? "", `q_${OTHER}00`, forms)).toBe(answerOf(OTHER, 1_000))
  })

  it("have few forms, unless they name a domain", () => {
    const welcome = { source: "welcome", amountCents: 100, applied: false } as const
    const discount = { source: "none", label: "No discount", amountCents: 0 } as const
    expect(isOfFewForms({ ...discount, considered: [] })).toBe(true)
    expect(isOfFewForms({ ...discount, considered: [{ ...welcome, reservedBy: `q_${ID_PREFIX}00` }] })).toBe(true)
    expect(isOfFewForms({ ...discount, considered: [{ ...welcome, usedForDomain: "brand.example" }] })).toBe(false)
    const withReservation = (idPrefix: string) =>
      JSON.stringify({ ...discount, considered: [{ ...welcome, reservedBy: `q_${idPrefix}00` }] })
    const forms: TextForms = new Map()
    storedText(withReservation(ID_PREFIX), QuoteId.make(`q_${OTHER}00`), forms)
    storedText(withReservation("01m8aax64bgkzpc4adbm3w3tsn"), QuoteId.make(`q_${OTHER}00`), forms)
    expect(forms.size).toBe(1)
  })

  property("are the same text again", [fc.json(), fc.boolean()], (json, isSandbox) => {
    const quoteId = QuoteId.make(`q_${isSandbox ? "test_" : ""}${ID_PREFIX}00`)
    const body = JSON.stringify({ quoteId, json: JSON.parse(json), order: `ord_${ID_PREFIX}03` })
    const forms: TextForms = new Map()
    expect(textOf(storedText(body, quoteId, forms), quoteId, forms)).toBe(body)
  })
})
