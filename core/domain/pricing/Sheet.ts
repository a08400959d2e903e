// A sheet of links: rows that a person uploads to the Shop and buys in orders of at most `MAX_ITEMS` links. The orders of a sheet are numbered,
// and each has an idempotency key that follows from its number. A row is marked with its order before the next order is made up, so that no row
// is in two.
import { Schema } from "effect"
import { canonicalJson } from "../shared/CanonicalJson.ts"
import { DAY_MS, Millis } from "../shared/DecisionContext.ts"
import { AccountId, MemberId, OrderId, SheetId } from "../shared/Ids.ts"
import { MAX_ITEMS, OrderItem } from "./Cart.ts"
import type { Cents } from "./Money.ts"
import { readWords, requestedUrl } from "./SameItems.ts"

export const MAX_SHEET_ROWS = 500

/** How many sheets an account keeps at a time. */
export const MAX_SHEETS = 20

/** How long a sheet is kept after it was uploaded. */
export const SHEET_KEPT_MS = 90 * DAY_MS

/** How long a link that the account ordered makes an equal row one that is bought already. */
export const ORDERED_LATELY_MS = 90 * DAY_MS

/** What is wrong with a row as it was uploaded; `column` is `null` where it is the row as a whole. */
export const RowFault = Schema.Struct({ column: Schema.NullOr(Schema.String), message: Schema.String })
export type RowFault = typeof RowFault.Type

/** The cells of a row by the names of the columns that the sheet knows, as they were written. */
export const Cells = Schema.Record(Schema.String, Schema.String)
export type Cells = typeof Cells.Type

export const SheetRow = Schema.Struct({
  /** Position among the rows, from 1. */
  number: Schema.Int,
  /** Where the row begins in the uploaded text, from 1. */
  line: Schema.Int,
  /** `null` where the row has faults. */
  item: Schema.NullOr(OrderItem),
  cells: Cells,
  faults: Schema.Array(RowFault),
  /** Ticked: to be bought with the next orders. */
  chosen: Schema.Boolean,
  /** When it was last ticked or unticked, or uploaded. */
  chosenAtMs: Millis,
  /** `null` until the row is bought. */
  orderId: Schema.NullOr(OrderId)
})
export type SheetRow = typeof SheetRow.Type

export const Sheet = Schema.Struct({
  sheetId: SheetId,
  accountId: AccountId,
  /** Who uploaded it. */
  memberId: MemberId,
  /** The name of the file; of pasted rows, the day. */
  name: Schema.String,
  createdAtMs: Millis,
  /** Rises with each change of what is chosen, so that a page that shows an earlier choice buys nothing. */
  revision: Schema.Int,
  /** For the first order. */
  promoCode: Schema.NullOr(Schema.String),
  /** How many orders its rows are marked with. */
  orders: Schema.Int
})
export type Sheet = typeof Sheet.Type

export interface SheetWithRows {
  readonly sheet: Sheet
  /** In the order of their numbers. */
  readonly rows: ReadonlyArray<SheetRow>
}

export interface SheetSummary {
  readonly sheet: Sheet
  readonly rowCount: number
  readonly faultCount: number
  readonly boughtCount: number
}

export interface ChosenRows {
  readonly from: number
  readonly to: number
  readonly chosen: ReadonlyArray<number>
  readonly atMs: Millis
}

/** A change of what is chosen. It raises the revision. */
export interface SheetChoice {
  readonly sheetId: SheetId
  /** The revision that it changes; nothing is changed of another one. */
  readonly revision: number
  /** Among the open rows from the first number to the last, those with these numbers are chosen, and no others. */
  readonly rows?: ChosenRows
  readonly promoCode?: string | null
}

/** The idempotency key of the `nth` order of a sheet, from 1. No agent can send such a key, because it has spaces. */
export const sheetOrderKey = (sheetId: SheetId, nth: number): string => `sheet ${sheetId} ${nth}`

/** That of the order that is made next: every earlier one is marked. */
export const nextOrderKey = ({ sheetId, orders }: Sheet): string => sheetOrderKey(sheetId, orders + 1)

/** A row that may be bought. */
export type OpenRow = SheetRow & { readonly item: OrderItem }

export const isOpenRow = (row: SheetRow): row is OpenRow => row.item !== null && row.orderId === null

/** Rows in the parts that an order each takes. */
export const inOrders = <Row>(rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> =>
  Array.from({ length: Math.ceil(rows.length / MAX_ITEMS) }, (_, nth) =>
    rows.slice(nth * MAX_ITEMS, (nth + 1) * MAX_ITEMS)
  )

type SameLink = Pick<OrderItem, "siteId" | "targetUrl" | "anchorText">

/** Equal for links of the same site, target and anchor text, as look-alikes are compared. */
export const sameLinkKey = ({ siteId, targetUrl, anchorText }: SameLink): string =>
  JSON.stringify([siteId, requestedUrl(targetUrl), readWords(anchorText)])

/** A link that the account ordered. */
export interface OrderedBefore extends SameLink {
  readonly orderId: OrderId
  readonly orderedAtMs: Millis
}

/** What keeps an open row from being chosen at first. */
export type Repeated =
  /** The account ordered the same link lately, and not by this sheet. */
  | { readonly by: "order"; readonly orderId: OrderId; readonly orderedAtMs: Millis }
  /** An earlier row is the same link. */
  | { readonly by: "row"; readonly number: number }

/** The rows that repeat something, each by its number. The latest order counts. */
export const repeatedRows = (
  rows: ReadonlyArray<SheetRow>,
  ordered: ReadonlyArray<OrderedBefore>
): ReadonlyMap<number, Repeated> => {
  const own = new Set(rows.map(({ orderId }) => orderId))
  const before = new Map<string, OrderedBefore>()
  for (const one of ordered) {
    const key = sameLinkKey(one)
    const known = before.get(key)
    if (!own.has(one.orderId) && (known === undefined || known.orderedAtMs < one.orderedAtMs)) before.set(key, one)
  }
  const earlier = new Map<string, number>()
  const repeated = new Map<number, Repeated>()
  for (const row of rows) {
    if (row.item === null) continue
    const key = sameLinkKey(row.item)
    const same = earlier.get(key)
    const order = before.get(key)
    earlier.set(key, same ?? row.number)
    if (row.orderId !== null) continue
    if (order !== undefined)
      repeated.set(row.number, { by: "order", orderId: order.orderId, orderedAtMs: order.orderedAtMs })
    else if (same !== undefined) repeated.set(row.number, { by: "row", number: same })
  }
  return repeated
}

/** The rows of a new sheet, with those chosen that can be bought and repeat nothing. */
export const chosenAtFirst = (
  rows: ReadonlyArray<SheetRow>,
  ordered: ReadonlyArray<OrderedBefore>
): ReadonlyArray<SheetRow> => {
  const repeated = repeatedRows(rows, ordered)
  return rows.map((row) => ({ ...row, chosen: isOpenRow(row) && !repeated.has(row.number) }))
}

/** The rows that stay chosen: one that repeats an order newer than its tick is not, because who ticked it could not know of that order. */
export const stillChosen = (
  rows: ReadonlyArray<SheetRow>,
  ordered: ReadonlyArray<OrderedBefore>
): ReadonlyArray<SheetRow> => {
  const repeated = repeatedRows(rows, ordered)
  return rows.map((row) => {
    const same = repeated.get(row.number)
    return row.chosen && same?.by === "order" && same.orderedAtMs > row.chosenAtMs ? { ...row, chosen: false } : row
  })
}

/** Numbers as text, in ranges: `1-20 22 24-41`. The same numbers in any order are the same text. */
export const rangesOf = (numbers: Iterable<number>): string => {
  const ranges: Array<[first: number, last: number]> = []
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range !== undefined && range[1] === number - 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(" ")
}

/** The numbers of the open rows that an order of these items bought. Among equal rows, those that are chosen come first. */
export const rowsBought = (rows: ReadonlyArray<SheetRow>, items: ReadonlyArray<OrderItem>): ReadonlyArray<number> => {
  const open = rows.filter(isOpenRow).toSorted((a, b) => Number(b.chosen) - Number(a.chosen) || a.number - b.number)
  const byItem = Map.groupBy(open, ({ item }) => canonicalJson(item))
  return items.flatMap((item) => byItem.get(canonicalJson(item))?.shift()?.number ?? []).toSorted((a, b) => a - b)
}

/** How many of the orders credit pays, in their order, each as a whole; and what is missing for all of them. */
export const coveredBy = (
  availableCents: Cents,
  totals: ReadonlyArray<Cents>
): { readonly count: number; readonly cents: Cents; readonly missingCents: Cents } => {
  let cents = 0
  let count = 0
  for (const total of totals) {
    if (cents + total > availableCents) break
    cents += total
    count++
  }
  const wantedCents = totals.reduce((sum, total) => sum + total, 0)
  return { count, cents, missingCents: Math.max(0, wantedCents - availableCents) }
}
