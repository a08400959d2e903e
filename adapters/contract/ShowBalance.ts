// The wallet as the wire has it.
import type { LedgerEntry as Entry, Hold } from "#core/domain/Wallet.ts"
import { eurOfCents } from "./Amount.ts"
import type { Balance, LedgerEntry } from "./Balance.ts"
import { timestamp } from "./Text.ts"

export const showBalance = (
  balance: {
    readonly availableCents: number
    readonly heldCents: number
    readonly holds: ReadonlyArray<Hold>
    readonly ordersToday: { readonly used: number; readonly limit: number; readonly resetsAtMs: number }
  },
  sandbox: boolean
): Balance => ({
  ok: true,
  currency: "EUR",
  available_cents: balance.availableCents,
  available_eur: eurOfCents(balance.availableCents),
  held_cents: balance.heldCents,
  holds: balance.holds.map(({ quoteId, cents, expiresAtMs }) => ({
    quote_id: quoteId,
    cents,
    expires_at: timestamp(expiresAtMs)
  })),
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
