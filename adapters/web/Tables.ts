// Tables of pages, whose columns are data, and the links between the pages of a list.
import { Html, html, nothing } from "#adapters/html/Html.ts"

const HIGH_PERCENT = 70

type Cell = Html | string | number

export interface Column<Row> {
  readonly head: Html
  readonly cell: (row: Row) => Html
}

/** The first column, which names the row. */
export const named = <Row>(head: string, cell: (row: Row) => Cell): Column<Row> => ({
  head: html`<th scope="col">${head}</th>`,
  cell: (row) => html`<th scope="row">${cell(row)}</th>`
})

/** What says that there is nothing. */
const NONE = new Set(["0.00 EUR", "none", "–"])

/** `label`: before the cell on a small screen, where the table has no head, and where a cell that says nothing is left out. */
export const column = <Row>(head: string, cell: (row: Row) => Cell, label = head): Column<Row> => ({
  head: html`<th scope="col">${head}</th>`,
  cell: (row) => {
    const shown = html`${cell(row)}`
    return html`<td${new Html(NONE.has(shown.text) ? ' class="zero"' : "")} data-label="${label}">${shown}</td>`
  }
})

/** A cell that says what it is, such as a state. */
export const plainly = <Row>(head: string, cell: (row: Row) => Cell): Column<Row> => ({
  head: html`<th scope="col">${head}</th>`,
  cell: (row) => html`<td>${cell(row)}</td>`
})

export const money = <Row>(head: string, cell: (row: Row) => Cell): Column<Row> => ({
  head: html`<th scope="col" class="money">${head}</th>`,
  cell: (row) => html`<td class="money">${cell(row)}</td>`
})

/** Numbers to compare, with their label on a small screen. */
export const numbers = <Row>(head: string, cell: (row: Row) => Cell, label = head): Column<Row> => ({
  head: html`<th scope="col" class="num">${head}</th>`,
  cell: (row) => html`<td class="num" data-label="${label}">${cell(row)}</td>`
})

/** The last column: what can be done with the row. */
export const actions = <Row>(cell: (row: Row) => Html): Column<Row> => ({
  head: html`<td></td>`,
  cell: (row) => {
    const shown = cell(row)
    return shown.text === "" ? html`<td></td>` : html`<td><div class="row">${shown}</div></td>`
  }
})

/** `empty`: said instead of a table without rows. */
export const table = <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>, empty?: Cell): Html =>
  rows.length === 0 && empty !== undefined
    ? html`<p class="empty">${empty}</p>`
    : html`<table>
<thead><tr>${columns.map(({ head }) => head)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>\n${columns.map(({ cell }) => html`${cell(row)}\n`)}</tr>`)}</tbody>
</table>`

export interface Place {
  readonly path: string
  /** The conditions of the list. */
  readonly filters?: URLSearchParams
  /** Where this page begins; `null` for the first one. */
  readonly at: string | number | null
  /** Where the next page begins; `null` where this is the last one. */
  readonly next: string | number | null
}

/** The address of a list with these conditions, from this place on. */
export const addressOf = (
  path: string,
  filters = new URLSearchParams(),
  place: Readonly<Record<string, string>> = {}
): string => {
  const query = new URLSearchParams([...filters, ...Object.entries(place)])
  return query.size === 0 ? path : `${path}?${query}`
}

/** `name`: of the parameter that bears the place. `more`: further links. */
export const pageLinks = (
  { path, filters, at, next }: Place,
  texts: { readonly first: string; readonly next: string },
  { name = "before", more = [] }: { readonly name?: string; readonly more?: ReadonlyArray<Html> } = {}
): Html => {
  const links = [
    ...(at === null ? [] : [html`<a href="${addressOf(path, filters)}">${texts.first}</a>`]),
    ...(next === null
      ? []
      : [html`<a rel="next" href="${addressOf(path, filters, { [name]: String(next) })}">${texts.next}</a>`]),
    ...more
  ]
  return links.length === 0
    ? nothing
    : html`<nav aria-label="Pages"><ul class="pages">\n${links.map((link) => html`<li>${link}</li>\n`)}</ul></nav>`
}

/** A term of a list of facts or sums. `left`: of what is left of them. */
export const term = (name: string, value: Cell, left = false): Html => {
  const look = left ? new Html(' class="left"') : nothing
  return html`<dt${look}>${name}</dt><dd${look}>${value}</dd>`
}

/** A bar of what is used of a limit, from 0 to 1; near its end it is of another colour. `says`: the same in words. */
export const meter = (share: number, says: string): Html => {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  const look = percent >= HIGH_PERCENT ? "meter high" : "meter"
  return html`<svg class="${look}" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="${says}"><rect width="${percent}" height="6"></rect></svg>`
}

/** Figures as cards: what it is, how much, and what that means. */
export const figures = (
  cards: ReadonlyArray<readonly [label: string, amount: Html | string, note?: Html | string]>
): Html =>
  html`<ul class="cards figures">\n${cards.map(
    ([label, amount, note]) =>
      html`<li class="card pad stack"><span class="small">${label}</span><span class="figure">${amount}</span>${note === undefined ? nothing : html`<span class="small">${note}</span>`}</li>\n`
  )}</ul>`
