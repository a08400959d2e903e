// The states of a quote.
import { Schema } from "effect"

/** `awaiting_approval`: a human decides whether it becomes an order at all. Nothing can be paid for it yet. */
export const QuoteStatus = Schema.Literals(["awaiting_approval", "awaiting_payment", "paid", "abandoned"])
export type QuoteStatus = typeof QuoteStatus.Type
