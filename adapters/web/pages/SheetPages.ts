// Sheets of links in the Shop: uploaded as a file or pasted, looked at with prices and faults, ticked, and bought from credit. A sheet's rows are
// bought once, however often its form is sent.
import { Clock, Effect, Result, Schema } from "effect"
import { registrableDomain } from "#adapters/contract/schema/TargetUrl.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { html, instant, isolated } from "#adapters/html/Html.ts"
import { longDay } from "#adapters/html/Times.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { MAX_SHEET_ROWS, type SheetSummary } from "#core/domain/pricing/Sheet.ts"
import { idBrands, SheetId } from "#core/domain/shared/Ids.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { BuySheet, type SheetPurchase } from "#core/usecases/ordering/BuySheet.ts"
import { KeepSheets, type NewChoice } from "#core/usecases/ordering/KeepSheets.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { wordsOf } from "../ErrorWords.ts"
import { uploadedText, wholeField } from "../form/FieldSchemas.ts"
import { file, hidden, lines } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { fileNameField } from "../form/Uploads.ts"
import { zoneOf } from "../frame/Reader.ts"
import { action, download, page, seeOther, titled, type Visit } from "../Page.ts"
import { COLUMNS, domainsIn, exampleSheet, readSheetRows, readSheetText } from "../shop/SheetFile.ts"
import { canBuy, ROWS_SHOWN, shownRows } from "../shop/SheetRowsView.ts"
import { buyForm, SHEETS, sheetBody, sheetCode } from "../shop/SheetView.ts"
import { type Column, column, named, plainly, table } from "../Tables.ts"

const EXAMPLE = `${SHEETS}/example.csv`

const upload = form({
  path: SHEETS,
  uploads: true,
  fields: {
    /** Makes a double click keep one sheet. */
    sheet: hidden(Schema.String.check(Schema.isPattern(/^[\w-]{22}$/)).pipe(idBrands.SheetId)),
    file: file("File", ".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values", {
      hint: `CSV, up to ${MAX_SHEET_ROWS} rows and 1 MB. The first line names the columns.`
    }),
    rows: lines(uploadedText, "Or paste the rows", {
      hint: "As you copy them from a spreadsheet, with the names of the columns."
    })
  },
  kind: "pay",
  button: "Read the sheet"
})

const choice = form({
  path: `${SHEETS}/:id/rows`,
  fields: {
    revision: hidden(wholeField(1, 999_999_999)),
    from: hidden(wholeField(1, MAX_SHEET_ROWS)),
    row: hidden(Schema.optionalKey(Schema.Array(wholeField(1, MAX_SHEET_ROWS)))),
    which: hidden(Schema.optionalKey(Schema.Literals(["new", "none"])))
  }
})

const sheetColumns: ReadonlyArray<Column<SheetSummary>> = [
  named("Sheet", ({ sheet }) => html`<a href="${SHEETS}/${sheet.sheetId}">${isolated(sheet.name)}</a>`),
  column("Uploaded", ({ sheet }) => instant(sheet.createdAtMs)),
  column("Rows", ({ rowCount }) => rowCount),
  column("Bought", ({ boughtCount }) => boughtCount),
  column("With faults", ({ faultCount }) => faultCount)
]

const hintColumns: ReadonlyArray<Column<(typeof COLUMNS)[number]>> = [
  named("Column", ([, { label }]) => label),
  plainly("What stands in it", ([, { hint }]) => hint),
  plainly("Needed", ([, { required = false }]) => (required ? "needed" : "can be empty"))
]

const sheetsPage = page("owner", SHEETS, { section: "Shop", title: "Sheets of links" }, function* (visit) {
  const sheets = yield* (yield* KeepSheets).list(visit.who)
  const values = { sheet: yield* (yield* WebShop).newId }
  const kept = sheets.length === 0 ? "" : html`<h2>Your sheets</h2>${table(sheetColumns, sheets)}`
  return html`<p>Order many links at once, in three steps. Nothing is ordered before the third.</p>
<section class="card pad" aria-label="Three steps"><ol class="stack">
<li><strong>Fill in the example</strong>, a row for each link: the site, the page to link to and the anchor text. <a href="${EXAMPLE}">Download an example</a></li>
<li><strong>Upload it here</strong>, or paste its rows.</li>
<li><strong>Tick what to order.</strong> You see the price and the faults of each row, and buy from your credit.</li>
</ol></section>
<h2>Upload a sheet</h2>
${yield* showForm(upload, visit, { values })}
<details><summary>All columns, also those that you can leave out</summary>
<p>Their order does not matter, and columns with other names are left out.</p>
${table(hintColumns, COLUMNS)}</details>
${kept}`
})

const callerOf = (who: SignedIn) => Effect.flatMap(WebShop, (shop) => shop.callerOf(who))

const viewOf = Effect.fnUntraced(function* ({ who, params }: Visit<SignedIn>) {
  const caller = yield* callerOf(who)
  return yield* (yield* BuySheet).view(caller, SheetId.make(params["id"] ?? ""), registrableDomain)
})

const sheetPage = page("owner", `${SHEETS}/:id`, { section: "Shop" }, function* (visit) {
  const view = yield* viewOf(visit)
  const { name } = view.sheet
  return titled(`Sheet ${isolated(name)}`, yield* sheetBody(visit, view), { above: [["Sheets of links", SHEETS]] })
})

const MAX_NAME = 100

/** What the sheet is called: as its file, or by its day. */
const nameOf = (fileName: string | null, day: string): string => {
  const name = (fileName ?? "").replaceAll(/\p{C}/gu, "").trim().slice(0, MAX_NAME)
  return name === "" ? `pasted on ${day}` : name
}

const pathOf = (sheetId: string): string => `${SHEETS}/${sheetId}`

/** What was bought, and why it is not all. */
const boughtText = ({ orderIds, rowCount, totalCents, stopped }: SheetPurchase): string => {
  const done = `${counted(rowCount, "link")} ${rowCount === 1 ? "was" : "were"} ordered for ${formatEur(totalCents)} from your credit, in ${counted(orderIds.length, "order")}.`
  return stopped === null ? done : `${done} Then it stopped: ${wordsOf(stopped).says}`
}

/** The page as it is now says so. */
const choose = (who: SignedIn, wish: NewChoice) =>
  KeepSheets.use((keep) => keep.choose(who, wish)).pipe(
    Effect.catchTag("SheetChanged", (refusal) => refuse(wordsOf(refusal).says, 409))
  )

const NOTHING_LEFT = "All of this was bought already, and nothing was bought twice."

export const sheetPages = [
  sheetsPage,
  submit("owner", upload, sheetsPage, function* ({ sheet: sheetId, file: sent, rows: pasted }, { who, form: fields }) {
    if (sent !== "" && pasted !== "") return yield* refuse({ rows: "Choose a file or paste rows, not both." })
    const text = readSheetText(sent === "" ? pasted : sent)
    if (Result.isFailure(text)) return yield* refuse({ [sent === "" ? "rows" : "file"]: text.failure })
    const keep = yield* KeepSheets
    const rows = readSheetRows(text.success, yield* keep.siteIdsOf(domainsIn(text.success)))
    const today = longDay(yield* Clock.currentTimeMillis, zoneOf(who.member))
    const name = nameOf(fields.get(fileNameField("file")), today)
    yield* keep
      .create(who, { sheetId, name, rows })
      .pipe(Effect.catchTag("SheetLimitReached", (refusal) => refuse(wordsOf(refusal).says, 409)))
    const { unknown } = text.success
    const left =
      unknown.length === 0 ? "" : ` Left out: ${unknown.slice(0, 20).map(isolated).join(", ").slice(0, 500)}.`
    return seeOther(pathOf(sheetId), `${counted(rows.length, "row")} read. Nothing was ordered yet.${left}`)
  }),
  download("owner", EXAMPLE, function* () {
    const { sites } = yield* (yield* BrowseCatalogue).search({
      filter: {},
      sort: "id",
      start: { kind: "offset", offset: 0 },
      limit: 2
    })
    const content = exampleSheet(sites.map(({ domain }) => domain))
    return {
      _tag: "File",
      name: "links.csv",
      contentType: "text/csv; charset=utf-8",
      content: new TextEncoder().encode(`\uFEFF${content}`)
    }
  }),
  sheetPage,
  submit("owner", choice, sheetPage, function* ({ revision, from, row = [], which }, visit) {
    const sheetId = SheetId.make(visit.params["id"] ?? "")
    const onPage = { from, to: from + ROWS_SHOWN - 1, chosen: row }
    const all = (chosen: ReadonlyArray<number>) => ({ from: 1, to: MAX_SHEET_ROWS, chosen })
    const numbersOfNew = Effect.map(viewOf(visit), (view) =>
      shownRows(view)
        .filter((shown) => canBuy(shown) && shown.repeated === undefined)
        .map((shown) => shown.row.number)
    )
    const rows = which === undefined ? onPage : all(which === "none" ? [] : yield* numbersOfNew)
    yield* choose(visit.who, { sheetId, revision, rows })
    return seeOther(from === 1 ? pathOf(sheetId) : `${pathOf(sheetId)}?from=${from}`, "Your ticks are kept.")
  }),
  submit("owner", sheetCode, sheetPage, function* ({ revision, promo_code: code }, { who, params }) {
    const sheetId = SheetId.make(params["id"] ?? "")
    const promoCode = code?.trim() ?? ""
    yield* choose(who, { sheetId, revision, promoCode: promoCode === "" ? null : promoCode })
    return seeOther(pathOf(sheetId))
  }),
  submit("owner", buyForm, sheetPage, function* (seen, { who, params }) {
    const sheetId = SheetId.make(params["id"] ?? "")
    const { buy } = yield* BuySheet
    const bought = yield* buy(yield* callerOf(who), {
      ...{ sheetId, revision: seen.revision, firstOrder: seen.first_order, lastOrder: seen.last_order },
      ...{ rows: seen.rows, totalCents: seen.total },
      domainOf: registrableDomain
    })
    if (bought.rowCount > 0) return seeOther(pathOf(sheetId), boughtText(bought))
    return bought.stopped === null
      ? seeOther(pathOf(sheetId), NOTHING_LEFT)
      : yield* refuse(wordsOf(bought.stopped).says, 409)
  }),
  action("owner", `${SHEETS}/:id/remove`, function* ({ who, params }) {
    yield* (yield* KeepSheets).remove(who, SheetId.make(params["id"] ?? ""))
    return seeOther(SHEETS, "The sheet was removed. What was bought stays bought.")
  })
]
