// The table of quotes.
import { Quote } from "#core/domain/ordering/Quote.ts"
import { byAccountNo } from "./AccountRows.ts"
import { storedTable } from "./StoredTable.ts"

/** The statuses of open quotes, as an SQL list. Written as in the indexes of open quotes, so that they are used. */
export const OPEN = "('awaiting_payment', 'awaiting_approval')"

/** SQL for the lines of a quote, which are not stored where they are those of its order's links. */
export const linesOf = (alias: string): string =>
  `CASE WHEN ${alias}.lines = '[]' AND ${alias}.order_id IS NOT NULL THEN lines_of(${alias}.order_id) ELSE ${alias}.lines END`

/** SQL for the discount of a quote, as JSON. */
export const discountOf = (alias: string): string => `${alias}.discount::jsonb`

/** SQL that finds quotes `alias` of a key for the same items, SQL expressions both, by its index beside that of the creation time. */
export const isAlike = (alias: string, keyId: string, itemsDigest: string): string =>
  `hashtextextended(${alias}.items_digest, hashtextextended(${alias}.key_id, 0))
      = hashtextextended(${itemsDigest}, hashtextextended(${keyId}, 0))
    AND ${alias}.key_id = ${keyId} AND ${alias}.items_digest = ${itemsDigest} AND ${alias}.status <> 'abandoned'`

/** Written with the columns that others have in the quote's row: its binding, its order, and the code that it uses. */
export const quotes = storedTable("quotes", Quote.fields, {
  derived: { ...byAccountNo, lines: linesOf, discount: discountOf }
})
