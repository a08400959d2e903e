// Prepaid credit: the balance with the holds of open quotes, and the ledger of every movement.
import { Schema } from "effect"
import { awaitsApproval, isPaymentPending, MAX_OPEN_QUOTES, type PlacedQuote } from "#core/domain/ordering/Quote.ts"
import { type Hold, MAX_HOLDS } from "#core/domain/wallet/Hold.ts"
import { type LedgerEntry as Entry, MovementKind } from "#core/domain/wallet/Ledger.ts"
import { Cents, Count, Currency, Eur, eurOfCents, integer, PageCount } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { NextCursor } from "../schema/Paging.ts"
import { PlacedBy, showPlacedBy } from "../schema/PlacedBy.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, timestamp } from "../schema/Text.ts"

const OpenQuote = Schema.Struct({
  quote_id: answerId.quote,
  status: Schema.Literals(["awaiting_payment", "awaiting_approval"]).annotate({
    description: "What it waits for: a human's payment, or first a human's approval."
  }),
  placed_by: PlacedBy,
  total_eur: Eur.annotate({ description: "What the order costs after discount, euros." }),
  card_amount_cents: Cents.annotate({
    description: "What a human has to pay, after the approval if it waits for that, cents."
  }),
  payment_pending: Schema.optionalKey(
    Schema.Literal(true).annotate({
      description: "A bank debit is under way, and the quote does not expire. Absent otherwise."
    })
  ),
  expires_at: at("When it expires unless it is paid or approved.")
})

export const Balance = Schema.Struct({
  ok: Ok,
  currency: Currency,
  available_cents: Cents.annotate({ description: "What the next order can use at once, cents." }),
  available_eur: Eur.annotate({ description: "The same in euros." }),
  owed_cents: Cents.annotate({
    description:
      "What is missing of top-ups that were refunded or disputed after they were spent, cents; 0 as a rule. The next credit pays it, and until then no order is paid from credit."
  }),
  held_cents: Cents.annotate({ description: "Set aside for open quotes, cents." }),
  holds: Schema.Array(
    Schema.Struct({
      quote_id: answerId.quote,
      cents: Cents.annotate({ description: "What the quote holds, cents." }),
      expires_at: at("When the quote expires.")
    })
  ).annotate({
    description: `At most ${MAX_HOLDS}, those that expire last; \`held_cents\` has all.`
  }),
  open_quotes: Schema.Array(OpenQuote).annotate({
    description: `Unpaid quotes of the account, the last to expire first; at most ${MAX_OPEN_QUOTES}.`
  }),
  orders_today: Schema.Struct({
    used: Count.annotate({ description: "Orders that count towards the cap of today (UTC)." }),
    limit: Schema.NullOr(integer(1)).annotate({ description: "Orders a day; `null` when there is no cap." }),
    resets_at: at("When counting begins anew: the next midnight.")
  }).annotate({ description: "This key's daily order cap." }),
  sandbox: Sandbox
}).annotate({
  identifier: "Balance",
  description: "The account's prepaid credit. A sandbox key sees the real available credit and no holds."
})
export type Balance = typeof Balance.Type

export const LedgerEntry = Schema.Struct({
  entry_id: answerId.entry,
  kind: MovementKind.annotate({
    description:
      "`hold` sets credit aside for an open quote, `release` gives it back, `capture` spends credit on an order, held before or not; `recredit` is a cancelled link's price, `late_payment` a payment that came after its quote was given up, `adjustment` lowers the balance: a correction by the operator, or money that went back to the payer; `adjustment_reversed` gives back what an adjustment took, when the dispute of a top-up was won."
  }),
  amount_cents: Cents.annotate({ description: "What moved, cents; always positive, `kind` says which way." }),
  balance_after_cents: Cents.annotate({ description: "All of the credit after it, held or not, cents." }),
  held_after_cents: Cents.annotate({ description: "What open quotes held after it, cents." }),
  quote_id: Schema.NullOr(answerId.quote).annotate({ description: "The quote that it is for; `null` for none." }),
  order_id: Schema.NullOr(answerId.order).annotate({ description: "The order that it is for; `null` for none." }),
  link_id: Schema.NullOr(answerId.link).annotate({ description: "The link whose price came back; `null` otherwise." }),
  created_at: at("When the credit moved.")
}).annotate({
  identifier: "LedgerEntry",
  description: "One movement of the account's credit. Never changed, never removed."
})
export type LedgerEntry = typeof LedgerEntry.Type

export const LedgerPage = Schema.Struct({
  ok: Ok,
  count: PageCount,
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
