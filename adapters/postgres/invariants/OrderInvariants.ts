// Invariants of quotes, orders and links, as queries that select violations. A quote without stored lines has those of its links.

import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { discountOf } from "../rows/QuoteRows.ts"
import { creditOfCancelled, creditOfRefunded } from "./LinkCredit.ts"

export const orderInvariants = {
  quote_adds_up: `
SELECT q.quote_id AS subject, format(
  'its lines cost %s cents and %s net; gross %s, discount %s, total %s, credit %s, card %s',
  gross, net, gross_cents, off, total_cents, credit_cents, card_cents
) AS message
FROM quotes q CROSS JOIN LATERAL (
  SELECT coalesce(sum(price), 0) AS gross, coalesce(sum(net), 0) AS net, coalesce(bool_and(0 <= net AND net <= price), false) AS sound
  FROM (
    SELECT (line ->> 'priceCents')::bigint AS price, (line ->> 'netCents')::bigint AS net FROM jsonb_array_elements(q.lines) line
    UNION ALL SELECT l.price_cents, l.net_cents FROM links l WHERE q.lines = '[]' AND l.order_id = q.order_id
  ) lines
) sums CROSS JOIN LATERAL (SELECT (${discountOf("q")} ->> 'amountCents')::bigint AS off OFFSET 0) discounted
WHERE NOT sound OR (gross, net) <> (gross_cents, total_cents)
  OR gross_cents - off IS DISTINCT FROM total_cents OR off < 0
  OR credit_cents + card_cents <> total_cents OR credit_cents < 0 OR card_cents < 0`,

  payment_is_kept: `
SELECT quote_id AS subject, format(
  '%s cents were paid for it; it is %s with %s cents for the card and %s credited, %s of them in the ledger',
  coalesce(paid, 0), status, card_cents, credited_cents, coalesce(late, 0)
) AS message
FROM quotes
LEFT JOIN (SELECT quote_id, sum(amount_cents) AS paid FROM payments GROUP BY quote_id) p USING (quote_id)
LEFT JOIN (
  SELECT quote_id, sum(amount_cents) AS late FROM ledger WHERE kind = 'late_payment' GROUP BY quote_id
) l USING (quote_id)
WHERE coalesce(paid, 0) <> CASE status WHEN 'paid' THEN card_cents ELSE 0 END + credited_cents
  OR coalesce(late, 0) <> CASE mode WHEN 'live' THEN credited_cents ELSE 0 END`,

  set_aside_is_kept: `
SELECT s.payment_id AS subject, format(
  '%s cents are %s; %s were paid', s.amount_cents, coalesce(s.outcome, 'undecided'), coalesce(p.amount_cents, 0)
) AS message
FROM payments_set_aside s LEFT JOIN (
  SELECT payment_id, quote_id, amount_cents FROM payments
  UNION ALL SELECT payment_id, top_up_id, cents FROM top_ups WHERE payment_id IS NOT NULL
) p USING (payment_id)
WHERE CASE WHEN s.outcome = 'credited' THEN (p.quote_id, p.amount_cents) IS DISTINCT FROM (s.quote_id, s.amount_cents)
  ELSE p.payment_id IS NOT NULL END`,

  quote_ends: `
SELECT quote_id AS subject, format('it is open, and expired at %s', expires_at_ms) AS message FROM quotes
WHERE status IN ('awaiting_payment', 'awaiting_approval') AND payment_pending_at_ms IS NULL
  AND expires_at_ms <= extract(epoch FROM now()) * 1000 - ${DAY_MS}`,

  quote_has_its_order: `
SELECT quote_id AS subject, format(
  'it is %s and has order %s, placed at %s, which is %s',
  status, coalesce(order_id, '-'), coalesce(ordered_at_ms::text, '-'), coalesce(order_status, '-')
) AS message
FROM quotes
WHERE (status = 'paid', status = 'paid', status = 'paid')
  <> (order_id IS NOT NULL, ordered_at_ms IS NOT NULL, order_status IS NOT NULL)`,

  order_has_its_links: `
SELECT o.order_id AS subject, format(
  'it names %s links over %s cents and is %s; there are %s over %s cents, %s of them as in its quote, which make it %s',
  cardinality(o.link_ids), o.total_cents, o.status, coalesce(count, 0), coalesce(net, 0), coalesce(quoted, 0),
  coalesce(l.status, 'nothing')
) AS message
FROM orders o JOIN quotes q ON q.quote_id = o.quote_id LEFT JOIN (
  SELECT l.order_id, count(*), sum(l.net_cents) AS net, array_agg(l.link_id::text ORDER BY l.index) AS link_ids,
    count(*) FILTER (WHERE
      (l.quote_id, l.account_no, l.mode) = (q.quote_id, q.account_no, q.mode)
      AND (q.lines = '[]' OR (
        (q.lines -> l.index ->> 'priceCents')::bigint = l.price_cents
        AND (q.lines -> l.index ->> 'netCents')::bigint = l.net_cents
        AND (q.lines -> l.index -> 'item' ->> 'siteId')::bigint = l.site_id
        AND (q.lines -> l.index -> 'item' ->> 'articleId')::bigint IS NOT DISTINCT FROM l.article_id
      ))
    ) AS quoted,
    CASE
      WHEN bool_and(l.status = 'cancelled') THEN 'cancelled'
      WHEN bool_and(l.status IN ('cancelled', 'published', 'verified')) THEN 'completed'
      WHEN bool_or(l.status IN ('drafted', 'in_review', 'approved', 'published', 'verified')) THEN 'in_progress'
      ELSE 'paid'
    END AS status
  FROM links l JOIN orders o ON o.order_id = l.order_id JOIN quotes q ON q.quote_id = o.quote_id GROUP BY l.order_id
) l ON l.order_id = o.order_id
WHERE (o.link_ids, o.total_cents, o.status) IS DISTINCT FROM (l.link_ids, l.net::bigint, l.status)
  OR (q.lines <> '[]' AND jsonb_array_length(q.lines) <> l.quoted) OR l.count <> l.quoted`,

  recredited_once: `
SELECT link_id AS subject, format(
  '%s cents of its net price are to come back; %s entries of %s cents bring it',
  coalesce(l.due, 0), coalesce(e.count, 0), coalesce(e.cents, 0)
) AS message
FROM (
  SELECT link_id, account_no, ${creditOfCancelled("links")} AS due FROM links
  WHERE mode = 'live' AND ${creditOfCancelled("links")} > 0
) l FULL JOIN (
  SELECT link_id, min(account_no) AS account_no, count(*), sum(amount_cents) AS cents
  FROM ledger WHERE kind = 'recredit' GROUP BY link_id
) e USING (link_id)
WHERE (l.account_no, l.due, 1) IS DISTINCT FROM (e.account_no, e.cents::bigint, e.count)`,

  money_goes_back_once: `
SELECT quote_id AS subject, format(
  '%s cents went back by refund or dispute, %s too many with its credit', gone, gone + back - taken_back - came_in
) AS message
FROM (
  SELECT r.quote_id, coalesce(sum(r.cents) FILTER (WHERE r.state = 'final'), 0) AS gone,
    sum(r.taken_back_cents) AS taken_back,
    q.credited_cents + coalesce((
      SELECT sum(${creditOfCancelled("l")}) FROM links l WHERE l.order_id = q.order_id
    ), 0) AS back,
    CASE q.status WHEN 'paid' THEN q.credit_cents ELSE 0 END
      + coalesce((SELECT sum(p.amount_cents) FROM payments p WHERE p.quote_id = q.quote_id), 0)
      + coalesce((
        SELECT sum(s.amount_cents) FROM payments_set_aside s
        WHERE s.quote_id = q.quote_id AND s.outcome IS DISTINCT FROM 'credited'
      ), 0) AS came_in
  FROM reversals r JOIN quotes q USING (quote_id)
  GROUP BY r.quote_id, q.quote_id, q.order_id, q.status, q.credit_cents, q.credited_cents
) quoted
WHERE gone + back - taken_back > came_in
UNION ALL
SELECT quote_id, format('its refunded links credited %s cents; credit paid %s', sum(${creditOfRefunded("l")}), credit_cents)
FROM quotes JOIN links l USING (quote_id)
WHERE l.status = 'cancelled' GROUP BY quote_id, credit_cents HAVING sum(${creditOfRefunded("l")}) > credit_cents`,

  key_is_bound_once: `
SELECT quote_id AS subject, format(
  'it is bound to %s by key %s, as %s quotes are; its fingerprint is %s, and its answer %s',
  coalesce(idempotency_key, '-'), key_id, bound, coalesce(fingerprint, '-'),
  CASE WHEN answer_status IS NULL AND answer_body IS NULL THEN 'not there' ELSE 'stored' END
) AS message
FROM (
  SELECT *, count(*) OVER (
    PARTITION BY bound_scope, idempotency_key, CASE WHEN bound_scope IS NULL THEN key_id ELSE account_no || mode END
  ) AS bound FROM quotes
) quotes
WHERE (idempotency_key IS NULL) <> (fingerprint IS NULL) OR (idempotency_key IS NOT NULL AND bound > 1)
  OR (bound_scope IS NOT NULL AND idempotency_key IS NULL)
  OR (answer_status IS NULL) <> (answer_body IS NULL)
  OR (answer_body IS NOT NULL AND (idempotency_key IS NULL OR answer_freed_at_ms IS NOT NULL))`,

  // Not of days of which retention may have freed sandbox quotes: they stay counted.
  day_is_counted: `
SELECT format('%s/%s', key_id, day) AS subject, format(
  '%s quotes and %s cents are counted; %s quotes were made, and %s cents of them not given up',
  coalesce(t.quotes, 0), coalesce(t.spent_cents, 0), coalesce(q.quotes, 0), coalesce(q.cents, 0)
) AS message
FROM tallies t FULL JOIN (
  SELECT key_id, (created_at_ms / 86400000)::int AS day, count(*) AS quotes,
    sum(total_cents) FILTER (WHERE status <> 'abandoned') AS cents
  FROM quotes GROUP BY key_id, (created_at_ms / 86400000)::int
) q USING (key_id, day)
WHERE (coalesce(t.quotes, 0), coalesce(t.spent_cents, 0)) <> (coalesce(q.quotes, 0), coalesce(q.cents, 0))
  AND NOT (
    EXISTS (SELECT FROM keys k WHERE k.key_id = coalesce(t.key_id, q.key_id) AND k.mode = 'sandbox')
    AND coalesce(t.day, q.day)::bigint * ${DAY_MS} < (
      SELECT coalesce(max(before_ms), 0) FROM freed_rows WHERE table_name = 'quotes'
    )
  )`
} as const
