// Past orders in the plain tables of the peers.
import { answer, discount, history, lines } from "./PastOrderBodies.ts"
import { capture, days, digest, insert, link, quote, tally, topUp, topUps } from "./PastOrderRows.ts"

const owner = { account_id: "account_id" }

const plainQuotes = [
  insert("quotes", {
    ...owner,
    ...quote,
    lines: `(${lines})::jsonb`,
    items_digest: digest,
    discount: `${discount}::jsonb`
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

/** The top-ups before the first orders, then what each order paid. */
const plainLedger = [insert("ledger", { ...owner, ...topUp }, topUps), insert("ledger", { ...owner, ...capture })]

export const plainPastOrders: ReadonlyArray<string> = [
  ...plainQuotes,
  ...plainLedger,
  insert("tallies", tally, days),
  insert("links", { ...owner, ...link, history: `(${history})::jsonb` })
]
