// The invariant of references, as a query that selects violations. The database enforces few of them, because each costs every order, and
// those are not trusted either: they are not checked for rows that were written without them.
/** The ids in a column of `by` that `parent` does not have. */
const missing = (
  by: string,
  column: string,
  parent: string,
  id: string,
  what = "it is not there, and named by"
): string => `
SELECT DISTINCT c.${column}::text AS subject, '${what} ${by}' AS message
FROM ${by} c LEFT JOIN ${parent} p ON p.${id} = c.${column}
WHERE c.${column} IS NOT NULL AND p.${id} IS NULL`

/** The numbers that no account has. */
const missingAccount = (by: string): string =>
  missing(by, "account_no", "accounts", "account_no", "no account has this number, and it is named by")

/** The forms of stored answers. */
const forms = `(
  SELECT DISTINCT substr(split_part(answer_body, ' ', 1), 2)::id AS form_id FROM quotes WHERE starts_with(answer_body, E'\\x01')
)`

export const referenceInvariants = {
  named_is_there: [
    missing("keys", "account_id", "accounts", "account_id"),
    missing("keys", "consented_by", "members", "member_id"),
    missing("members", "account_id", "accounts", "account_id"),
    missing("top_ups", "account_id", "accounts", "account_id"),
    missing("top_ups", "member_id", "members", "member_id"),
    missingAccount("ledger"),
    missingAccount("quotes"),
    missingAccount("links"),
    missingAccount("events"),
    missingAccount("deliveries"),
    missing("invoices", "account_id", "accounts", "account_id"),
    missing("projects", "account_id", "accounts", "account_id"),
    missing("quotes", "key_id", "keys", "key_id"),
    missing("quotes", "member_id", "members", "member_id"),
    missing("subscriptions", "key_id", "keys", "key_id"),
    missing("opportunities", "project_id", "projects", "project_id"),
    missing("articles", "site_id", "sites", "site_id"),
    missing("links", "order_id", "orders", "order_id"),
    missing("sheet_rows", "order_id", "orders", "order_id"),
    missing("links", "site_id", "sites", "site_id"),
    missing("links", "article_id", "articles", "article_id"),
    missing("links", "project_id", "projects", "project_id"),
    missing("links", "opportunity_id", "opportunities", "opportunity_id"),
    missing("events", "order_id", "orders", "order_id"),
    missing("events", "quote_id", "quotes", "quote_id"),
    missing("payments", "quote_id", "quotes", "quote_id"),
    `SELECT DISTINCT c.quote_id::text, 'it is not there, and named by payments_set_aside' FROM payments_set_aside c
     WHERE NOT EXISTS (SELECT FROM quotes q WHERE q.quote_id = c.quote_id)
       AND NOT EXISTS (SELECT FROM top_ups t WHERE t.top_up_id = c.quote_id)`,
    missing("top_up_reversals", "top_up_id", "top_ups", "top_up_id"),
    missing("reversals", "quote_id", "quotes", "quote_id"),
    missing("ledger", "hold_id", "holds", "hold_id"),
    missing("promo_uses", "code", "promos", "code"),
    `SELECT DISTINCT c.form_id::text, 'it is not there, and named by quotes'
     FROM ${forms} c LEFT JOIN text_forms p ON p.form_id = c.form_id WHERE p.form_id IS NULL`,
    `SELECT q.quote_id::text, format('its account is %s, and its key that of %s', a.account_id, k.account_id)
     FROM quotes q JOIN accounts a USING (account_no) JOIN keys k ON k.key_id = q.key_id WHERE k.account_id <> a.account_id`,
    `SELECT t.key_id::text, format('its day %s is counted for account %s, and it is of %s', t.day, a.account_id, k.account_id)
     FROM tallies t LEFT JOIN accounts a USING (account_no) JOIN keys k ON k.key_id = t.key_id
     WHERE k.account_id IS DISTINCT FROM a.account_id`,
    "SELECT 'shop', 'its row is not there' WHERE NOT EXISTS (SELECT FROM shop)"
  ].join("\nUNION ALL\n")
} as const
