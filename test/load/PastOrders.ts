// What a shop that has been in business holds before anybody calls: orders of the accounts that are about to order, written past the
// service. How they got there does not matter, only how many there are.
import { Effect, type Redacted } from "effect"
import { execute } from "./DatabaseServer.ts"
import { answer, discount, event, history, lines } from "./PastOrderBodies.ts"
import { BRANDS, SITES_TO_ORDER_FROM, settle } from "./SeedData.ts"

const DAY_MS = 86_400_000

/**
 * The past orders, numbered from 1, as a view of this session. They go round all keys; an account links to a brand once from each
 * site, then to the next brand. One was placed each second and the last a day ago: what looks at a day sees none of
 * them. Their ids are spelled as the service's are and come before all that it makes today.
 */
const view = (count: number): ReadonlyArray<string> => [
  "CREATE TEMP TABLE buyers AS SELECT row_number() OVER (ORDER BY key_id) - 1 AS number, account_id, key_id FROM keys",
  "ANALYZE buyers",
  `CREATE TEMP VIEW past AS
   SELECT n, account_id, key_id, site_id, 'site' || site_id || '.example' AS domain, 'example.brand' || brand || '.' AS host_path,
     'https://brand' || brand || '.example/page' AS target_url, md5('request' || n)::uuid::text AS idempotency_key,
     'q_' || stem || '00' AS quote_id, 'hld_' || stem || '01' AS hold_id, 'led_' || stem || '02' AS held_id,
     'ord_' || stem || '03' AS order_id, 'lnk_' || stem || '04' AS link_id, 'led_' || stem || '05' AS captured_id,
     'evt_' || stem || '06' AS event_id, at_ms,
     to_char(to_timestamp(at_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"') AS at, cents_left
   FROM (
     SELECT n, account_id, key_id, 1 + (number + n / size) % ${SITES_TO_ORDER_FROM} AS site_id,
       (number + n / size / ${SITES_TO_ORDER_FROM}) % ${BRANDS} AS brand,
       '00' || lpad(n::text, 8, '0') || left(md5('stem' || n), 16) AS stem,
       ${Math.floor(Date.now() / 1_000) * 1_000 - DAY_MS} - (${count} - n) * 1000 AS at_ms,
       (${count} - n) / size * 450 AS cents_left
     FROM (SELECT count(*) AS size FROM buyers) all_buyers
     CROSS JOIN generate_series(1, ${count}::bigint) n JOIN buyers ON number = n % size
   ) numbered`
]

const insert = (table: string, columns: Readonly<Record<string, string>>, from = "past"): string =>
  `INSERT INTO ${table} (${Object.keys(columns).join(", ")})
   SELECT ${Object.values(columns).join(", ")} FROM ${from}`

/** As wide as a digest of text, and another for each. */
const digest = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`

/** Each account was topped up once, before its first order, with what it was to spend. */
const topUps =
  "(SELECT account_id, min(at_ms) AS at_ms, 450 * count(*) AS cents FROM past GROUP BY account_id) topped_up"

/** What an order's hold does to the wallet, first when it is placed, then when it is captured. */
const entries = `past CROSS JOIN LATERAL (VALUES
  ('hold', held_id, NULL, 0, 450, cents_left + 450, 450), ('capture', captured_id, order_id, -450, -450, cents_left, 0)
) entry (kind, entry_id, booked_order_id, balance_delta, held_delta, balance_after, held_after)`

/** What an account's orders of a day come to. */
const days = `(SELECT key_id, at_ms / ${DAY_MS} AS day, count(*) AS orders FROM past GROUP BY 1, 2) days`

/** As the service leaves an order that it has placed. */
const orders = [
  insert("tallies", { key_id: "key_id", day: "day", quotes: "orders", spent_cents: "450 * orders" }, days),
  insert("quotes", {
    quote_id: "quote_id",
    account_id: "account_id",
    key_id: "key_id",
    mode: "'live'",
    lines: `(${lines})::jsonb`,
    items_digest: digest("site_id || target_url"),
    gross_cents: "500",
    discount: `${discount}::jsonb`,
    total_cents: "450",
    credit_cents: "450",
    card_cents: "0",
    hold_id: "hold_id",
    warnings: "'[]'",
    status: "'paid'",
    order_id: "order_id",
    credited_cents: "0",
    idempotency_key: "idempotency_key",
    payment_token: "md5('token' || n)",
    created_at_ms: "at_ms",
    expires_at_ms: `at_ms + ${DAY_MS}`
  }),
  insert("promo_uses", { code: "'TEN'", quote_id: "quote_id", account_id: "account_id" }),
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
  insert("links", {
    link_id: "link_id",
    order_id: "order_id",
    quote_id: "quote_id",
    account_id: "account_id",
    mode: "'live'",
    index: "0",
    site_id: "site_id",
    domain: "domain",
    shelf: "'Plancton'",
    format: "'new_article'",
    target_url: "target_url",
    anchor_text: "'a good read'",
    anchor_type: "'partial'",
    tier2_links: "0",
    price_cents: "500",
    net_cents: "450",
    status: "'assigned'",
    history: `(${history})::jsonb`,
    host_path: "host_path"
  }),
  insert(
    "ledger",
    {
      account_id: "account_id",
      entry_id: "'led_0000000000' || left(md5(account_id), 16) || '00'",
      kind: "'top_up'",
      amount_cents: "cents",
      balance_delta_cents: "cents",
      held_delta_cents: "0",
      balance_after_cents: "cents",
      held_after_cents: "0",
      at_ms: "at_ms"
    },
    topUps
  ),
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
  ),
  insert("bindings", {
    key_id: "key_id",
    idempotency_key: "idempotency_key",
    fingerprint: digest("site_id || target_url"),
    quote_id: "quote_id",
    answer_status: "201",
    answer_body: answer,
    bound_at_ms: "at_ms"
  }),
  insert("events", {
    event_id: "event_id",
    type: "'order.accepted'",
    mode: "'live'",
    key_id: "key_id",
    account_id: "account_id",
    order_id: "order_id",
    body: event,
    at_ms: "at_ms"
  })
]

/** So many past orders, each from quote to event. A shop that is to begin empty is left as it would be without this. */
export const placeBefore = Effect.fnUntraced(function* (url: Redacted.Redacted, count: number) {
  if (count === 0) return
  // Foreign keys would be looked up row by row; everything here has its parent. Only a superuser may leave them out.
  yield* execute(url, "SET session_replication_role = replica", ...view(count), ...orders)
  const filled = orders.flatMap((statement) => /^INSERT INTO (\w+)/.exec(statement)?.[1] ?? [])
  yield* settle(url, ...new Set(filled))
})
