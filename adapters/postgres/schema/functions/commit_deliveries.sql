-- Writes subscriptions, the health of their endpoints, and deliveries with their rows in the outbox. `ended` names
-- subscriptions whose pending deliveries are dropped.
CREATE OR REPLACE FUNCTION commit_deliveries(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
  numbered jsonb;
BEGIN
  IF c ? 'new_subscriptions' THEN
    INSERT INTO subscriptions SELECT * FROM jsonb_populate_recordset(NULL::subscriptions, c -> 'new_subscriptions');
  END IF;
  IF c ? 'subscriptions' THEN
    -- Waits for every session that queues a delivery there, so that the deliveries dropped below are all there are.
    PERFORM FROM subscriptions WHERE webhook_id IN (SELECT s ->> 'webhook_id' FROM jsonb_array_elements(c -> 'subscriptions') s)
    ORDER BY webhook_id FOR UPDATE;
    UPDATE subscriptions SET
      version = s.version, previous = s.previous, sealed_signing_key = s.sealed_signing_key, previous_keys = s.previous_keys,
      revoked_at_ms = s.revoked_at_ms
    FROM jsonb_populate_recordset(NULL::subscriptions, c -> 'subscriptions') s
    WHERE subscriptions.webhook_id = s.webhook_id AND subscriptions.version = s.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'subscriptions') THEN PERFORM refuse_stale('a subscription'); END IF;
  END IF;
  IF c ? 'endpoints' THEN
    PERFORM FROM subscriptions WHERE webhook_id IN (SELECT e ->> 'webhook_id' FROM jsonb_array_elements(c -> 'endpoints') e)
    ORDER BY webhook_id FOR NO KEY UPDATE;
    UPDATE subscriptions SET health = e.health, health_version = e.health_version
    FROM jsonb_to_recordset(c -> 'endpoints') AS e (webhook_id id, health jsonb, health_version id, over id)
    WHERE subscriptions.webhook_id = e.webhook_id AND subscriptions.health_version = e.over;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'endpoints') THEN PERFORM refuse_stale('an endpoint'); END IF;
  END IF;
  IF c ? 'new_deliveries' THEN
    SELECT jsonb_agg(d || jsonb_build_object(
      'account_no', (SELECT a.account_no FROM accounts a WHERE a.account_id = d ->> 'account_id')
    ))
    INTO numbered FROM jsonb_array_elements(c -> 'new_deliveries') d;
    INSERT INTO deliveries SELECT * FROM jsonb_populate_recordset(NULL::deliveries, numbered);
    INSERT INTO outbox (delivery_id, webhook_id, due_at_ms, account_no)
    SELECT delivery_id, webhook_id, next_attempt_at_ms, account_no FROM jsonb_populate_recordset(NULL::deliveries, numbered);
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
    UPDATE deliveries SET
      version = d.version, previous = d.previous, state = d.state, attempts = d.attempts,
      attempts_in_run = d.attempts_in_run, next_attempt_at_ms = d.next_attempt_at_ms
    FROM jsonb_populate_recordset(NULL::deliveries, c -> 'deliveries') d
    WHERE deliveries.delivery_id = d.delivery_id AND deliveries.version = d.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'deliveries') THEN PERFORM refuse_stale('a delivery'); END IF;
  END IF;
  IF c ? 'ended' THEN
    WITH ended AS (
      DELETE FROM outbox WHERE webhook_id = ANY (ARRAY(SELECT jsonb_array_elements_text(c -> 'ended'))) RETURNING delivery_id
    )
    UPDATE deliveries SET version = c ->> 'stem', previous = version, state = 'dropped', next_attempt_at_ms = NULL
    FROM ended WHERE deliveries.delivery_id = ended.delivery_id;
  END IF;
END $$;
