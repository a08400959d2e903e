// Finds what has no document yet. Ids begin with their time, so that requests are found by primary keys that exist anyway: no write of
// an order is made for its invoice. Each statement examines the first $3 ids between $1 and $4 and returns, of those without document, the
// first $2.
import { billingIdentities, invoicedLinks, invoicedOrders, invoices } from "../rows/InvoiceRows.ts"
import { CREDITS, ledger, links } from "../rows/OrderRows.ts"

const isMissing = (id: string): string => `NOT EXISTS (SELECT FROM invoices i WHERE i.invoice_id = ${id})`

const buyer = `a.name AS "accountName", (
  SELECT ${billingIdentities.list("b")} FROM billing_identities b WHERE b.account_id = a.account_id
) AS identity`

/** The invoice of the link's order; a link whose invoice is not issued yet waits for it. */
const linkDue = (link: string): string => `${links.list(link)} AS link, ${invoices.list("inv")} AS invoice`

/** The next ids, how many, and the last; and the due ones among them, as `due`. */
const found = (examine: string, due: string): string => `
WITH examined AS MATERIALIZED (${examine})
SELECT (SELECT count(*) FROM examined)::int AS examined, (SELECT max(id) FROM examined)::text AS last,
  (SELECT json_agg(row_to_json(d)) FROM (${due}) d) AS due`

/** Sandbox ids follow all live ones, from `ord_t` on, and have no invoice. */
export const dueOrders = found(
  `SELECT order_id AS id FROM orders WHERE order_id > $1 AND order_id < $4 ORDER BY order_id LIMIT $3`,
  `SELECT o.order_id::text AS id, ${invoicedOrders.list("o")} AS "order", ${buyer}, (
    SELECT json_agg(${invoicedLinks.list("l")} ORDER BY l.index) FROM links l WHERE l.order_id = o.order_id
  ) AS links
  FROM examined e JOIN orders o ON o.order_id = e.id JOIN accounts a ON a.account_id = o.account_id
  WHERE o.mode = 'live' AND ${isMissing("'inv_' || substr(e.id, 5)")}
  ORDER BY e.id LIMIT $2`
)

export const dueInLedger = found(
  `SELECT entry_id AS id, account_id, kind FROM ledger_rows
   WHERE entry_id > $1 AND entry_id < $4 AND kind IN ${CREDITS}
   ORDER BY entry_id LIMIT $3`,
  `SELECT * FROM (
    SELECT e.id::text AS id, ${ledger.list("l")} AS entry, ${buyer}, NULL::json AS link, NULL::json AS invoice
    FROM examined e JOIN ledger_rows l ON l.account_id = e.account_id AND l.entry_id = e.id
    JOIN accounts a ON a.account_id = e.account_id
    WHERE e.kind = 'top_up' AND ${isMissing("'rct_' || substr(e.id, 5)")}
    UNION ALL
    SELECT e.id::text, ${ledger.list("l")}, NULL, NULL, ${linkDue("k")}
    FROM examined e JOIN ledger_rows l ON l.account_id = e.account_id AND l.entry_id = e.id
    JOIN links k ON k.link_id = l.link_id
    JOIN invoices inv ON inv.invoice_id = 'inv_' || substr(k.order_id, 5)
    WHERE e.kind = 'recredit' AND ${isMissing("'crn_' || substr(l.link_id, 5)")}
  ) either ORDER BY id LIMIT $2`
)

export const dueRefunds = found(
  `SELECT audit_id AS id, action, subject, details FROM audit WHERE audit_id > $1 AND audit_id < $4 ORDER BY audit_id LIMIT $3`,
  `SELECT e.id::text AS id, ${linkDue("k")}
  FROM examined e JOIN links k ON k.link_id = e.subject::id
  JOIN invoices inv ON inv.invoice_id = 'inv_' || substr(k.order_id, 5)
  WHERE e.action = 'link.cancel' AND e.details @> '{"refunded": true}'
    AND k.mode = 'live' AND k.net_cents > 0 AND ${isMissing("'crn_' || substr(e.subject, 5)")}
  ORDER BY e.id LIMIT $2`
)
