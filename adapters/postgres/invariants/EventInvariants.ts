// Invariants of events and their deliveries, as queries that select violations.

export const eventInvariants = {
  // order.accepted and order.completed may be missing: they are raised only for webhooks that receive them.
  order_is_announced: `
SELECT order_id AS subject, format(
  '%s of link %s: %s are due, %s were raised', type, coalesce(nullif(link_id, ''), '-'), coalesce(due, 0), coalesce(raised, 0)
) AS message
FROM (
  SELECT order_id, 'order.accepted' AS type, '' AS link_id, 1 AS due FROM orders
  UNION ALL SELECT order_id, 'order.published', link_id, 1 FROM links WHERE published_at_ms IS NOT NULL
  UNION ALL SELECT order_id, 'order.completed', '', 1 FROM links GROUP BY order_id
    HAVING bool_and(status IN ('published', 'verified', 'cancelled')) AND bool_or(published_at_ms IS NOT NULL)
  UNION ALL SELECT order_id, 'order.cancelled', '', 1 FROM links GROUP BY order_id HAVING bool_and(status = 'cancelled')
) d FULL JOIN (
  SELECT e.order_id, type, coalesce(link_id, '') AS link_id, count(*) AS events, count(o.order_id) AS raised
  FROM events e LEFT JOIN orders o
    ON (o.order_id, o.account_no, o.key_id, o.mode) = (e.order_id, e.account_no, e.key_id, e.mode)
  WHERE type <> 'order.updated' AND e.order_id IS NOT NULL
  GROUP BY e.order_id, type, coalesce(link_id, '')
) e USING (order_id, type, link_id)
WHERE due IS NULL OR CASE WHEN events IS NULL THEN type NOT IN ('order.accepted', 'order.completed') ELSE (events, raised) <> (1, 1) END
UNION ALL
SELECT e.order_id, format('order.updated: at most %s are due, %s were raised', coalesce(entries, 0), count(*))
FROM events e
LEFT JOIN (
  SELECT order_id, sum(jsonb_array_length(history)) AS entries FROM links GROUP BY order_id
) l ON l.order_id = e.order_id
LEFT JOIN orders o ON (o.order_id, o.account_no, o.key_id, o.mode) = (e.order_id, e.account_no, e.key_id, e.mode)
WHERE e.type = 'order.updated'
GROUP BY e.order_id, entries
HAVING count(*) > coalesce(entries, 0) OR count(o.order_id) < count(*) OR count(e.link_id) > 0`,

  // An expired quote may have been paid after all.
  quote_is_announced: `
SELECT e.quote_id AS subject, format(
  '%s was raised %s times; the quote is %s', e.type, count(*), coalesce(min(q.status), 'not there')
) AS message
FROM events e LEFT JOIN quotes q
  ON (q.quote_id, q.account_no, q.key_id, q.mode) = (e.quote_id, e.account_no, e.key_id, e.mode)
WHERE e.quote_id IS NOT NULL
GROUP BY e.quote_id, e.type
HAVING count(*) > 1 OR count(q.quote_id) < count(*) OR NOT bool_and(CASE e.type
  WHEN 'quote.paid' THEN q.status = 'paid'
  WHEN 'quote.abandoned' THEN q.status = 'abandoned' AND q.abandoned_by <> 'expiry'
  WHEN 'quote.expired' THEN coalesce(q.abandoned_by = 'expiry', false) OR q.status = 'paid'
  ELSE e.type = 'quote.approval_requested'
END)`,

  // Only checked for subscriptions that were never disabled: disabling one leaves a delivery that failed, was dropped, or was retried
  // by hand since. Deliveries of older events may have been freed.
  event_is_queued: `
SELECT coalesce(e.event_id, e.order_id) AS subject, format('%s was not queued for subscription %s', e.type, s.webhook_id) AS message
FROM (
  SELECT *, key_id AS of_key FROM subscriptions
  UNION ALL
  SELECT wide.*, k.key_id FROM subscriptions wide
  JOIN keys k ON (k.account_id, k.mode) = (wide.account_id, wide.mode) AND k.key_id <> wide.key_id
  WHERE wide.scope = 'account'
) s
JOIN (
  SELECT event_id, order_id, key_id, type, at_ms FROM events
  UNION ALL
  SELECT NULL, o.order_id, o.key_id, 'order.accepted', o.created_at_ms FROM orders o
  WHERE NOT EXISTS (SELECT FROM events a WHERE a.order_id = o.order_id AND a.type = 'order.accepted')
) e ON e.key_id = s.of_key AND (e.type = ANY (s.events) OR s.later_events && ARRAY[e.type, '*'])
  AND greatest(s.created_at_ms, s.named_at_ms, s.resumed_at_ms) < e.at_ms
  AND (s.revoked_at_ms IS NULL OR s.revoked_at_ms > e.at_ms)
LEFT JOIN deliveries d ON d.webhook_id = s.webhook_id AND d.event_id = e.event_id
WHERE d.delivery_id IS NULL AND s.health ->> 'disabledAtMs' IS NULL AND s.webhook_id NOT IN (
  SELECT webhook_id FROM deliveries
  WHERE state IN ('failed', 'dropped') OR attempts_in_run <> jsonb_array_length(attempts)
  UNION ALL SELECT webhook_id FROM freed_interruptions
) AND e.at_ms >= (SELECT coalesce(max(before_ms), 0) FROM freed_rows WHERE table_name = 'deliveries')`,

  delivery_is_true: `
SELECT d.delivery_id AS subject, format(
  'it carries %s %s to subscription %s; that event is %s', d.event, d.event_id, d.webhook_id,
  CASE WHEN e.event_id IS NULL THEN 'not there' WHEN e.body <> d.body THEN 'of other bytes' ELSE 'another or another key''s' END
) AS message
FROM deliveries d
LEFT JOIN events e ON e.event_id = d.event_id LEFT JOIN subscriptions s ON s.webhook_id = d.webhook_id
LEFT JOIN accounts a ON a.account_id = s.account_id
WHERE d.event <> 'webhook.test' AND (
  (e.type, e.body) = (d.event, d.body)
  AND (e.key_id = s.key_id OR s.scope = 'account' AND (e.account_no, e.mode) = (a.account_no, s.mode))
) IS NOT TRUE`,

  delivery_is_awaited: `
SELECT delivery_id AS subject, format(
  'it is %s, due at %s; the outbox has it %s',
  coalesce(d.state, 'not to be sent'), coalesce(d.next_attempt_at_ms::text, '-'), coalesce('at ' || o.due_at_ms, 'not')
) AS message
FROM outbox o FULL JOIN (
  SELECT delivery_id, account_no, webhook_id, state, next_attempt_at_ms FROM deliveries WHERE state = 'pending'
) d USING (delivery_id)
WHERE (o.account_no, o.webhook_id, o.due_at_ms) IS DISTINCT FROM (d.account_no, d.webhook_id, d.next_attempt_at_ms)`
} as const
