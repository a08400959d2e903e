-- Webhook subscriptions, and every event on its way to one of them.

CREATE TABLE subscriptions (
  webhook_id id PRIMARY KEY,
  -- Of what decides whether and how something is sent there. How the endpoint fares changes far more often, and has a version
  -- of its own: no order needs to be decided again for it.
  version id NOT NULL,
  previous id,
  account_id id NOT NULL,
  key_id id NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  url text NOT NULL,
  events text[] NOT NULL,
  sealed_signing_key text NOT NULL,
  previous_key jsonb,
  health jsonb NOT NULL,
  health_version id NOT NULL,
  created_at_ms bigint NOT NULL,
  revoked_at_ms bigint,
  FOREIGN KEY (key_id, account_id) REFERENCES keys (key_id, account_id)
) WITH (fillfactor = 60);
CREATE INDEX subscriptions_of_account ON subscriptions (account_id, webhook_id);
CREATE INDEX subscriptions_of_key ON subscriptions (key_id, webhook_id) WHERE revoked_at_ms IS NULL;

CREATE TABLE deliveries (
  delivery_id id PRIMARY KEY,
  version id NOT NULL,
  previous id,
  webhook_id id NOT NULL REFERENCES subscriptions,
  account_id id NOT NULL,
  key_id id NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  event_id id NOT NULL,
  event text NOT NULL,
  body text NOT NULL,
  created_at_ms bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts jsonb NOT NULL,
  attempts_in_run bigint NOT NULL,
  next_attempt_at_ms bigint,
  -- Who has it on lease sends it. A lease ends with its time, or with the delivery being moved.
  leased_until_ms bigint,
  CONSTRAINT pending_means_due CHECK ((state = 'pending') = (next_attempt_at_ms IS NOT NULL)),
  -- An event goes to a subscription once, however often it is attempted.
  UNIQUE (webhook_id, event_id)
) WITH (fillfactor = 60);
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, delivery_id);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at_ms) INCLUDE (leased_until_ms) WHERE state = 'pending';
CREATE INDEX deliveries_due_of_webhook ON deliveries (webhook_id, next_attempt_at_ms, delivery_id)
  INCLUDE (leased_until_ms) WHERE state = 'pending';
CREATE INDEX deliveries_leased ON deliveries (webhook_id, leased_until_ms)
  WHERE leased_until_ms IS NOT NULL AND state = 'pending';

-- Hands out deliveries that are due, endpoint by endpoint in turn, and puts them on lease. One claim at a time, over all
-- instances: only so is what is on lease already counted exactly. Costs what the endpoints in waiting cost, not their backlogs.
CREATE FUNCTION claim_deliveries(now_ms bigint, most bigint, per_endpoint bigint, lease_ms bigint)
RETURNS TABLE (delivery_id id, place bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(4927380165);
  RETURN QUERY
  WITH RECURSIVE endpoints AS (
    (SELECT d.webhook_id FROM deliveries d WHERE d.state = 'pending' ORDER BY d.webhook_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT d.webhook_id FROM deliveries d WHERE d.state = 'pending' AND d.webhook_id > e.webhook_id
      ORDER BY d.webhook_id LIMIT 1
    )
    FROM endpoints e WHERE e.webhook_id IS NOT NULL
  ),
  candidates AS (
    SELECT due.delivery_id, due.next_attempt_at_ms, o.underway + due.ahead AS turn
    FROM endpoints e
    JOIN subscriptions s ON s.webhook_id = e.webhook_id
    CROSS JOIN LATERAL (
      SELECT count(*) AS underway FROM deliveries d
      WHERE d.webhook_id = e.webhook_id AND d.state = 'pending' AND d.leased_until_ms > now_ms
    ) o
    CROSS JOIN LATERAL (
      SELECT d.delivery_id, d.next_attempt_at_ms, row_number() OVER (ORDER BY d.next_attempt_at_ms, d.delivery_id) - 1 AS ahead
      FROM deliveries d
      WHERE d.webhook_id = e.webhook_id AND d.state = 'pending' AND d.next_attempt_at_ms <= now_ms
        AND (d.leased_until_ms IS NULL OR d.leased_until_ms <= now_ms)
      ORDER BY d.next_attempt_at_ms, d.delivery_id
      LIMIT greatest(0, CASE WHEN (s.health ->> 'consecutiveFailures')::bigint > 0 THEN 1 ELSE per_endpoint END - o.underway)
    ) due
  ),
  chosen AS (
    SELECT c.delivery_id, row_number() OVER (ORDER BY c.turn, c.next_attempt_at_ms, c.delivery_id) AS place
    FROM candidates c ORDER BY place LIMIT most
  ),
  -- Looked at again under its lock: whatever is being moved at this moment is left to whoever moves it.
  taken AS (
    SELECT d.delivery_id FROM deliveries d JOIN chosen c ON c.delivery_id = d.delivery_id
    WHERE d.state = 'pending' AND d.next_attempt_at_ms <= now_ms
      AND (d.leased_until_ms IS NULL OR d.leased_until_ms <= now_ms)
    FOR UPDATE OF d SKIP LOCKED
  ),
  leased AS (
    UPDATE deliveries d SET leased_until_ms = now_ms + lease_ms FROM taken t WHERE d.delivery_id = t.delivery_id
    RETURNING d.delivery_id
  )
  SELECT l.delivery_id, c.place FROM leased l JOIN chosen c ON c.delivery_id = l.delivery_id;
END $$;

-- Within the writing of a decision's changes (see 006_commit.sql): subscriptions first, then deliveries, for everybody.
CREATE FUNCTION commit_deliveries(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
BEGIN
  IF c ? 'new_subscriptions' THEN
    INSERT INTO subscriptions SELECT * FROM jsonb_populate_recordset(NULL::subscriptions, c -> 'new_subscriptions');
  END IF;
  IF c ? 'subscriptions' THEN
    -- Waits for all who are queuing a delivery there, so that what is dropped below is all there is.
    PERFORM FROM subscriptions WHERE webhook_id IN (SELECT s ->> 'webhook_id' FROM jsonb_array_elements(c -> 'subscriptions') s)
    ORDER BY webhook_id FOR UPDATE;
    UPDATE subscriptions SET
      version = s.version, previous = s.previous, sealed_signing_key = s.sealed_signing_key, previous_key = s.previous_key,
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
    INSERT INTO deliveries SELECT * FROM jsonb_populate_recordset(NULL::deliveries, c -> 'new_deliveries');
  END IF;
  IF c ? 'deliveries' THEN
    PERFORM FROM deliveries WHERE delivery_id IN (SELECT d ->> 'delivery_id' FROM jsonb_array_elements(c -> 'deliveries') d)
    ORDER BY delivery_id FOR NO KEY UPDATE;
    UPDATE deliveries SET
      version = d.version, previous = d.previous, state = d.state, attempts = d.attempts,
      attempts_in_run = d.attempts_in_run, next_attempt_at_ms = d.next_attempt_at_ms, leased_until_ms = NULL
    FROM jsonb_populate_recordset(NULL::deliveries, c -> 'deliveries') d
    WHERE deliveries.delivery_id = d.delivery_id AND deliveries.version = d.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'deliveries') THEN PERFORM refuse_stale('a delivery'); END IF;
  END IF;
  IF c ? 'ended' THEN
    UPDATE deliveries SET version = c ->> 'stem', previous = version, state = 'dropped', next_attempt_at_ms = NULL
    WHERE webhook_id IN (SELECT jsonb_array_elements_text(c -> 'ended')) AND state = 'pending';
  END IF;
END $$;
