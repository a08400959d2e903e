// One entry of the activity log, and its position in time order.
import type { AuditRecord } from "../members/AuditRecord.ts"
import type { AbandonedBy, Quote } from "../ordering/Quote.ts"
import { idPrefixAt, idTimeMs, type Millis } from "../shared/DecisionContext.ts"
import type { QuoteId } from "../shared/Ids.ts"
import type { LedgerEntry } from "../wallet/Ledger.ts"
import type { OrderEvent } from "../webhooks/Event.ts"

/** Sorts as text, by the time of the decision. */
export type Position = string

export type ActivityEvent = { readonly position: Position; readonly atMs: Millis } & (
  | ({ readonly _tag: "QuoteOpened" } & OpenedQuote)
  | ({ readonly _tag: "QuoteAbandoned"; readonly by: AbandonedBy } & Pick<Quote, "quoteId" | "accountId" | "mode">)
  | ({ readonly _tag: "OrderEvent" } & Pick<OrderEvent, "type" | "mode" | "accountId" | "orderId" | "linkId">)
  /** A top-up, a late payment, a cancelled link or an adjustment. Holds, releases and captures show in their quote. */
  | { readonly _tag: "WalletCredited"; readonly entry: LedgerEntry }
  | { readonly _tag: "OperatorActed"; readonly record: AuditRecord }
)

type OpenedQuote = Pick<Quote, "quoteId" | "accountId" | "mode" | "totalCents" | "creditCents" | "cardCents">

/** The id without its type and mode: the id prefix of its decision, and the ordinal within it. */
export const positionOfId = (id: string): Position => id.slice(id.lastIndexOf("_") + 1)

/**
 * An abandonment has no id. It is positioned after every decision that began in the same millisecond, and so after the opening of its
 * quote.
 */
export const positionOfAbandonment = (quoteId: QuoteId, atMs: Millis): Position =>
  `${idPrefixAt(atMs)}~${positionOfId(quoteId)}`

/** The position before everything of that millisecond. */
export const positionAt = (atMs: Millis): Position => idPrefixAt(atMs)

/** The position `byMs` earlier, at most back to the beginning. Text that is not a position counts as the beginning. */
export const earlier = (position: Position, byMs: Millis): Position => {
  const atMs = idTimeMs(position)
  return atMs === undefined ? "" : positionAt(Math.max(0, atMs - byMs))
}
