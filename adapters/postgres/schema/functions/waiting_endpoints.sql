-- Webhooks with rows in the outbox: one index search for each, however long its backlog.
CREATE OR REPLACE FUNCTION waiting_endpoints() RETURNS TABLE (webhook_id id) LANGUAGE sql STABLE ROWS 100 AS $$
  WITH RECURSIVE endpoints AS (
    (SELECT o.webhook_id FROM outbox o ORDER BY o.webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.webhook_id FROM outbox o WHERE o.webhook_id > e.webhook_id ORDER BY o.webhook_id LIMIT 1)
    FROM endpoints e WHERE e.webhook_id IS NOT NULL
  )
  SELECT e.webhook_id FROM endpoints e WHERE e.webhook_id IS NOT NULL
$$;
