-- Leases due deliveries, the endpoints in turn, and returns them with their subscriptions. An endpoint whose last
-- attempt failed, or that gets a replay, gets one delivery at a time. An advisory lock lets one claim run at a time, over all instances.
CREATE OR REPLACE FUNCTION claim_deliveries(
  now_ms bigint,
  most bigint,
  per_endpoint bigint,
  lease_ms bigint,
  OUT claimed deliveries[],
  OUT endpoints subscriptions[]
)
LANGUAGE plpgsql
SET enable_bitmapscan = off AS $$
DECLARE
  chosen text[];
  taken text[];
BEGIN
  PERFORM pg_advisory_xact_lock(4927380165);
  SELECT array_agg(c.delivery_id) INTO chosen FROM (
    SELECT due.delivery_id
    FROM waiting_endpoints() e
    -- Looked up one by one, even under a plan made while there were few subscriptions.
    CROSS JOIN LATERAL (SELECT one.health FROM subscriptions one WHERE one.webhook_id = e.webhook_id LIMIT 1) s
    CROSS JOIN LATERAL (
      SELECT count(*) AS underway FROM outbox o WHERE o.webhook_id = e.webhook_id AND o.leased_until_ms > now_ms
    ) u
    CROSS JOIN LATERAL (
      SELECT o.delivery_id, o.due_at_ms, u.underway + row_number() OVER (ORDER BY o.due_at_ms, o.delivery_id) AS turn
      FROM outbox o
      WHERE o.webhook_id = e.webhook_id AND o.due_at_ms <= now_ms
        AND (o.leased_until_ms IS NULL OR o.leased_until_ms <= now_ms)
      ORDER BY o.due_at_ms, o.delivery_id
      LIMIT greatest(0, CASE WHEN (s.health ->> 'consecutiveFailures')::bigint > 0 OR s.health ? 'inOrderTo' THEN 1 ELSE per_endpoint END - u.underway)
    ) due
    ORDER BY due.turn, due.due_at_ms, due.delivery_id
    LIMIT most
  ) c;
  IF chosen IS NULL THEN RETURN; END IF;
  -- Checked again under the lock; a row that another session has locked is skipped.
  taken := ARRAY(
    SELECT o.delivery_id FROM outbox o
    WHERE o.delivery_id = ANY (chosen) AND (o.due_at_ms <= now_ms) IS TRUE
      AND (o.leased_until_ms IS NULL OR o.leased_until_ms <= now_ms)
    FOR UPDATE SKIP LOCKED
  );
  UPDATE outbox SET leased_until_ms = now_ms + lease_ms WHERE delivery_id = ANY (taken);
  SELECT array_agg(d ORDER BY array_position(chosen, d.delivery_id::text)) INTO claimed
  FROM deliveries d WHERE d.delivery_id = ANY (taken);
  SELECT array_agg(s) INTO endpoints
  FROM subscriptions s WHERE s.webhook_id = ANY (ARRAY(SELECT d.webhook_id FROM unnest(claimed) d));
END $$;
