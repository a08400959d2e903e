// Past orders in the plain tables of the peers.
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { answer, discount, history, lines } from "./PastOrderBodies.ts"
import { days, insert, itemsSha256, link, quote, tally, topUp, topUps } from "./PastOrderRows.ts"

const owner = { account_id: "account_id" }

const digest = `encode(${itemsSha256}, 'hex')`

const plainQuotes = [
  insert("quotes", {
    ...owner,
    ...quote,
    lines: `(${lines})::jsonb`,
    items_digest: digest,
    discount: `${discount}::jsonb`
  }),
  insert("holds", {
    hold_id: "hold_id",
    account_id: "account_id",
    quote_id: "quote_id",
    cents: "450",
    state: "'captured'",
    expires_at_ms: `at_ms + ${DAY_MS}`
  }),
  insert("orders", {
    order_id: "order_id",
    quote_id: "quote_id",
    account_id: "account_id",
    key_id: "key_id",
    mode: "'live'",
    link_ids: "ARRAY[link_id]",
    total_cents: "450",
    created_at_ms: "at_ms",
    status: "'paid'"
  }),
  insert("bindings", {
    key_id: "key_id",
    idempotency_key: "idempotency_key",
    fingerprint: digest,
    answer_status: "201",
    answer_body: answer,
    quote_id: "quote_id",
    bound_at_ms: "at_ms"
  }),
  insert("promo_uses", { code: "'TEN'", quote_id: "quote_id", account_id: "account_id" })
]

/** The ledger entries of an order's hold: placed, then captured. */
const entries = `past CROSS JOIN LATERAL (VALUES
  ('hold', held_id, NULL, 0, 450, cents_left + 450, 450), ('capture', captured_id, order_id, -450, -450, cents_left, 0)
) entry (kind, entry_id, booked_order_id, balance_delta, held_delta, balance_after, held_after)`

/** The top-ups before the first orders, then what the orders paid. */
const plainLedger = [
  insert("ledger", { ...owner, ...topUp }, topUps),
  insert(
    "ledger",
    {
      account_id: "account_id",
      entry_id: "entry_id",
      kind: "kind",
      amount_cents: "450",
      balance_delta_cents: "balance_delta",
      held_delta_cents: "held_delta",
      balance_after_cents: "balance_after",
      held_after_cents: "held_after",
      quote_id: "quote_id",
      order_id: "booked_order_id",
      hold_id: "hold_id",
      at_ms: "at_ms"
    },
    entries
  )
]

export const plainPastOrders: ReadonlyArray<string> = [
  ...plainQuotes,
  ...plainLedger,
  insert("tallies", tally, days),
  insert("links", { ...owner, ...link, history: `(${history})::jsonb` })
]
