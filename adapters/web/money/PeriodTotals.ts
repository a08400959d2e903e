// What was spent, given back and topped up in a period that a person chooses, by month and by agent.
import { Clock, Effect, Result, Schema } from "effect"
import { isDate, startOf } from "#adapters/contract/schema/Moment.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import { dateOf, dateText, monthText } from "#adapters/html/Times.ts"
import { dayEndMs, dayStartMs } from "#adapters/html/TimeZones.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import { addUp, type DocumentTotal, type Totals, totalsBy } from "#core/domain/invoicing/DocumentTotals.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { DAY_MS, type Millis } from "#core/domain/shared/DecisionContext.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { type People, shortPlacerIn, smallLines } from "../agents/Placers.ts"
import { refusedFilters } from "../form/ErrorSummary.ts"
import { controlsOf, schemaOf, type Values } from "../form/Fields.ts"
import { type FieldMessages, fieldsDecoder } from "../form/FormBody.ts"
import { periodFields } from "../form/Period.ts"
import { zoneOf } from "../frame/Reader.ts"
import { liveOf } from "../Page.ts"
import { money, named, table } from "../Tables.ts"

/** A leap year. */
const MOST_DAYS = 366

const MONTHS_SHOWN = 3

const day = Schema.optionalKey(
  Schema.String.check(
    Schema.makeFilter((value: string) => isDate(value) && startOf(value) !== undefined, {
      message: "Must be a day, such as 2026-11-21."
    })
  )
)

const fields = periodFields(day)

const decode = fieldsDecoder(schemaOf(fields))

/** The days of a period, in the member's time zone. */
interface Days {
  readonly created_from: string
  readonly created_to: string
}

const monthStart = (date: string, later: number): string => {
  const of = new Date(date)
  return dateOf(Date.UTC(of.getUTCFullYear(), of.getUTCMonth() + later))
}

/** This month and the two before it, up to today. */
const usualDays = (today: string): Days => ({
  created_from: monthStart(today, 1 - MONTHS_SHOWN),
  created_to: today
})

/** Days that pass have the four digits of this year, by which their texts are in the order of the days. */
const faultOf = ({ created_from: from, created_to: until }: Days, today: string): FieldMessages | null => {
  if (until > today) return new Map([["created_to", "This must not be after today."]])
  if (until < from) return new Map([["created_to", "This must not be before the first day."]])
  if (Date.parse(until) - Date.parse(from) >= MOST_DAYS * DAY_MS)
    return new Map([["created_to", "Choose a year at most."]])
  return null
}

/** The first day, and the first of each month after it. */
const monthsOf = ({ created_from: from, created_to: until }: Days): ReadonlyArray<string> => {
  const dates = [from]
  for (let next = monthStart(from, 1); next <= until; next = monthStart(next, 1)) dates.push(next)
  return dates
}

/** The names of the fields in an address, which paging keeps. */
export const PERIOD_FIELDS: ReadonlyArray<string> = Object.keys(fields)

interface Row {
  readonly name: string
  readonly totals: Totals
}

/** "3 orders, 125.00 EUR topped up": what makes the amount of a row, without what there was none of. */
const madeOf = ({ orders, spentCents, givenBackCents, toppedUpCents }: Totals): string =>
  [
    ...(orders === 0 ? [] : [counted(orders, "order")]),
    ...(givenBackCents === 0 ? [] : [`${formatEur(spentCents)} spent, ${formatEur(givenBackCents)} given back`]),
    ...(toppedUpCents === 0 ? [] : [`${formatEur(toppedUpCents)} topped up`])
  ].join(", ")

const totalsTable = (head: string, rows: ReadonlyArray<Row>): Html => {
  const someBack = rows.some(({ totals }) => totals.givenBackCents > 0)
  return table<Row>(
    [
      named(head, ({ name, totals }) => html`${name}${smallLines([madeOf(totals)])}`),
      money(someBack ? "Spent, less given back" : "Spent", ({ totals }) =>
        formatEur(totals.spentCents - totals.givenBackCents)
      )
    ],
    rows
  )
}

const byMonth = (documents: ReadonlyArray<DocumentTotal>, months: ReadonlyMap<Millis, string>): Html => {
  const rows = totalsBy(documents, "sinceMs")
    .toSorted((a, b) => a.of - b.of)
    .map(({ of, totals }): Row => ({ name: monthText(months.get(of) ?? ""), totals }))
  const all = rows.length < 2 ? [] : [{ name: "Together", totals: addUp(documents) }]
  return html`<section class="stack"><h3>By month</h3>${totalsTable("Month", [...rows, ...all])}</section>`
}

const agentName = (people: People, keyId: KeyId): string =>
  isWebCredential(keyId) ? "You and other members, in the Shop" : isolated(shortPlacerIn(people, { keyId }))

const byAgent = (documents: ReadonlyArray<DocumentTotal>, people: People): Html => {
  const rows = totalsBy(documents, "keyId")
    .flatMap(({ of, totals }) => (of === null ? [] : [{ name: agentName(people, of), totals }]))
    .toSorted((a, b) => b.totals.spentCents - a.totals.spentCents)
  return rows.length === 0
    ? nothing
    : html`<section class="stack"><h3>By agent</h3>${totalsTable("Ordered by", rows)}</section>`
}

const NOTHING = html`<p class="empty">Nothing was spent, given back or topped up in this time.</p>`

const TOO_MANY = html`<p class="note">There are too many orders in this time to add up at once: choose fewer days.</p>`

const totalsIn = Effect.fnUntraced(function* ({ account, member }: SignedIn, people: People, days: Days) {
  const zone = zoneOf(member)
  const months = new Map(monthsOf(days).map((date) => [dayStartMs(date, zone), date]))
  const period = { starts: [...months.keys()], toMs: dayEndMs(days.created_to, zone) }
  const documents = yield* (yield* ReadInvoices).totals(liveOf(account), period)
  if (documents === null) return TOO_MANY
  return documents.length === 0
    ? NOTHING
    : html`<div class="cards">${byMonth(documents, months)}\n${byAgent(documents, people)}</div>`
})

/** The section of the page of credit, with its form; also where the period of the address cannot be read. */
export const periodTotals = Effect.fnUntraced(function* (
  who: SignedIn,
  people: People,
  { path, query }: { readonly path: string; readonly query: URLSearchParams }
) {
  const decoded = decode(query)
  const chosen: Values<typeof fields> = Result.isSuccess(decoded) ? decoded.success : {}
  const today = dateOf(yield* Clock.currentTimeMillis, zoneOf(who.member))
  const days: Days = { ...usualDays(today), ...chosen }
  const fault = Result.isFailure(decoded) ? decoded.failure : faultOf(days, today)
  const typed = Object.entries(days).map(([name, value]) => [name, query.get(name) ?? value])
  const state = { values: new URLSearchParams(typed), messages: fault ?? new Map() }
  // Browsers leave the focus where an address leads to; a refused form's belongs to the summary of what is wrong.
  const shown = html`<h2${fault === null ? new Html(' id="totals"') : nothing}>Totals</h2>
${fault === null ? yield* totalsIn(who, people, days) : nothing}
<details${fault === null ? nothing : new Html(" open")}><summary>${fault === null ? `${dateText(days.created_from)} to ${dateText(days.created_to)}: choose another period` : "Choose another period"}</summary>
<form method="get" action="${path}#totals" class="filters">
${controlsOf(fields, state)}<div class="field"><button type="submit">Show</button></div>
</form></details>
<p class="small">By the day of each invoice, credit note and receipt; from credit and by card together. <a href="/account/invoices">All invoices</a></p>`
  return { shown, refused: fault === null ? null : refusedFilters(path, state) }
})
