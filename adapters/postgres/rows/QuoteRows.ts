// The table of quotes.
import { Quote } from "#core/domain/Quote.ts"
import { table } from "./Table.ts"

/** The statuses of open quotes, as an SQL list. Written as in the indexes of open quotes, so that they are used. */
export const OPEN = "('awaiting_payment', 'awaiting_approval')"

/** SQL for the lines of a quote, which are not stored where they are those of its order's links. */
export const linesOf = (alias: string): string =>
  `CASE WHEN ${alias}.lines = '[]' AND ${alias}.order_id IS NOT NULL THEN lines_of(${alias}.order_id) ELSE ${alias}.lines END`

/** Written with the columns that others have in the quote's row: its binding, its order, and the code that it uses. */
export const quotes = table(Quote.fields, {
  derived: { lines: linesOf },
  listed: [
    ...["quoteId", "accountId", "keyId", "mode", "lines", "itemsDigest", "grossCents", "discount", "totalCents"],
    ...["creditCents", "cardCents", "holdId", "warnings", "status", "abandonedBy", "orderId", "creditedCents"],
    ...["idempotencyKey", "paymentToken", "paymentUrl", "sessionId", "createdAtMs", "expiresAtMs", "abandonedAtMs"],
    ...["paymentPendingAtMs", "endedSessionId", "fingerprint", "answerStatus", "answerBody", "answerFreedAtMs"],
    ...["orderedAtMs", "orderStatus", "approvedBy", "approvedAtMs", "declinedReason", "promoCode"]
  ]
})
