// The page of a sheet: what its chosen rows cost, in which orders credit pays them, what is missing, and the button that buys.
import { Effect, Schema } from "effect"
import { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { formatEur, sum } from "#core/domain/pricing/Money.ts"
import { rangesOf } from "#core/domain/pricing/Sheet.ts"
import { MAX_TOP_UP_CENTS, topUpFor } from "#core/domain/wallet/TopUp.ts"
import type { SheetView } from "#core/usecases/ordering/BuySheet.ts"
import { wordsOf } from "../ErrorWords.ts"
import { wholeField } from "../form/FieldSchemas.ts"
import { flag, hidden, text } from "../form/Fields.ts"
import { button, form, pathOf, showForm } from "../form/Form.ts"
import { vatNote } from "../money/PriceVat.ts"
import type { Visit } from "../Page.ts"
import { type Column, column, money, named, pageLinks, table, term } from "../Tables.ts"
import { UNTIL_WHEN } from "../Wording.ts"
import { canBuy, ROWS_SHOWN, rowsTable, type ShownRow, shownRows, TICKS } from "./SheetRowsView.ts"

export const SHEETS = "/account/shop/sheets"

const REVISION = hidden(wholeField(1, 999_999_999))

/** The person agreed to pay `total` at most for these orders of the sheet and these rows. */
export const buyForm = form({
  path: `${SHEETS}/:id/buy`,
  look: "inline",
  fields: {
    revision: REVISION,
    first_order: hidden(wholeField(1, 9_999)),
    last_order: hidden(wholeField(1, 9_999)),
    rows: hidden(Schema.String.check(Schema.isPattern(/^[\d -]{1,4000}$/))),
    total: hidden(wholeField(0, 999_999_999))
  },
  kind: "pay",
  button: "Order"
})

export const sheetCode = form({
  path: `${SHEETS}/:id/promo-code`,
  fields: {
    revision: REVISION,
    promo_code: text(OrderRequest.fields.promo_code, "Promo code", {
      hint: "Counts for the first order alone, if it takes off more than the welcome offer. Leave it empty for none.",
      maxLength: 64
    })
  },
  button: "Apply code"
})

interface OrderLine {
  readonly nth: number
  readonly rows: string
  readonly links: number
  readonly discount: string
  readonly total: string
  readonly isCovered: boolean
}

/** How many rows the next orders buy. */
const tickedIn = ({ priced }: SheetView): number => sum(priced.orders.map(({ rows }) => rows.length))

const orderLines = ({ sheet, priced, covered }: SheetView): ReadonlyArray<OrderLine> =>
  priced.orders.map(({ rows, price: { discount, totalCents } }, index) => ({
    nth: sheet.orders + index + 1,
    rows: `${rows[0]?.number ?? ""} to ${rows.at(-1)?.number ?? ""}`,
    links: rows.length,
    discount: discount.source === "none" ? "none" : `−${formatEur(discount.amountCents)}: ${discount.label}`,
    total: formatEur(totalCents),
    isCovered: index < covered.count
  }))

const orderColumns: ReadonlyArray<Column<OrderLine>> = [
  named("Order", ({ nth }) => nth),
  column("Rows", ({ rows }) => rows),
  column("Links", ({ links }) => links),
  column("Discount", ({ discount }) => discount),
  column("From your credit", ({ isCovered }) => (isCovered ? "yes" : "not bought: credit is missing")),
  money("Total", ({ total }) => total)
]

const topUpLink = (missingCents: number): Html => {
  const cents = topUpFor(missingCents)
  const most = cents === MAX_TOP_UP_CENTS && missingCents > cents ? ", the most that one top-up takes" : ""
  return html`<a class="btn" href="/account/credit/top-ups?amount_eur=${(cents / 100).toFixed(2)}">Top up ${formatEur(cents)}</a>${most}`
}

/** How far credit goes. */
const paysFor = ({ priced: { owedCents, availableCents, orders }, covered: { count } }: SheetView): string => {
  if (owedCents > 0)
    return `You owe ${formatEur(owedCents)} of a top-up that was refunded or disputed, and until that is paid, no order is paid from your credit.`
  const credit = `Your credit of ${formatEur(availableCents)}`
  if (orders.length === 1) return `${credit} does not cover this order:`
  if (count === 0) return `${credit} does not cover the first of ${orders.length} orders.`
  const first = count === 1 ? "the first" : `the first ${count}`
  return `${credit} covers ${first} of ${orders.length} orders. The others stay not bought, and can be bought later.`
}

/** What credit does not pay, and the way to pay it in. */
const missing = (view: SheetView): Html => {
  const { owedCents, orders } = view.priced
  const { covered } = view
  if (covered.missingCents === 0 && owedCents === 0) return nothing
  const missingCents = Math.max(covered.missingCents, owedCents)
  const short = `${formatEur(missingCents)} is missing.`
  return html`<p class="note">${paysFor(view)} ${orders.length === 1 ? "" : "For all of them, "}${short} ${topUpLink(missingCents)}</p>`
}

const buySection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, { sheet, priced, covered }: SheetView) {
  if (covered.count === 0 || priced.promoRefusal !== null) return nothing
  const bought = priced.orders.slice(0, covered.count)
  const links = sum(bought.map(({ rows }) => rows.length))
  const values = {
    revision: String(sheet.revision),
    first_order: String(sheet.orders + 1),
    last_order: String(sheet.orders + covered.count),
    rows: rangesOf(bought.flatMap(({ rows }) => rows.map(({ number }) => number))),
    total: String(covered.cents)
  }
  const label = `Order ${counted(links, "link")} for ${formatEur(covered.cents)} from your credit`
  return html`${yield* showForm(buyForm, { ...visit, refused: null }, { values, button: label })}
<p class="hint">${bought.length === 1 ? "It is one order, which is paid at once" : `They are ${bought.length} orders of at most ${MAX_ITEMS} links, which are paid at once`}. ${UNTIL_WHEN} Pressed twice, or in two windows, no row is bought twice.</p>`
})

const codeSection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, { sheet, priced }: SheetView) {
  if (sheet.orders > 0) return nothing
  const { promoRefusal } = priced
  const messages = new Map(promoRefusal === null ? [] : [["promo_code", wordsOf(promoRefusal).says]])
  const values = { revision: String(sheet.revision), promo_code: sheet.promoCode ?? "" }
  // What is wrong with the sheet as a whole is said above, and its revision is another one now.
  const asked = visit.refused?.problem == null ? visit : { ...visit, refused: null }
  const isOpen = flag("open", sheet.promoCode !== null || asked.refused?.path === pathOf(sheetCode.path, visit.params))
  return html`<details${isOpen}><summary>Promo code</summary>
${yield* showForm(sheetCode, asked, { values, messages })}</details>`
})

const priceSection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, view: SheetView) {
  const { orders, availableCents } = view.priced
  if (orders.length === 0)
    return html`<p class="empty">No row is ticked that can be bought. Tick some below, or correct the file and upload it again.</p>`
  const gross = sum(orders.map(({ price }) => price.grossCents))
  const discount = sum(orders.map(({ price }) => price.discount.amountCents))
  const { accountId } = visit.who.account
  // One order is what the sums above say.
  const each = orders.length === 1 && discount === 0 ? nothing : table(orderColumns, orderLines(view))
  return html`<section class="card" aria-labelledby="price">
<div class="pad stack"><h2 id="price">What you pay for the ${counted(tickedIn(view), "ticked row")}</h2>
<dl class="sums">
${term("Price", formatEur(gross))}
${discount === 0 ? nothing : term("Discount, on the order that it is named at", `−${formatEur(discount)}`)}
${term("Total", formatEur(gross - discount), true)}
${term("Your credit", formatEur(availableCents))}
</dl>
${yield* vatNote({ accountId, mode: "live", totalCents: gross - discount })}</div>
${each}
<div class="pad stack">${missing(view)}
${yield* buySection(visit, view)}</div>
</section>
${yield* codeSection(visit, view)}`
})

const placeOf = (number: number): number => number - ((number - 1) % ROWS_SHOWN)

/** The first row of the page that the address names. */
export const firstRow = (query: URLSearchParams): number => {
  const from = query.get("from") ?? ""
  return /^\d{1,3}$/.test(from) ? placeOf(Math.max(1, Number(from))) : 1
}

const MOST_NAMED = 20

/** Where rows are that something is said of, because a sheet has many pages. */
const placesOf = (path: string, rows: ReadonlyArray<ShownRow>): Html => {
  const links = rows
    .slice(0, MOST_NAMED)
    .map(({ row: { number } }) => html` <a href="${path}?from=${placeOf(number)}#rows">${number}</a>`)
  return html`${links}${rows.length > MOST_NAMED ? " and others" : ""}`
}

/** Rows that the person ticked, and that were ordered since by another sheet, by hand or by an agent. */
const leftOutNote = (path: string, { leftOut }: SheetView, rows: ReadonlyArray<ShownRow>): Html => {
  const named = rows.filter(({ row }) => leftOut.has(row.number))
  if (named.length === 0) return nothing
  const [are, links, them] = named.length === 1 ? ["is", "its link", "it"] : ["are", "their links", "them"]
  return html`<p class="note">${counted(named.length, "row")} that you ticked ${are} not ticked any more, because ${links} ${named.length === 1 ? "was" : "were"} ordered since, outside this sheet:${placesOf(path, named)}. Tick ${them} again to order ${them} once more.</p>`
}

const faultNote = (path: string, rows: ReadonlyArray<ShownRow>): Html => {
  const faulty = rows.filter(({ row, problems }) => row.orderId === null && problems.length > 0)
  if (faulty.length === 0) return nothing
  return html`<p class="problem">${counted(faulty.length, "row")} cannot be bought as ${faulty.length === 1 ? "it is" : "they are"}:${placesOf(path, faulty)}. The others can. Correct ${faulty.length === 1 ? "it" : "them"} in your file and upload it again: what you bought by then is not ticked there.</p>`
}

const rowsSection = (path: string, view: SheetView, rows: ReadonlyArray<ShownRow>, from: number): Html => {
  const { sheet } = view
  const shown = rows.slice(from - 1, from - 1 + ROWS_SHOWN)
  const next = from + ROWS_SHOWN <= rows.length ? from + ROWS_SHOWN : null
  const links = pageLinks(
    { path, at: from === 1 ? null : from, next },
    { first: "First rows", next: "More rows" },
    { name: "from" }
  )
  const buttons = html`<form id="${TICKS}" class="inline" method="post" action="${path}/rows">
<input type="hidden" name="revision" value="${sheet.revision}">
<input type="hidden" name="from" value="${from}">
<div class="row"><button class="btn" type="submit">Keep these ticks</button> <button class="btn" type="submit" name="which" value="new">Tick all new rows</button> <button class="btn" type="submit" name="which" value="none">Untick all</button></div>
</form>
<p class="hint">Changed a tick? Press “Keep these ticks”, and the total above follows. The other two are for all rows of the sheet; new rows are those that you have not ordered in the last 90 days.</p>`
  const ticked = tickedIn(view)
  const total = formatEur(sum(view.priced.orders.map(({ price }) => price.totalCents)))
  return html`<h2 id="rows">Rows ${from} to ${from + shown.length - 1} of ${rows.length}</h2>
<p>${ticked === 0 ? "No row is ticked." : `${counted(ticked, "row")} ticked in the whole sheet: ${total}.`}</p>
${rowsTable(shown)}
${shown.some(canBuy) ? buttons : nothing}
${links}`
}

export const sheetBody = Effect.fnUntraced(function* (visit: Visit<SignedIn>, view: SheetView) {
  const { sheet } = view
  const path = `${SHEETS}/${sheet.sheetId}`
  const rows = shownRows(view)
  const bought = rows.filter(({ row }) => row.orderId !== null).length
  return html`<p>${counted(rows.length, "row")}: ${tickedIn(view)} ticked to be bought, ${bought} bought. A sheet is paid from your credit.</p>
${faultNote(path, rows)}
${leftOutNote(path, view, rows)}
${yield* priceSection(visit, view)}
${rowsSection(path, view, rows, firstRow(visit.query))}
<h2>Done with it?</h2>
<p>What was bought stays bought. A sheet is removed by itself 90 days after its upload.</p>
${button(`${path}/remove`, "Remove this sheet", { kind: "grave" })}`
})
