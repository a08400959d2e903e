// Reads the text of a sheet of links: its columns by their names, and each row as an item of an order, by the API's own schema, or with all that is
// wrong with it.
import { Result, Schema } from "effect"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import { OrderItem, readOrder } from "#adapters/contract/ordering/OrderRequest.ts"
import { hostOf } from "#adapters/contract/schema/DomainName.ts"
import { csvLine } from "#adapters/contract/shared/Csv.ts"
import { type CsvRecord, csvRecords } from "#adapters/contract/shared/CsvRecords.ts"
import { type Cells, MAX_SHEET_ROWS, type RowFault } from "#core/domain/pricing/Sheet.ts"
import type { ReadRow } from "#core/usecases/ordering/KeepSheets.ts"

interface SheetColumn {
  /** What people read; it names the column in a file, too. */
  readonly label: string
  /** Other names that people give it, in lower case with `_` for everything but letters and digits. */
  readonly also: ReadonlyArray<string>
  readonly hint: string
  readonly required?: true
}

/** The name of a column leads to what is known of it, in the order of the example. */
const SHEET_COLUMNS = {
  site: {
    label: "Site",
    also: ["site_id", "domain", "website"],
    hint: "The domain of a site of the Shop, or its number.",
    required: true
  },
  target_url: {
    label: "Target URL",
    also: ["target", "url", "links_to"],
    hint: "The whole address of the page to link to.",
    required: true
  },
  anchor_text: {
    label: "Anchor text",
    also: ["anchor"],
    hint: "The words that carry the link, 120 characters at most.",
    required: true
  },
  anchor_type: {
    label: "Anchor type",
    also: [],
    hint: "exact, partial, branded, generic or naked URL; branded if empty."
  },
  article_id: {
    label: "Article",
    also: ["article"],
    hint: "The number of an article of this site, for a link in it; empty for a new article."
  },
  tier2_links: { label: "Tier-2 links", also: ["tier_2_links"], hint: "0, 1, 3 or 5 tier-2 links; 0 if empty." },
  project_id: { label: "Project", also: ["project"], hint: "An AI-visibility project that the link is for." },
  opportunity_id: { label: "Opportunity", also: ["opportunity"], hint: "An open question of that project’s plan." },
  brief: {
    label: "Brief",
    also: ["wishes", "wishes_for_the_writer"],
    hint: "Wishes for the writer, 2,000 characters at most."
  },
  reference: {
    label: "Reference",
    also: ["your_reference"],
    hint: "Your own reference of the link, 100 characters at most."
  }
} as const satisfies Record<string, SheetColumn>

export type SheetColumnName = keyof typeof SHEET_COLUMNS

// The entries of a record lose the type of its names.
export const COLUMNS: ReadonlyArray<readonly [SheetColumnName, SheetColumn]> = Object.entries(SHEET_COLUMNS) as never

const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")

export const columnLabel = (name: string): string => COLUMNS.find(([column]) => column === name)?.[1].label ?? name

const columnOf = (head: string): SheetColumnName | undefined => {
  const name = folded(head)
  return COLUMNS.find(([column, { also }]) => column === name || also.includes(name))?.[0]
}

/** A sheet whose rows can be read. */
export interface SheetText {
  readonly records: ReadonlyArray<{ readonly line: number; readonly cells: Cells }>
  /** Heads of columns that are left out. */
  readonly unknown: ReadonlyArray<string>
}

const listed = (names: ReadonlyArray<string>): string => names.map((name) => `“${name}”`).join(", ")

/** "“a”, “b” and “c”". */
const enumerated = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? listed(names) : `${listed(names.slice(0, -1))} and ${listed(names.slice(-1))}`

/** What keeps the sheet as a whole from being read. */
const headFault = (head: ReadonlyArray<string>, columns: ReadonlyArray<SheetColumnName | undefined>) => {
  const missing = COLUMNS.filter(([name, { required }]) => required && !columns.includes(name)).map(
    ([, { label }]) => label
  )
  if (missing.length > 0)
    return `The first line names the columns, and ${enumerated(missing)} ${missing.length === 1 ? "is" : "are"} missing from it. It says: ${listed(head.slice(0, 20).map((name) => name.slice(0, 60)))}.`
  const twice = columns.find((name, index) => name !== undefined && columns.indexOf(name) < index)
  return twice === undefined ? undefined : `Two columns are for “${columnLabel(twice)}”: leave one of them out.`
}

const cellsOf = (columns: ReadonlyArray<SheetColumnName | undefined>, { cells }: CsvRecord): Cells =>
  Object.fromEntries(
    columns.flatMap((name, index) => {
      const cell = cells[index] ?? ""
      return name === undefined || cell === "" ? [] : [[name, cell]]
    })
  )

/** Some spreadsheets name the delimiter in a line before the head. */
const withoutDelimiterLine = (text: string): string => text.replace(/^\uFEFF?sep=.\r?\n/i, "")

/** Its rows, or why it cannot be read. */
export const readSheetText = (text: string): Result.Result<SheetText, string> => {
  // The head, the rows, and one more to see that there are too many.
  const read = csvRecords(withoutDelimiterLine(text), MAX_SHEET_ROWS + 2)
  if (Result.isFailure(read)) return Result.fail(`Line ${read.failure.line}: ${read.failure.message}`)
  const [head, ...rest] = read.success
  if (head === undefined) return Result.fail("There is nothing in it: choose a file, or paste rows.")
  const columns = head.cells.map(columnOf)
  const fault = headFault(head.cells, columns)
  if (fault !== undefined) return Result.fail(fault)
  const records = rest
    .map((record) => ({ line: record.line, cells: cellsOf(columns, record) }))
    .filter(({ cells }) => Object.keys(cells).length > 0)
  if (records.length === 0) return Result.fail("It has a line with the names of the columns, and no row.")
  if (records.length > MAX_SHEET_ROWS)
    return Result.fail(
      `It has more than ${MAX_SHEET_ROWS} rows, the most that one sheet takes: divide it into several.`
    )
  const unknown = head.cells.filter((name, index) => columns[index] === undefined && name !== "")
  return Result.succeed({ records, unknown })
}

const isNumber = (cell: string): boolean => /^\d{1,10}$/.test(cell)

const numeric = (cell: string | undefined): string | number | undefined =>
  cell !== undefined && isNumber(cell) ? Number(cell) : cell

/** The domain as sites are listed by. */
const domainIn = (cell: string): string => hostOf(cell.replace(/^https?:\/\//i, "").replace(/\/$/, "")) ?? cell

/** The domains by which rows name their sites. */
export const domainsIn = ({ records }: SheetText): ReadonlyArray<string> => [
  ...new Set(records.flatMap(({ cells: { site = "" } }) => (site === "" || isNumber(site) ? [] : [domainIn(site)])))
]

const decodeItem = Schema.decodeUnknownResult(OrderItem, { errors: "all" })

/** The column that a member of an item is written in; `format` follows from the article. */
const MEMBERS: Readonly<Record<string, SheetColumnName>> = { site_id: "site", format: "article_id" }

const siteFault = ({ site }: Cells, siteId: string | number | undefined): ReadonlyArray<RowFault> =>
  site === undefined || siteId !== undefined
    ? []
    : [{ column: "site", message: `No site of the Shop is called “${site.slice(0, 100)}”.` }]

/** `siteIds`: of sites by their domains. */
const readRow =
  (siteIds: ReadonlyMap<string, number>) =>
  ({ line, cells }: SheetText["records"][number]): ReadRow => {
    const { site, article_id: article, tier2_links: tier2, anchor_type: type, ...texts } = cells
    const siteId = site === undefined || isNumber(site) ? numeric(site) : siteIds.get(domainIn(site))
    const body = {
      ...texts,
      site_id: siteId,
      anchor_type: type === undefined ? "branded" : folded(type),
      format: article === undefined ? "new_article" : "insertion",
      article_id: numeric(article),
      tier2_links: numeric(tier2)
    }
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const unnamed = siteFault(cells, siteId)
    const decoded = decodeItem(given)
    if (Result.isSuccess(decoded)) {
      const [item = null] = readOrder({ items: [decoded.success], dry_run: false }).items
      return { line, item, cells, faults: [] }
    }
    const errors = fieldErrors(faultsOf(decoded.failure.issue), "body").map(({ path, message }) => ({
      column: MEMBERS[path] ?? path,
      message
    }))
    const others = unnamed.length === 0 ? errors : errors.filter(({ column }) => column !== "site")
    return { line, item: null, cells, faults: [...unnamed, ...others] }
  }

export const readSheetRows = (text: SheetText, siteIds: ReadonlyMap<string, number>): ReadonlyArray<ReadRow> =>
  text.records.map(readRow(siteIds))

/** An example to fill in, with rows for these sites. */
export const exampleSheet = (domains: ReadonlyArray<string>): string => {
  const names = COLUMNS.map(([name]) => name)
  const rows: ReadonlyArray<Cells> = domains.map((site, index) => ({
    site,
    target_url: `https://shop.example/page-${index + 1}`,
    anchor_text: index === 0 ? "spring garden tools" : "Shop Example",
    anchor_type: index === 0 ? "partial" : "branded",
    tier2_links: "0",
    reference: `row ${index + 1}`
  }))
  return [names.map(columnLabel), ...rows.map((cells) => names.map((name) => cells[name] ?? ""))].map(csvLine).join("")
}
