// What goes on in the shop, as somebody who watches it is told, and where each thing stands in the order of time. What is
// watched for and how is decided elsewhere.
import type { AuditRecord } from "#core/domain/AuditRecord.ts"
import { idPrefixAt, idTimeMs, type Millis } from "./DecisionContext.ts"
import type { Event } from "./Event.ts"
import type { AbandonedBy, Quote } from "./Quote.ts"
import type { LedgerEntry } from "./Wallet.ts"

/** Sorts as text, by the time of the decision. */
export type Position = string

export type ActivityEvent = { readonly position: Position; readonly atMs: Millis } & (
  | ({ readonly _tag: "QuoteOpened" } & OpenedQuote)
  | ({ readonly _tag: "QuoteAbandoned"; readonly by: AbandonedBy } & Pick<Quote, "quoteId" | "accountId" | "mode">)
  | ({ readonly _tag: "OrderEvent" } & Omit<Event, "body" | "keyId" | "atMs">)
  /** A top-up, a late payment, a cancelled link: what a quote holds, releases and captures shows in the quote. */
  | { readonly _tag: "WalletCredited"; readonly entry: LedgerEntry }
  | { readonly _tag: "OperatorActed"; readonly record: AuditRecord }
)

type OpenedQuote = Pick<Quote, "quoteId" | "accountId" | "mode" | "totalCents" | "creditCents" | "cardCents">

/** The part of an id that tells its decision, and which of its things it is: ids of one decision keep their order. */
export const positionOfId = (id: string): Position => id.slice(id.lastIndexOf("_") + 1)

/**
 * The giving up of a quote has no id of its own: it stands behind all decisions that began in its millisecond, and so behind the
 * opening of that very quote.
 */
export const positionOfAbandonment = (quoteId: string, atMs: Millis): Position =>
  `${idPrefixAt(atMs)}~${positionOfId(quoteId)}`

/** Before everything of that millisecond and later. */
export const positionAt = (atMs: Millis): Position => idPrefixAt(atMs)

/** So much earlier, or the very beginning. Text that is no place is the beginning, too. */
export const earlier = (position: Position, byMs: Millis): Position => {
  const atMs = idTimeMs(position)
  return atMs === undefined ? "" : positionAt(Math.max(0, atMs - byMs))
}
