// Inserts many rows into every table, without the service. Half of all rows belong to one account, the others are spread evenly.
/** Row `i` belongs to account 0, or to one of the others. */
const owner = "CASE WHEN i % 2 = 0 THEN 0 ELSE i % greatest(1, n / 10) END"

/** The id of a bulk row. Row 0 of accounts and keys is that of the account that owns half of all rows. */
export const bulkId = (prefix: string, row = 0): string => `${prefix}${String(row).padStart(12, "0")}`

/** The same in SQL, for row `i`. */
const id = (prefix: string, number = "i"): string => `'${prefix}' || lpad((${number})::text, 12, '0')`

/** The number of account `a`: they are numbered from 1 as they are inserted. */
const numberOf = (account: string): string => `${account} + 1`

const fill = (rows: number, table: string, select: string, count = "n"): string =>
  `INSERT INTO ${table} SELECT ${select} FROM (SELECT i, ${rows}::bigint AS n, ${owner.replaceAll("n /", `${rows} /`)} AS a
   FROM generate_series(0, ${count.replaceAll("n", String(rows))} - 1) i) r`

const item = `jsonb_build_object('siteId', i, 'targetUrl', 'https://brand.example/', 'anchorText', 'a', 'anchorType', 'partial',
  'format', 'new_article', 'tier2Links', 0)`

const lines = `jsonb_build_array(jsonb_build_object('item', ${item}, 'domain', 'd', 'shelf', 'Plancton', 'priceCents', 500,
  'netCents', 500))`

const noDiscount = `'{"source": "none", "label": "", "amountCents": 0, "considered": []}'::jsonb`

const health = `'{"consecutiveFailures": 0, "failingSinceMs": null, "disabledAtMs": null, "lastAttempt": null}'::jsonb`

/** One in ten quotes is open. */
const open = "i % 10 = 9"

const ofMembers = (rows: number): ReadonlyArray<string> => [
  fill(rows, "accounts", `${id("acc_")}, 'v', NULL, 'n', 'e' || i, 1000000, 0, 'available', NULL, NULL, 0`, "n / 10"),
  fill(rows, "account_emails", `'e' || i, ${id("acc_")}`, "n / 10"),
  fill(rows, "members", `${id("mem_")}, ${id("acc_")}, 'e' || i, 'owner', 0, NULL`, "n / 10"),
  fill(
    rows,
    "top_ups",
    `${id("top_")}, ${id("acc_", "a")}, ${id("mem_", "a")}, 500, CASE WHEN i % 10 = 9 THEN 'open' ELSE 'paid' END, ${id("token_")}, NULL, NULL, i, i`
  ),
  fill(rows, "sign_in_links", `${id("link_")}, 'mail', 'e' || i, i, i + 900000, i, 0`),
  fill(rows, "sign_in_counts", `'address e' || i % 100, i, ${id("link_")}`),
  fill(rows, "sessions", `${id("ses_")}, ${id("hash_")}, ${id("mem_", "a")}, 'link', 'n', 'u', i, i, NULL, NULL, NULL`),
  fill(rows, "passkeys", `'cred' || i, ${id("mem_", "a")}, 'n', 'k', i, '{internal}', i, NULL`),
  fill(rows, "totps", `${id("mem_")}, 's', i, i, NULL, NULL`, "n / 10"),
  fill(rows, "challenges", `${id("challenge_")}, 'session ' || i % 1000, 'sign_in', i, i + 300000`),
  fill(rows, "shown_once", `${id("shown_")}, 'session ' || i % 1000, 's', i, i + 600000`),
  fill(rows, "sheets", `${id("sheet_")}, ${id("acc_")}, ${id("mem_")}, 'n', i, 1, NULL, 0`, "n / 10"),
  fill(rows, "sheet_rows", `${id("sheet_")}, 1, 2, ${item}, '{}', '[]', true, i, NULL`, "n / 10"),
  fill(rows, "purchase_mails", `${id("mem_")}, '', CASE WHEN i % 10 = 9 THEN '1' ELSE '' END, i, 0, 0, true`, "n / 10"),
  ...["links", "expiries", "receipts", "top_ups"].flatMap((kind, nth) => [
    fill(
      rows,
      "news_mails",
      `${id("mem_")}, '${kind}', '', CASE WHEN i % 10 = ${nth} THEN '1' ELSE '' END, i, 0, 0, true`,
      "n / 10"
    ),
    // All but what is new was examined.
    `INSERT INTO news_mail_progress VALUES ('${kind}', 'z') ON CONFLICT DO NOTHING`
  ]),
  fill(rows, "approval_mails", `${id("mem_")}, '', i, 0, 0, true`, "n / 10"),
  fill(rows, "reset_codes", `${id("mem_")}, ${id("hash_")}, i, i`, "n / 10"),
  fill(
    rows,
    "oauth_artifacts",
    `${id("hash_")}, 'RefreshToken', ${id("hash_", "i / 10")}, NULL, '{}', i, i + 3600000, NULL, false, NULL, NULL, NULL`
  )
]

const ofKeys = (rows: number): ReadonlyArray<string> => [
  fill(
    rows,
    "keys",
    `${id("key_")}, ${id("acc_")}, 'live', 'l', '{read,order}', ${id("hash_")}, 'p', 'abcd', NULL, NULL, NULL, NULL, 0, NULL`,
    "n / 10"
  ),
  fill(rows, "key_uses", `${id("key_")}, 0`, "n / 10"),
  // In a time to come, so that none is pruned.
  fill(rows, "refused_attempts", `${id("key_", "a")}, 30000 + i, 'paused', 1, 0, NULL, NULL`),
  fill(rows, "tallies", `${id("key_", "a")}, i, 1, 500, ${numberOf("a")}`)
]

const ofCatalogue = (rows: number): ReadonlyArray<string> => [
  fill(
    rows,
    "sites",
    `i, 'v', NULL, 'site' || i || '.example', 'Niche ' || i % 200, 'en', i % 90, 10, 10, 10, 10, i * 7919 % 100000, 'Plancton',
     'dofollow', i % 20 > 0, 0, 500, 'site' || i || '.example', 'niche ' || i % 200, (ARRAY['en', 'fr', 'de'])[1 + i % 3]`
  ),
  fill(rows, "articles", `i, 'v', NULL, i / 3, 't', 'u', 0, '[]', NULL, 'free', NULL, NULL, 'keyword ' || i`),
  fill(rows, "promos", `${id("PROMO_")}, 'v', NULL, 'percent', 1000, NULL, NULL, NULL, 1000000, false, 5`, "n / 10"),
  fill(rows, "projects", `${id("prj_")}, 'v', NULL, ${id("acc_", "a")}, 'n', 'brand.example', 'en', 0`, "n / 10"),
  fill(
    rows,
    "opportunities",
    `${id("opp_")}, 'v', NULL, ${id("prj_", "i / 10")}, 'p', 'e', 'Niche 7', 'u', 'a', i % 10`
  )
]

const ofOrders = (rows: number): ReadonlyArray<string> => [
  fill(
    rows,
    "quotes",
    `${id("q_")}, ${numberOf("a")}, ${id("key_", "a")}, 'live', ${lines}, ${id("digest_", "i % 1000")}, 500, ${noDiscount}, 500,
     500, 0, ${id("hld_")}, '[]', CASE WHEN ${open} THEN 'awaiting_payment' ELSE 'paid' END, NULL,
     CASE WHEN NOT ${open} THEN ${id("ord_")} END, 0, ${id("idem_")}, ${id("token_")}, NULL, ${id("ses_")}, i, i + 86400000,
     NULL, NULL, NULL, 'f', 201, '{}', NULL, CASE WHEN NOT ${open} THEN i END,
     CASE WHEN NOT ${open} THEN (ARRAY['paid', 'in_progress', 'completed', 'cancelled'])[1 + i % 4] END, NULL, NULL, NULL,
     ${id("PROMO_", "i % 10")}`
  ),
  fill(rows, "payments", `${id("pay_")}, ${id("q_")}, 500, 'EUR'`),
  fill(
    rows,
    "links",
    `${id("lnk_")}, ${id("ord_")}, ${id("q_")}, ${numberOf("a")}, 'live', 0, i / 3, 'd', 'Plancton', 'new_article', NULL,
     'https://brand.example/', 'a', 'partial', 0, ${id("prj_", "i / 10")}, ${id("opp_")}, NULL, 500, 500,
     CASE WHEN i % 4 = 2 THEN 'verified' WHEN i % 4 = 3 THEN 'cancelled' ELSE 'assigned' END, NULL, NULL, NULL, '[]',
     'example.host' || i % 1000 || '.', CASE WHEN i % 4 = 2 THEN 3 END`
  ),
  fill(rows, "ledger", `${numberOf("a")}, ${id("led_")}, 'top_up', 500, 500, 0, 500, 0, NULL, NULL, NULL, NULL, i`)
]

const ofWebhooks = (rows: number): ReadonlyArray<string> => [
  fill(
    rows,
    "events",
    `${id("evt_")}, 'order.accepted', 'live', ${id("key_", "a")}, ${numberOf("a")}, ${id("ord_")}, NULL, '{}', i`
  ),
  fill(
    rows,
    "subscriptions",
    `${id("wh_")}, 'v', NULL, ${id("acc_")}, ${id("key_")}, 'live', 'u', '{order.accepted}', 's', '[]', ${health}, 'h', 0, NULL`,
    "n / 10"
  ),
  fill(
    rows,
    "deliveries",
    `${id("dlv_")}, ${id("wh_", "i % 100")}, ${numberOf("i % 100")}, ${id("key_", "i % 100")}, 'live', ${id("evt_")},
     'order.accepted', '{}', i, 'v', NULL, CASE WHEN ${open} THEN 'pending' ELSE 'delivered' END, '[]', 0,
     CASE WHEN ${open} THEN i END`
  ),
  "INSERT INTO outbox (delivery_id, webhook_id, due_at_ms, account_no) SELECT delivery_id, webhook_id, next_attempt_at_ms, account_no FROM deliveries WHERE state = 'pending' ON CONFLICT DO NOTHING"
]

/** Statements that fill the tables with `rows` rows, some tables with a tenth of them, and update the planner's statistics. */
export const bulkInserts = (rows: number): ReadonlyArray<string> => [
  // Disables foreign keys, which would be checked row by row; every row here has its parent.
  "SET session_replication_role = replica",
  "ALTER TABLE accounts ALTER account_no RESTART",
  ...ofMembers(rows),
  ...ofKeys(rows),
  ...ofCatalogue(rows),
  ...ofOrders(rows),
  ...ofWebhooks(rows),
  fill(rows, "audit", `${id("aud_")}, 'a', 'b', 'c', '{}', i, ${id("acc_", "a")}`),
  "SET session_replication_role = DEFAULT",
  "VACUUM ANALYZE"
]
