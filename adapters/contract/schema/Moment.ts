// Times in queries: a date, or a time in UTC, and ranges of them.
import { Schema } from "effect"
import { DAY_MS, type Millis } from "#core/domain/shared/DecisionContext.ts"
import { text, timestamp } from "./Text.ts"

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/

/** A day, rather than a time of it. */
export const isDate = (moment: string | undefined): moment is string => moment !== undefined && DAY.test(moment)

/** When the time is, or the day begins; `undefined` where the calendar has no such day. */
export const startOf = (moment: string): Millis | undefined => {
  const atMs = MOMENT.test(moment) ? Date.parse(moment) : Number.NaN
  return Number.isNaN(atMs) || !timestamp(atMs).startsWith(moment.slice(0, 10)) ? undefined : atMs
}

/** The last millisecond of the time or the day. */
export const endOf = (moment: string): Millis | undefined => {
  const atMs = startOf(moment)
  return atMs !== undefined && isDate(moment) ? atMs + DAY_MS - 1 : atMs
}

/** UTC only, because the plus sign of another offset is a space in a query string. */
export const moment = (description: string) =>
  text(1, 30)
    .check(
      Schema.makeFilter((value: string) => startOf(value) !== undefined, {
        message: "Must be a date or a time in UTC, such as 2026-11-21 or 2026-11-21T09:00:00Z.",
        toJsonSchema: () => ({ pattern: MOMENT.source })
      })
    )
    .annotate({ description: `${description} A date or RFC 3339 in UTC.`, examples: ["2026-11-21"] })

/** A range must not end before it begins. `called`: what its beginning is called where people read the message. */
export const endsAfter = <From extends string, To extends string>(from: From, to: To, called: string = from) =>
  Schema.makeFilter(
    (query: { readonly [Name in From | To]?: string }) => {
      const [begins, ends] = [startOf(query[from] ?? ""), endOf(query[to] ?? "")]
      return begins === undefined || ends === undefined || begins <= ends
        ? undefined
        : { path: [to], issue: `Must not be before ${called}.` }
    },
    { toJsonSchema: () => [{}, true] }
  )
