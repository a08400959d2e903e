// What past orders leave in the tables of the service and in those of its peers, as SQL over the view `past`.
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { BRANDS, SITES_TO_ORDER_FROM } from "./SeedData.ts"

/**
 * The past orders, numbered from 1, as a view of this session, with the keys in turn. An account links to a brand once from each site,
 * then to the next brand. One was placed each second, the last a day ago, so that queries over a day find none. Their ids have the
 * service's form and sort before new ones.
 */
export const pastView = (count: number, accountNo: string): ReadonlyArray<string> => [
  `CREATE TEMP TABLE buyers AS
   SELECT row_number() OVER (ORDER BY key_id) - 1 AS number, account_id, ${accountNo} AS account_no, key_id
   FROM keys JOIN accounts USING (account_id)`,
  "ANALYZE buyers",
  `CREATE TEMP VIEW past AS
   SELECT n, account_id, account_no, key_id, site_id, 'site' || site_id || '.example' AS domain, 'example.brand' || brand || '.' AS host_path,
     'https://brand' || brand || '.example/page' AS target_url, md5('request' || n)::uuid::text AS idempotency_key,
     'q_' || id_prefix || '00' AS quote_id, 'ord_' || id_prefix || '03' AS order_id, 'lnk_' || id_prefix || '04' AS link_id,
     'led_' || id_prefix || '05' AS captured_id,
     at_ms, to_char(to_timestamp(at_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, cents_left
   FROM (
     SELECT n, account_id, account_no, key_id, 1 + (number + n / size) % ${SITES_TO_ORDER_FROM} AS site_id,
       (number + n / size / ${SITES_TO_ORDER_FROM}) % ${BRANDS} AS brand,
       '00' || lpad(n::text, 8, '0') || left(md5('id_prefix' || n), 16) AS id_prefix,
       ${Math.floor(Date.now() / 1_000) * 1_000 - DAY_MS} - (${count} - n) * 1000 AS at_ms,
       (${count} - n) / size * 450 AS cents_left
     FROM (SELECT count(*) AS size FROM buyers) all_buyers
     CROSS JOIN generate_series(1, ${count}::bigint) n JOIN buyers ON number = n % size
   ) numbered`
]

export const insert = (table: string, columns: Readonly<Record<string, string>>, from = "past"): string =>
  `INSERT INTO ${table} (${Object.keys(columns).join(", ")})
   SELECT ${Object.values(columns).join(", ")} FROM ${from}`

/** What stands for the items of a quote in its digests. */
export const digest = "encode(sha256(convert_to(site_id || target_url, 'UTF8')), 'hex')"

/** One top-up of each account before its first order, of what its orders cost. */
export const topUps =
  "(SELECT account_id, account_no, min(at_ms) AS at_ms, 450 * count(*) AS cents FROM past GROUP BY 1, 2) topped_up"

/** A key's orders and spending of a day. */
export const days = `(SELECT account_no, key_id, at_ms / ${DAY_MS} AS day, count(*) AS orders FROM past GROUP BY 1, 2, 3) days`

export const quote = {
  quote_id: "quote_id",
  key_id: "key_id",
  mode: "'live'",
  gross_cents: "500",
  total_cents: "450",
  credit_cents: "450",
  card_cents: "0",
  warnings: "'[]'",
  status: "'paid'",
  order_id: "order_id",
  credited_cents: "0",
  idempotency_key: "idempotency_key",
  payment_token: "md5('token' || n)",
  created_at_ms: "at_ms",
  expires_at_ms: `at_ms + ${DAY_MS}`
}

export const tally = { key_id: "key_id", day: "day", quotes: "orders", spent_cents: "450 * orders" }

export const link = {
  link_id: "link_id",
  order_id: "order_id",
  quote_id: "quote_id",
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
  host_path: "host_path"
}

export const topUp = {
  entry_id: "'led_0000000000' || left(md5(account_id), 16) || '00'",
  kind: "'top_up'",
  amount_cents: "cents",
  balance_delta_cents: "cents",
  held_delta_cents: "0",
  balance_after_cents: "cents",
  held_after_cents: "0",
  at_ms: "at_ms"
}

/** What an order paid: credit covered it at once. */
export const capture = {
  entry_id: "captured_id",
  kind: "'capture'",
  amount_cents: "450",
  balance_delta_cents: "-450",
  held_delta_cents: "0",
  balance_after_cents: "cents_left",
  held_after_cents: "0",
  quote_id: "quote_id",
  order_id: "order_id",
  at_ms: "at_ms"
}
