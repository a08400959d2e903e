// Invariants of invoices and credit notes, as queries that select violations.

export const invoiceInvariants = {
  order_is_invoiced: `
SELECT o.order_id AS subject, 'it has no invoice, and later orders have theirs' AS message
FROM orders o LEFT JOIN invoices i ON i.invoice_id = 'inv_' || substr(o.order_id, 5)
WHERE o.mode = 'live' AND i.invoice_id IS NULL AND o.order_id <= (SELECT coalesce(max(orders_to), '') FROM invoice_progress)
UNION ALL
SELECT i.invoice_id, format('its order %s is not there', i.order_id)
FROM invoices i LEFT JOIN orders o ON o.order_id = i.order_id
WHERE i.kind = 'invoice' AND o.mode IS DISTINCT FROM 'live'
UNION ALL
SELECT i.invoice_id, format('its link %s is not cancelled, or its order has no invoice', i.link_id)
FROM invoices i LEFT JOIN links l ON l.link_id = i.link_id
LEFT JOIN invoices corrected ON corrected.invoice_id = 'inv_' || substr(i.order_id, 5)
WHERE i.kind = 'credit_note' AND (l.status IS DISTINCT FROM 'cancelled' OR corrected.invoice_id IS NULL)`,

  invoice_numbers_run_on: `
SELECT invoice_id AS subject, format(
  'it is number %s of %s, and %s should follow%s', number, date, should, CASE WHEN is_back THEN '; it is older than the one before' END
) AS message
FROM (
  SELECT invoice_id, kind, year, sequence, facts ->> 'number' AS number, facts ->> 'issueDate' AS date, expected,
    coalesce(issued_at_ms < before_ms OR facts ->> 'issueDate' < before_date, false) AS is_back,
    CASE kind WHEN 'credit_note' THEN 'CN-' ELSE '' END || year || '-'
      || lpad(expected::text, greatest(6, length(expected::text)), '0') AS should
  FROM (
    SELECT i.*, lag(sequence, 1, 0) OVER series + 1 AS expected, lag(issued_at_ms) OVER series AS before_ms,
      lag(facts ->> 'issueDate') OVER series AS before_date
    FROM invoices i WHERE sequence IS NOT NULL
    WINDOW series AS (PARTITION BY kind, year ORDER BY sequence)
  ) numbered
) followed
WHERE sequence <> expected OR number IS DISTINCT FROM should OR is_back OR left(date, 4) IS DISTINCT FROM year::text`,

  invoice_adds_up: `
SELECT invoice_id AS subject, format(
  'it is over %s cents, %s net and %s VAT; its lines over %s, %s and %s', total_cents, net_cents, vat_cents, total, net, vat
) AS message
FROM invoices CROSS JOIN LATERAL (
  SELECT sum((line ->> 'totalCents')::bigint) AS total, sum((line ->> 'netCents')::bigint) AS net,
    sum((line ->> 'vatCents')::bigint) AS vat
  FROM jsonb_array_elements(facts -> 'lines') line
) lines
WHERE (total, net, vat) IS DISTINCT FROM (total_cents::numeric, net_cents::numeric, vat_cents::numeric)
  OR net_cents + vat_cents <> total_cents`,

  // A cancelled link gave back its net price: as credit, or, where it was refunded, a part of it to the card.
  invoices_are_the_sales: `
SELECT account_id AS subject, format(
  '%s cents are invoiced for %s paid, and %s credited for %s given back', invoiced, sold, credited, back
) AS message
FROM (
  SELECT i.account_id, coalesce(sum(i.total_cents) FILTER (WHERE i.kind = 'invoice'), 0) AS invoiced,
    coalesce(sum(coalesce(c.cents, 0) + q.card_cents) FILTER (WHERE i.kind = 'invoice'), 0) AS sold,
    coalesce(sum(i.total_cents) FILTER (WHERE i.kind = 'credit_note'), 0) AS credited,
    coalesce(sum(l.net_cents) FILTER (WHERE i.kind = 'credit_note'), 0) AS back
  FROM invoices i
  LEFT JOIN orders o ON i.kind = 'invoice' AND o.order_id = i.order_id
  LEFT JOIN quotes q ON q.quote_id = o.quote_id
  LEFT JOIN (SELECT quote_id, sum(amount_cents) AS cents FROM ledger WHERE kind = 'capture' GROUP BY quote_id) c
    ON c.quote_id = q.quote_id
  LEFT JOIN links l ON i.kind = 'credit_note' AND l.link_id = i.link_id
  WHERE i.kind <> 'receipt' GROUP BY i.account_id
) accounts
WHERE (invoiced, credited) <> (sold, back)`
} as const
