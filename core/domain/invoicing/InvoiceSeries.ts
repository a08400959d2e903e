// Numbers of documents: one gapless series per year for invoices and one for credit notes, in the order of issue.
import { DateTime } from "effect"
import type { Millis } from "../shared/DecisionContext.ts"
import type { Draft, Invoice } from "./Invoice.ts"

/** A place in the series of a kind. */
export interface LastNumber {
  readonly year: number
  readonly sequence: number
}

export interface SeriesState {
  readonly invoice: LastNumber | null
  readonly credit_note: LastNumber | null
  /** When the last document was issued; 0 before the first. */
  readonly lastIssuedAtMs: Millis
  /** The date on it, YYYY-MM-DD; empty before the first. */
  readonly lastIssueDate: string
}

export const NOTHING_ISSUED: SeriesState = { invoice: null, credit_note: null, lastIssuedAtMs: 0, lastIssueDate: "" }

const SEQUENCE_DIGITS = 6

/** `2026-000123`, and `CN-2026-000123` for credit notes. */
export const numberText = (kind: "invoice" | "credit_note", { year, sequence }: LastNumber): string =>
  `${kind === "credit_note" ? "CN-" : ""}${year}-${String(sequence).padStart(SEQUENCE_DIGITS, "0")}`

export interface DocumentNumber extends LastNumber {
  readonly kind: "invoice" | "credit_note"
}

/** The number of which this is the text; `null` for other text. */
export const numberOf = (text: string): DocumentNumber | null => {
  const [, prefix, year, sequence] = /^(CN-)?(\d{4})-(\d{6,9})$/.exec(text) ?? []
  const number = {
    kind: prefix === undefined ? "invoice" : "credit_note",
    year: Number(year),
    sequence: Number(sequence)
  } as const
  return sequence !== undefined && numberText(number.kind, number) === text ? number : null
}

/** YYYY-MM-DD in the zone, an IANA name. */
export const dateIn = (timeZone: string, atMs: Millis): string =>
  DateTime.formatIsoDate(DateTime.makeZonedUnsafe(atMs, { timeZone }))

const next = (last: LastNumber | null, year: number): LastNumber =>
  last !== null && last.year >= year ? { year: last.year, sequence: last.sequence + 1 } : { year, sequence: 1 }

/**
 * Issues documents in this order. Their times never go back behind the last one, even if the clock does, nor do their dates, even if the
 * time zone is changed: numbers ascend with both, and the year of a number is that of its date.
 */
export const issueAll = (
  drafts: ReadonlyArray<Draft>,
  state: SeriesState,
  nowMs: Millis,
  timeZone: string
): ReadonlyArray<Invoice> => {
  const issuedAtMs = Math.max(nowMs, state.lastIssuedAtMs)
  const today = dateIn(timeZone, issuedAtMs)
  const issueDate = today < state.lastIssueDate ? state.lastIssueDate : today
  const year = Number(issueDate.slice(0, 4))
  const last = { invoice: state.invoice, credit_note: state.credit_note }
  return drafts.map((draft) => {
    const { kind, facts } = draft
    if (kind === "receipt" || facts.proForma)
      return { ...draft, series: null, issuedAtMs, facts: { ...facts, number: null, issueDate } }
    const series = next(last[kind], year)
    last[kind] = series
    return { ...draft, series, issuedAtMs, facts: { ...facts, number: numberText(kind, series), issueDate } }
  })
}
