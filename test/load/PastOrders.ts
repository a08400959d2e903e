// Orders of the past, inserted by SQL before a load begins. Only their number matters, not how they were placed.
import { Effect, type Redacted } from "effect"
import { execute } from "./DatabaseServer.ts"
import { answer, discount, history, invoiceFacts, lines } from "./PastOrderBodies.ts"
import { analyzeTables, BRANDS, SITES_TO_ORDER_FROM } from "./SeedData.ts"

const DAY_MS = 86_400_000

/**
 * The past orders, numbered from 1, as a view of this session, with the keys in turn. An account links to a brand once from each site,
 * then to the next brand. One was placed each second, the last a day ago, so that queries over a day find none. Their ids have the
 * service's form and sort before new ones.
 */
const view = (count: number): ReadonlyArray<string> => [
  "CREATE TEMP TABLE buyers AS SELECT row_number() OVER (ORDER BY key_id) - 1 AS number, account_id, key_id FROM keys",
  "ANALYZE buyers",
  `CREATE TEMP VIEW past AS
   SELECT n, account_id, key_id, site_id, 'site' || site_id || '.example' AS domain, 'example.brand' || brand || '.' AS host_path,
     'https://brand' || brand || '.example/page' AS target_url, md5('request' || n)::uuid::text AS idempotency_key,
     'q_' || id_prefix || '00' AS quote_id, 'hld_' || id_prefix || '01' AS hold_id, 'led_' || id_prefix || '02' AS held_id,
     'ord_' || id_prefix || '03' AS order_id, 'lnk_' || id_prefix || '04' AS link_id, 'led_' || id_prefix || '05' AS captured_id,
     at_ms, to_char(to_timestamp(at_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, cents_left
   FROM (
     SELECT n, account_id, key_id, 1 + (number + n / size) % ${SITES_TO_ORDER_FROM} AS site_id,
       (number + n / size / ${SITES_TO_ORDER_FROM}) % ${BRANDS} AS brand,
       '00' || lpad(n::text, 8, '0') || left(md5('id_prefix' || n), 16) AS id_prefix,
       ${Math.floor(Date.now() / 1_000) * 1_000 - DAY_MS} - (${count} - n) * 1000 AS at_ms,
       (${count} - n) / size * 450 AS cents_left
     FROM (SELECT count(*) AS size FROM buyers) all_buyers
     CROSS JOIN generate_series(1, ${count}::bigint) n JOIN buyers ON number = n % size
   ) numbered`
]

const insert = (table: string, columns: Readonly<Record<string, string>>, from = "past"): string =>
  `INSERT INTO ${table} (${Object.keys(columns).join(", ")})
   SELECT ${Object.values(columns).join(", ")} FROM ${from}`

/** A digest of text, as wide as the service's. */
const digest = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`

/** One top-up of each account before its first order, of what its orders cost. */
const topUps =
  "(SELECT account_id, min(at_ms) AS at_ms, 450 * count(*) AS cents FROM past GROUP BY account_id) topped_up"

/** The ledger entries of an order's hold in the peers' tables: placed, then captured. */
const entries = `past CROSS JOIN LATERAL (VALUES
  ('hold', held_id, NULL, 0, 450, cents_left + 450, 450), ('capture', captured_id, order_id, -450, -450, cents_left, 0)
) entry (kind, entry_id, booked_order_id, balance_delta, held_delta, balance_after, held_after)`

/** A key's orders and spending of a day. */
const days = `(SELECT key_id, at_ms / ${DAY_MS} AS day, count(*) AS orders FROM past GROUP BY 1, 2) days`

const quote = {
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
}

const stored = { fingerprint: digest("site_id || target_url"), answer_status: "201", answer_body: answer }

/** The quotes of the service, which are also binding, hold, order and use of the code. */
const ownQuotes = [
  insert("quotes", {
    ...quote,
    ...stored,
    discount,
    ordered_at_ms: "at_ms",
    order_status: "'paid'",
    promo_code: "'TEN'"
  })
]

/** The same in the peers' tables. */
const plainQuotes = [
  insert("quotes", quote),
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
    ...stored,
    quote_id: "quote_id",
    bound_at_ms: "at_ms"
  }),
  insert("promo_uses", { code: "'TEN'", quote_id: "quote_id", account_id: "account_id" })
]

/** The rows beside the quotes of placed orders. */
const orders = [
  insert("tallies", { key_id: "key_id", day: "day", quotes: "orders", spent_cents: "450 * orders" }, days),
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
  })
]

const topUp = {
  account_id: "account_id",
  entry_id: "'led_0000000000' || left(md5(account_id), 16) || '00'",
  kind: "'top_up'",
  amount_cents: "cents",
  balance_delta_cents: "cents",
  held_delta_cents: "0",
  balance_after_cents: "cents",
  held_after_cents: "0",
  at_ms: "at_ms"
}

/** The top-ups before the first orders, then what the orders paid: a settlement each, or hold and capture. */
const ownLedger = [
  insert("ledger_rows", topUp, topUps),
  insert("ledger_rows", {
    account_id: "account_id",
    entry_id: "held_id",
    kind: "'settlement'",
    amount_cents: "450",
    balance_delta_cents: "-450",
    held_delta_cents: "0",
    balance_after_cents: "cents_left",
    held_after_cents: "0",
    at_ms: "at_ms",
    captured_as: "right(captured_id, 2)"
  })
]

const plainLedger = [
  insert("ledger", topUp, topUps),
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

/** Their invoices, and that all were invoiced and looked at for mails: otherwise the service would do so beside the load. */
const jobsDone = [
  insert("invoices", {
    invoice_id: "'inv_' || substr(order_id, 5)",
    kind: "'invoice'",
    account_id: "account_id",
    order_id: "order_id",
    issued_at_ms: "at_ms",
    total_cents: "450",
    net_cents: "375",
    vat_cents: "75",
    facts: `(${invoiceFacts})::jsonb`
  }),
  ...[
    ["invoice_progress", "orders_to"],
    ["purchase_mail_progress", "examined_to"]
  ].map(
    ([table, mark]) => `INSERT INTO ${table} (${mark}) SELECT max(order_id::text COLLATE "C") FROM past
      ON CONFLICT (only_row) DO UPDATE SET ${mark} = EXCLUDED.${mark}`
  )
]

/** Inserts `count` past orders, each from quote to binding, into the tables of the service or of its peers. */
export const insertPastOrders = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  count: number,
  tables: "own" | "plain" = "own"
) {
  if (count === 0) return
  const inserts = [
    ...(tables === "own" ? [...ownQuotes, ...ownLedger, ...jobsDone] : [...plainQuotes, ...plainLedger]),
    ...orders
  ]
  // Skips the check of foreign keys, row by row, because every row here has its parent. Only a superuser can.
  yield* execute(url, "SET session_replication_role = replica", ...view(count), ...inserts)
  const filled = inserts.flatMap((statement) => /^INSERT INTO (\w+)/.exec(statement)?.[1] ?? [])
  yield* analyzeTables(url, ...new Set(filled))
})
