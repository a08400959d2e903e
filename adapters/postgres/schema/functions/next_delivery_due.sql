-- When the next delivery without a lease is due; null if no delivery waits.
CREATE OR REPLACE FUNCTION next_delivery_due(now_ms bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT min(next.due_at_ms) FROM waiting_endpoints() e CROSS JOIN LATERAL (
    SELECT o.due_at_ms FROM outbox o
    WHERE o.webhook_id = e.webhook_id AND (o.leased_until_ms IS NULL OR o.leased_until_ms <= now_ms)
    ORDER BY o.due_at_ms LIMIT 1
  ) next
$$;
