// Prepaid credit: the balance with the holds of open quotes, and the ledger of every movement.
import { Schema } from "effect"
import { awaitsApproval, isPaymentPending, MAX_OPEN_QUOTES, type PlacedQuote } from "#core/domain/ordering/Quote.ts"
import { EntryId, LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type Hold, MAX_HOLDS } from "#core/domain/wallet/Hold.ts"
import { type LedgerEntry as Entry, MovementKind } from "#core/domain/wallet/Ledger.ts"
import { Cents, Count, Eur, eurOfCents } from "../schema/Amount.ts"
import { NextCursor } from "../schema/Paging.ts"
import { PlacedBy, showPlacedBy } from "../schema/PlacedBy.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { Timestamp, timestamp } from "../schema/Text.ts"

const OpenQuote = Schema.Struct({
  quote_id: QuoteId,
  status: Schema.Literals(["awaiting_payment", "awaiting_approval"]),
  placed_by: PlacedBy,
  total_eur: Eur,
  card_amount_cents: Cents.annotate({
    description: "What a human has to pay, after the approval if it waits for that, cents."
  }),
  payment_pending: Schema.optionalKey(Schema.Literal(true)),
  expires_at: Timestamp
})

export const Balance = Schema.Struct({
  ok: Ok,
  currency: Schema.Literal("EUR"),
  available_cents: Cents.annotate({ description: "What the next order can use at once, cents." }),
  available_eur: Eur.annotate({ description: "The same in euros." }),
  owed_cents: Cents.annotate({
    description:
      "What is missing of top-ups that were refunded or disputed after they were spent, cents; 0 as a rule. The next credit pays it, and until then no order is paid from credit."
  }),
  held_cents: Cents.annotate({ description: "Set aside for open quotes, cents." }),
  holds: Schema.Array(Schema.Struct({ quote_id: QuoteId, cents: Cents, expires_at: Timestamp })).annotate({
    description: `At most ${MAX_HOLDS}, those that lapse last; \`held_cents\` has all.`
  }),
  open_quotes: Schema.Array(OpenQuote).annotate({
    description: `Unpaid quotes of the account, the last to lapse first; at most ${MAX_OPEN_QUOTES}.`
  }),
  orders_today: Schema.Struct({
    used: Count,
    limit: Schema.NullOr(Schema.Int).annotate({ description: "`null` when there is no cap." }),
    resets_at: Timestamp
  }).annotate({ description: "This key's daily order cap." }),
  sandbox: Sandbox
}).annotate({
  identifier: "Balance",
  description: "The account's prepaid credit. A sandbox key sees the real available credit and no holds."
})
export type Balance = typeof Balance.Type

export const LedgerEntry = Schema.Struct({
  entry_id: EntryId,
  kind: MovementKind.annotate({
    description:
      "`hold` sets credit aside for an open quote, `release` gives it back, `capture` spends credit on an order, held before or not; `recredit` is a cancelled link's price, `late_payment` a payment that came after its quote was given up, `adjustment` lowers the balance: a correction by the operator, or money that went back to the payer; `adjustment_reversed` gives back what an adjustment took, when the dispute of a top-up was won."
  }),
  amount_cents: Cents.annotate({ description: "What moved; always positive." }),
  balance_after_cents: Cents,
  held_after_cents: Cents,
  quote_id: Schema.NullOr(QuoteId),
  order_id: Schema.NullOr(OrderId),
  link_id: Schema.NullOr(LinkId),
  created_at: Timestamp
}).annotate({
  identifier: "LedgerEntry",
  description: "One movement of the account's credit. Never changed, never removed."
})
export type LedgerEntry = typeof LedgerEntry.Type

export const LedgerPage = Schema.Struct({
  ok: Ok,
  count: Count,
  entries: Schema.Array(LedgerEntry).annotate({ description: "Newest first." }),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "LedgerPage", description: "A page of the account's ledger." })
export type LedgerPage = typeof LedgerPage.Type

export const showOpenQuote = (quote: PlacedQuote): typeof OpenQuote.Type => ({
  quote_id: quote.quoteId,
  status: awaitsApproval(quote) ? "awaiting_approval" : "awaiting_payment",
  placed_by: showPlacedBy(quote.placedBy),
  total_eur: eurOfCents(quote.totalCents),
  card_amount_cents: quote.cardCents,
  ...(isPaymentPending(quote) ? { payment_pending: true as const } : {}),
  expires_at: timestamp(quote.expiresAtMs)
})

export const showBalance = (
  balance: {
    readonly availableCents: number
    readonly heldCents: number
    readonly owedCents: number
    readonly holds: ReadonlyArray<Hold>
    readonly openQuotes: ReadonlyArray<PlacedQuote>
    readonly ordersToday: { readonly used: number; readonly limit: number; readonly resetsAtMs: number }
  },
  sandbox: boolean
): Balance => ({
  ok: true,
  currency: "EUR",
  available_cents: balance.availableCents,
  available_eur: eurOfCents(balance.availableCents),
  owed_cents: balance.owedCents,
  held_cents: balance.heldCents,
  holds: balance.holds.map(({ quoteId, cents, expiresAtMs }) => ({
    quote_id: quoteId,
    cents,
    expires_at: timestamp(expiresAtMs)
  })),
  open_quotes: balance.openQuotes.map(showOpenQuote),
  orders_today: {
    used: balance.ordersToday.used,
    limit: balance.ordersToday.limit === 0 ? null : balance.ordersToday.limit,
    resets_at: timestamp(balance.ordersToday.resetsAtMs)
  },
  sandbox
})

export const showEntry = (entry: Entry): LedgerEntry => ({
  entry_id: entry.entryId,
  kind: entry.kind,
  amount_cents: entry.amountCents,
  balance_after_cents: entry.balanceAfterCents,
  held_after_cents: entry.heldAfterCents,
  quote_id: entry.quoteId,
  order_id: entry.orderId,
  link_id: entry.linkId,
  created_at: timestamp(entry.atMs)
})
