// The rows of a sheet as a person sees them: what each links to, its price, what is wrong with it, and whether it is ticked.
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import {
  type Cells,
  isOpenRow,
  type Repeated,
  type RowFault,
  repeatedRows,
  type SheetRow
} from "#core/domain/pricing/Sheet.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { SheetView } from "#core/usecases/ordering/BuySheet.ts"
import { wordsOf } from "../ErrorWords.ts"
import { afterLabel, faultWords } from "../form/FaultWords.ts"
import { type Column, money, named, plainly, table } from "../Tables.ts"
import { columnLabel } from "./SheetFile.ts"

/** How many rows a page shows. */
export const ROWS_SHOWN = 100

/** A row with all that its page says of it. */
export interface ShownRow {
  readonly row: SheetRow
  readonly domain: string
  readonly price: string
  /** Why it cannot be bought; empty where it can. */
  readonly problems: ReadonlyArray<string>
  readonly repeated: Repeated | undefined
}

/** Nothing was to be ordered yet, and of the rules of a cart a row breaks only these two. */
const problemOf = (refusal: Refusal): string => {
  if (refusal._tag === "SiteUnavailable") return "This site takes no orders at the moment."
  if (refusal._tag !== "CartInvalid") return wordsOf(refusal).says
  const [{ path, message }] = refusal.faults
  return path.field === "opportunityId" ? "An opportunity needs the project that it belongs to." : message
}

const faultText = ({ column, message }: RowFault, cells: Cells): string =>
  column === null ? message : `${columnLabel(column)}${afterLabel(faultWords(message, cells[column] ?? ""))}`

const shownRow = ({ priced }: SheetView, repeated: ReadonlyMap<number, Repeated>, row: SheetRow): ShownRow => {
  const { number, cells, faults } = row
  const found = priced.rows.get(number)
  const refused = found?._tag === "Refused" ? [problemOf(found.refusal)] : []
  return {
    row,
    domain: found?._tag === "Priced" ? found.domain : (cells["site"] ?? ""),
    price: found?._tag === "Priced" ? formatEur(found.priceCents) : "",
    problems: [...faults.map((fault) => faultText(fault, cells)), ...refused],
    repeated: repeated.get(number)
  }
}

export const shownRows = (view: SheetView): ReadonlyArray<ShownRow> => {
  const repeated = repeatedRows(view.rows, view.ordered)
  return view.rows.map((row) => shownRow(view, repeated, row))
}

/** Whether a tick makes it one of those that the next orders buy. */
export const canBuy = ({ row, problems }: ShownRow): boolean => isOpenRow(row) && problems.length === 0

/** The form of the ticks, which stands below the table. */
export const TICKS = "ticks"

const tickOf = (shown: ShownRow): Html => {
  const { number, chosen } = shown.row
  return canBuy(shown)
    ? html`<label class="num"><input form="${TICKS}" name="row" type="checkbox" value="${number}"${chosen ? html` checked` : nothing}> ${number}</label>`
    : html`${number}`
}

/** What became of it, or why it is not ticked. */
const statesOf = ({ row: { orderId }, problems, repeated }: ShownRow): ReadonlyArray<Html> => {
  if (orderId !== null) return [html`<a href="/account/orders/${orderId}">Bought</a>`]
  if (problems.length > 0) return problems.map((problem) => html`<span class="error">${problem}</span>`)
  if (repeated === undefined) return []
  return repeated.by === "order"
    ? [html`<a href="/account/orders/${repeated.orderId}">You ordered it</a> ${instant(repeated.orderedAtMs)}`]
    : [html`The same as row ${repeated.number}`]
}

const targetOf = ({ item, cells }: SheetRow): string =>
  item === null ? isolated(cells["target_url"] ?? "") : shownTarget(item.targetUrl)

const anchorOf = ({ item, cells }: SheetRow): string => {
  const anchor = item?.anchorText ?? cells["anchor_text"] ?? ""
  return anchor === "" ? "no anchor text" : `“${isolated(anchor)}”`
}

const columns: ReadonlyArray<Column<ShownRow>> = [
  named("Row", tickOf),
  plainly("Site", ({ domain }) => isolated(domain)),
  plainly(
    "Link",
    (shown) =>
      html`${anchorOf(shown.row)}<br><small>${targetOf(shown.row)}</small>${statesOf(shown).map((state) => html`<br>${state}`)}`
  ),
  money("Price", ({ price }) => price)
]

export const rowsTable = (rows: ReadonlyArray<ShownRow>): Html => table(columns, rows)
