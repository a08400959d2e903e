-- Writes subscriptions, the health of their endpoints, and deliveries with their rows in the outbox. `ended` names
-- subscriptions whose pending deliveries are dropped.
CREATE OR REPLACE FUNCTION write_webhooks(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Waits for every session that queues a delivery there, so that the deliveries dropped below are all there are.
  IF c ? 'subscriptions' THEN
    PERFORM FROM subscriptions WHERE webhook_id = ANY (ARRAY(SELECT s ->> 'webhook_id' FROM jsonb_array_elements(c -> 'subscriptions') s))
    ORDER BY webhook_id FOR UPDATE;
  END IF;
  PERFORM write_subscriptions(c);
  IF c ? 'endpoints' THEN PERFORM write_subscriptions(jsonb_build_object('subscriptions', c -> 'endpoints')); END IF;
  IF c ? 'new_deliveries' THEN
    INSERT INTO outbox (delivery_id, webhook_id, due_at_ms, account_no)
    SELECT delivery_id, webhook_id, next_attempt_at_ms, account_no FROM deliveries_of(c -> 'new_deliveries');
  END IF;
  IF c ? 'deliveries' THEN
    -- Every session locks rows of the outbox in the order of their ids: an index is searched for several keys in its own order.
    DELETE FROM outbox WHERE delivery_id = ANY (ARRAY(
      SELECT d.delivery_id FROM jsonb_populate_recordset(NULL::deliveries, c -> 'deliveries') d WHERE d.state <> 'pending'
    ));
    INSERT INTO outbox (delivery_id, webhook_id, due_at_ms, account_no)
    SELECT d.delivery_id, d.webhook_id, d.next_attempt_at_ms, known.account_no
    FROM jsonb_populate_recordset(NULL::deliveries, c -> 'deliveries') d
    JOIN LATERAL (SELECT k.account_no FROM deliveries k WHERE k.delivery_id = d.delivery_id LIMIT 1) known ON true
    WHERE d.state = 'pending' ORDER BY d.delivery_id
    ON CONFLICT (delivery_id, account_no) DO UPDATE SET due_at_ms = EXCLUDED.due_at_ms, leased_until_ms = NULL;
  END IF;
  PERFORM write_deliveries(c);
  IF c ? 'ended' THEN
    WITH ended AS (
      DELETE FROM outbox WHERE webhook_id = ANY (ARRAY(SELECT jsonb_array_elements_text(c -> 'ended'))) RETURNING delivery_id
    )
    UPDATE deliveries SET version = c ->> 'stem', state = 'dropped', next_attempt_at_ms = NULL
    FROM ended WHERE deliveries.delivery_id = ended.delivery_id;
  END IF;
END $$;
