// Finds what has no document yet. Ids begin with their time, so that requests are found by primary keys that exist anyway: no write of
// an order is made for its invoice. Each statement examines the first $3 ids after $1 and returns, of those without document, the first $2.
import { billingIdentities, invoicedLinks, invoicedOrders, invoices } from "../../rows/InvoiceRows.ts"
import { CREDITS, ledger, links } from "../../rows/OrderRows.ts"

const isMissing = (id: string): string => `NOT EXISTS (SELECT FROM invoices i WHERE i.invoice_id = ${id})`

const buyer = `a.name AS "accountName", (
  SELECT ${billingIdentities.list("b")} FROM billing_identities b WHERE b.account_id = a.account_id
) AS identity`

/** The invoice of the link's order. */
const linkDue = (link: string): string => `${links.list(link)} AS link, ${invoices.list("inv")} AS invoice`

/**
 * Whether the credit note of a link waits for the invoice of its order. The orders up to $4 have their invoices, or get none. Sandbox ids
 * follow all live ones, from `ord_t` on, and have no invoice.
 */
const waitsForInvoice = (link: string): string =>
  `${link}.order_id > $4 AND ${link}.order_id < 'ord_t' AND ${isMissing(`'inv_' || substr(${link}.order_id, 5)`)}`

/** Nothing waits. All statements have the same parameters. */
const none = "SELECT $4::id AS id WHERE false"

/**
 * The next ids, how many, and the last; and the due ones among them, as `due`. They end before the first that waits, because a next step
 * begins after them.
 */
const found = (examine: string, due: string, waiting = none): string => `
WITH candidates AS MATERIALIZED (${examine}), waiting AS MATERIALIZED (SELECT min(id) AS id FROM (${waiting}) w),
examined AS MATERIALIZED (SELECT c.* FROM candidates c, waiting w WHERE w.id IS NULL OR c.id < w.id)
SELECT (SELECT count(*) FROM examined)::int AS examined, (SELECT max(id) FROM examined)::text AS last,
  (SELECT json_agg(row_to_json(d)) FROM (${due}) d) AS due`

export const dueOrders = found(
  `SELECT order_id AS id FROM orders WHERE order_id > $1 AND order_id < 'ord_t' ORDER BY order_id LIMIT $3`,
  `SELECT o.order_id::text AS id, ${invoicedOrders.list("o")} AS "order", ${buyer}, (
    SELECT json_agg(${invoicedLinks.list("l")} ORDER BY l.index) FROM links l WHERE l.order_id = o.order_id
  ) AS links
  FROM examined e JOIN orders o ON o.order_id = e.id JOIN accounts a ON a.account_no = o.account_no
  WHERE o.mode = 'live' AND ${isMissing("'inv_' || substr(e.id, 5)")}
  ORDER BY e.id LIMIT $2`
)

export const dueInLedger = found(
  `SELECT entry_id AS id, account_no, kind FROM ledger
   WHERE entry_id > $1 AND kind IN ${CREDITS}
   ORDER BY entry_id LIMIT $3`,
  `SELECT * FROM (
    SELECT e.id::text AS id, ${ledger.list("l")} AS entry, ${buyer}, NULL::json AS link, NULL::json AS invoice
    FROM examined e JOIN ledger l ON l.account_no = e.account_no AND l.entry_id = e.id
    JOIN accounts a ON a.account_no = e.account_no
    WHERE e.kind = 'top_up' AND ${isMissing("'rct_' || substr(e.id, 5)")}
    UNION ALL
    SELECT e.id::text, ${ledger.list("l")}, NULL, NULL, ${linkDue("k")}
    FROM examined e JOIN ledger l ON l.account_no = e.account_no AND l.entry_id = e.id
    JOIN links k ON k.link_id = l.link_id
    JOIN invoices inv ON inv.invoice_id = 'inv_' || substr(k.order_id, 5)
    WHERE e.kind = 'recredit' AND ${isMissing("'crn_' || substr(l.link_id, 5)")}
  ) either ORDER BY id LIMIT $2`,
  `SELECT c.id FROM candidates c JOIN ledger l ON l.account_no = c.account_no AND l.entry_id = c.id
  JOIN links k ON k.link_id = l.link_id
  WHERE c.kind = 'recredit' AND ${waitsForInvoice("k")}`
)

export const dueRefunds = found(
  `SELECT audit_id AS id, action, subject, details FROM audit WHERE audit_id > $1 ORDER BY audit_id LIMIT $3`,
  `SELECT e.id::text AS id, ${linkDue("k")}
  FROM examined e JOIN links k ON k.link_id = e.subject::id
  JOIN invoices inv ON inv.invoice_id = 'inv_' || substr(k.order_id, 5)
  WHERE e.action = 'link.cancel' AND e.details @> '{"refunded": true}'
    AND k.mode = 'live' AND k.net_cents > 0 AND ${isMissing("'crn_' || substr(e.subject, 5)")}
  ORDER BY e.id LIMIT $2`,
  `SELECT c.id FROM candidates c JOIN links k ON k.link_id = c.subject::id
  WHERE c.action = 'link.cancel' AND ${waitsForInvoice("k")}`
)
