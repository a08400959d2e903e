// The ledger as a table: a line for each purchase with its document, and its movements folded below it.
import { Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { cameToCents, type LedgerLine, movedCents, stillHeldCents } from "#core/domain/wallet/LedgerLine.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { linksText, type People, shortPlacerIn, smallLines, targetsOf } from "../agents/Placers.ts"
import { liveOf } from "../Page.ts"
import { type Column, money, named, plainly, table } from "../Tables.ts"
import { movementText, signedEur, state } from "../Wording.ts"
import { documentLinks } from "./Documents.ts"

/** The purchases that the movements are for, by their quotes. */
export const purchasesOf = Effect.fnUntraced(function* (accountId: AccountId, movements: ReadonlyArray<LedgerEntry>) {
  const ids = movements.flatMap(({ quoteId }) => quoteId ?? [])
  const found = yield* (yield* ViewAccount).quotesNamed(accountId, ids)
  return new Map<QuoteId | null, Quote>(found.map((quote) => [quote.quoteId, quote]))
})

/** A line, the purchase that it is for, and what was issued for it. */
interface Shown {
  readonly line: LedgerLine
  readonly quote: Quote | undefined
  readonly documents: ReadonlyArray<Invoice>
}

const isFor = ({ orderId, entryId }: Invoice, { movements }: LedgerLine): boolean =>
  movements.some((one) => (orderId === null ? one.entryId === entryId : one.orderId === orderId))

/** What is not as its first word says: how much came back of what was paid, and what is held no more. */
const whatOf = (line: LedgerLine): string => {
  const { newest } = line
  const paid = movedCents(line, "capture")
  const back = movedCents(line, "recredit")
  if (back > 0) {
    const links = counted(line.movements.filter(({ kind }) => kind === "recredit").length, "cancelled link")
    return paid === 0
      ? `Given back for ${links}`
      : `${formatEur(paid)} paid, ${formatEur(back)} given back for ${links}`
  }
  return newest.kind === "release"
    ? `${formatEur(newest.amountCents)} was held, and is free again`
    : movementText[newest.kind]
}

const headline = ({ line, quote }: Shown, people: People): Html => {
  const { kind, orderId, quoteId } = line.newest
  const bought = line.movements.find((one) => one.orderId !== null)?.orderId ?? orderId
  if (quote !== undefined) {
    const path = bought === null ? `/account/quotes/${quote.quoteId}` : `/account/orders/${bought}`
    return html`<a href="${path}">${isolated(shortPlacerIn(people, quote))}: ${linksText(targetsOf(quote))}</a>`
  }
  if (bought !== null) return html`<a href="/account/orders/${bought}">${movementText[kind]}</a>`
  return quoteId === null
    ? html`${movementText[kind]}`
    : html`<a href="/account/quotes/${quoteId}">${movementText[kind]}</a>`
}

const change = ({ kind, amountCents, balanceDeltaCents }: LedgerEntry): string =>
  kind === "hold" || kind === "release"
    ? `${formatEur(amountCents)} ${kind === "hold" ? "held" : "freed"}`
    : signedEur(balanceDeltaCents)

const movementItem = (entry: LedgerEntry): Html =>
  html`<li>${movementText[entry.kind]}: <span class="num">${change(entry)}</span>, ${instant(entry.atMs)}; balance after it <span class="num">${formatEur(entry.balanceAfterCents)}</span></li>`

/** Folded: most people need no more than the line. */
const movementsOf = ({ movements }: LedgerLine): Html =>
  movements.length < 2
    ? nothing
    : html`<details class="small"><summary>${counted(movements.length, "movement")}</summary>
<ol>${movements.map(movementItem)}</ol></details>`

/** What the operator wrote to a correction; the references of payments are on their receipts, and in the CSV. */
const noteOf = ({ kind, reference }: LedgerEntry): string | null =>
  kind === "adjustment" || kind === "adjustment_reversed" ? (reference ?? null) : null

const nameOf = (shown: Shown, people: People): Html => {
  const { line, quote, documents } = shown
  const what = quote === undefined ? nothing : html`${whatOf(line)}`
  const between = quote === undefined || documents.length === 0 ? "" : " · "
  const says = html`${what}${between}${documentLinks(documents)}`
  return html`${headline(shown, people)}${smallLines([says.text === "" ? null : says, noteOf(line.newest)])}`
}

/** What a line came to. What is held, or was, changes nothing of the balance, and is not spent. */
const cameTo = (line: LedgerLine): Html => {
  const held = stillHeldCents(line)
  const came = cameToCents(line)
  if (held > 0) return html`<span class="small">${formatEur(held)}</span><br>${state("held, not spent", "wait")}`
  if (came === 0 && line.newest.kind === "release")
    return html`<span class="small">${formatEur(0)}</span><br>${state("released")}`
  return html`${signedEur(came)}${smallLines([`balance ${formatEur(line.newest.balanceAfterCents)}`])}`
}

const columns = (people: People): ReadonlyArray<Column<Shown>> => [
  named("What", (shown) => nameOf(shown, people)),
  plainly("When", ({ line }) => html`<span class="small">${instant(line.newest.atMs)}</span>${movementsOf(line)}`),
  money("Amount", ({ line }) => cameTo(line))
]

const NOTHING = "No movement yet. Once there is credit, agents can order without a payment for each order."

export const ledgerTable = Effect.fnUntraced(function* (
  accountId: AccountId,
  lines: ReadonlyArray<LedgerLine>,
  people: People
) {
  const movements = lines.flatMap((line) => line.movements)
  const quotes = yield* purchasesOf(accountId, movements)
  const documents = yield* (yield* ReadInvoices).ofMovements(liveOf({ accountId }), movements)
  const rows = lines.map((line) => ({
    line,
    quote: quotes.get(line.newest.quoteId),
    documents: documents.filter((one) => isFor(one, line))
  }))
  return table(columns(people), rows, NOTHING)
})
