// Numbers of documents: consecutive within kind and year, in the order of issue, even if the clock steps back.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { creditNoteOf, type Draft, invoiceOf } from "#core/domain/invoicing/Invoice.ts"
import { dateIn, issueAll, NOTHING_ISSUED, numberOf, type SeriesState } from "#core/domain/invoicing/InvoiceSeries.ts"
import { NOON } from "#test/core/Given.ts"
import { orderOver, terms } from "#test/core/InvoiceGiven.ts"
import { property } from "#test/Property.ts"

const fresh = NOTHING_ISSUED
const buyer = { accountName: "Ada", identity: null }
const ZONE = "Europe/Paris"

const invoice = (isNumbered = true): Draft => invoiceOf(orderOver([500]), buyer, terms(), isNumbered)
const creditNote = (): Draft => {
  const [issued] = issueAll([invoice()], fresh, NOON, ZONE)
  const [link] = orderOver([500]).links
  const note = issued && link && creditNoteOf(link, NOON, issued)
  if (note === undefined) throw new Error("the link is on the invoice")
  return note
}
const numbersOf = (drafts: ReadonlyArray<Draft>, state: SeriesState, nowMs = NOON) =>
  issueAll(drafts, state, nowMs, ZONE).map(({ facts }) => facts.number)

describe("numbers", () => {
  it("are one series for invoices and one for credit notes; pro forma documents take none", () => {
    const drafts = [invoice(), creditNote(), invoice(false), invoice(), creditNote()]
    expect(numbersOf(drafts, fresh)).toEqual(["2026-000001", "CN-2026-000001", null, "2026-000002", "CN-2026-000002"])
  })

  it("go on after the last one of the year, and begin again with a year of the seller's zone", () => {
    const state: SeriesState = { ...fresh, invoice: { year: 2026, sequence: 999_999 } }
    expect(numbersOf([invoice()], state)).toEqual(["2026-1000000"])
    // Half past midnight in Paris is still the old year in UTC.
    expect(numbersOf([invoice()], state, Date.UTC(2026, 11, 31, 23, 30))).toEqual(["2027-000001"])
    expect(dateIn("America/New_York", Date.UTC(2027, 0, 1, 2))).toBe("2026-12-31")
  })

  it("never go back with the clock", () => {
    const lastIssuedAtMs = Date.UTC(2027, 0, 1)
    const [issued] = issueAll(
      [invoice()],
      { ...fresh, invoice: { year: 2027, sequence: 4 }, lastIssuedAtMs },
      NOON,
      ZONE
    )
    expect(issued).toMatchObject({ issuedAtMs: lastIssuedAtMs, series: { year: 2027, sequence: 5 } })
  })

  it("stay in the year of the last one when the zone is changed back across New Year", () => {
    // Ten in the morning of New Year at Kiritimati is nine in the evening of the old year in Paris.
    const lastIssuedAtMs = Date.UTC(2026, 11, 31, 20)
    const lastIssueDate = dateIn("Pacific/Kiritimati", lastIssuedAtMs)
    expect(lastIssueDate).toBe("2027-01-01")
    const state: SeriesState = { ...fresh, invoice: { year: 2027, sequence: 4 }, lastIssuedAtMs, lastIssueDate }
    const issued = issueAll([invoice(), creditNote()], state, lastIssuedAtMs + 1, ZONE)
    expect(issued.map(({ facts }) => [facts.number, facts.issueDate])).toEqual([
      ["2027-000005", "2027-01-01"],
      ["CN-2027-000001", "2027-01-01"]
    ])
  })

  it("are read back from their text, and nothing else is a number", () => {
    expect(numberOf("2026-000123")).toEqual({ kind: "invoice", year: 2026, sequence: 123 })
    expect(numberOf("CN-2026-1000000")).toEqual({ kind: "credit_note", year: 2026, sequence: 1_000_000 })
    for (const text of ["", "inv_1", "2026-123", "2026-0000123", "cn-2026-000001", "2026-000001 "])
      expect(numberOf(text)).toBeNull()
  })

  const kinds = fc.array(fc.constantFrom("invoice", "credit_note", "pro_forma"), { maxLength: 12 })
  const zones = fc.constantFrom(ZONE, "Pacific/Kiritimati", "America/New_York", "UTC")
  // From noon of 4 May: New Year begins 5,796 hours later in UTC.
  const hours = fc.oneof(fc.integer({ min: -9_600, max: 9_600 }), fc.integer({ min: 5_770, max: 5_820 }))
  const steps = fc.array(fc.tuple(kinds, hours, zones), { maxLength: 6 })

  property("have no gap and no double, ascend with time and date, and bear its year", [steps], (passes) => {
    let state = fresh
    const seen = { invoice: new Map<number, number>(), credit_note: new Map<number, number>() }
    for (const [wanted, hour, zone] of passes) {
      const drafts = wanted.map((kind) => (kind === "credit_note" ? creditNote() : invoice(kind === "invoice")))
      for (const { kind, series, issuedAtMs, facts } of issueAll(drafts, state, NOON + hour * 3_600_000, zone)) {
        expect(issuedAtMs).toBeGreaterThanOrEqual(state.lastIssuedAtMs)
        expect([state.lastIssueDate, facts.issueDate]).toEqual([state.lastIssueDate, facts.issueDate].sort())
        state = { ...state, lastIssuedAtMs: issuedAtMs, lastIssueDate: facts.issueDate }
        if (series === null || kind === "receipt") continue
        expect(series.year).toBe(Number(facts.issueDate.slice(0, 4)))
        expect(series.sequence).toBe((seen[kind].get(series.year) ?? 0) + 1)
        seen[kind].set(series.year, series.sequence)
        state = { ...state, [kind]: series }
      }
    }
  })
})
