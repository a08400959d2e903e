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
  previous_keys jsonb NOT NULL,
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
  webhook_id id NOT NULL REFERENCES subscriptions,
  account_id id NOT NULL,
  key_id id NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  event_id id NOT NULL,
  event text NOT NULL,
  body text NOT NULL,
  created_at_ms bigint NOT NULL,
  -- What attempts change: nothing of it is in an index, and it stands together, so that noting one writes little.
  version id NOT NULL,
  previous id,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts jsonb NOT NULL,
  attempts_in_run bigint NOT NULL,
  next_attempt_at_ms bigint,
  CONSTRAINT pending_means_due CHECK ((state = 'pending') = (next_attempt_at_ms IS NOT NULL)),
  -- An event goes to a subscription once, however often it is attempted.
  UNIQUE (webhook_id, event_id)
) WITH (fillfactor = 60);
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, delivery_id);

-- A small row for each delivery for as long as it is pending. Whoever moves a delivery writes here before anything else, so that
-- nobody claims it meanwhile.
CREATE TABLE outbox (
  delivery_id id PRIMARY KEY,
  webhook_id id NOT NULL,
  due_at_ms bigint NOT NULL,
  -- Who has it on lease sends it. A lease ends with its time, or with the delivery being moved.
  leased_until_ms bigint
) WITH (fillfactor = 70);
CREATE INDEX outbox_of_webhook ON outbox (webhook_id, due_at_ms, delivery_id);
CREATE INDEX outbox_leased ON outbox (webhook_id, leased_until_ms) WHERE leased_until_ms IS NOT NULL;

-- From one endpoint to the next, however long the backlog of each.
CREATE FUNCTION waiting_endpoints() RETURNS TABLE (webhook_id id) LANGUAGE sql STABLE ROWS 100 AS $$
  WITH RECURSIVE endpoints AS (
    (SELECT o.webhook_id FROM outbox o ORDER BY o.webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.webhook_id FROM outbox o WHERE o.webhook_id > e.webhook_id ORDER BY o.webhook_id LIMIT 1)
    FROM endpoints e WHERE e.webhook_id IS NOT NULL
  )
  SELECT e.webhook_id FROM endpoints e WHERE e.webhook_id IS NOT NULL
$$;

-- When the next is due that nobody has on lease.
CREATE FUNCTION next_delivery_due(now_ms bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT min(next.due_at_ms) FROM waiting_endpoints() e CROSS JOIN LATERAL (
    SELECT o.due_at_ms FROM outbox o
    WHERE o.webhook_id = e.webhook_id AND (o.leased_until_ms IS NULL OR o.leased_until_ms <= now_ms)
    ORDER BY o.due_at_ms LIMIT 1
  ) next
$$;

-- Hands out deliveries that are due, endpoint by endpoint in turn, and puts them on lease. One claim at a time, over all
-- instances: only so is what is on lease already counted exactly. Costs what the endpoints in waiting cost, not their backlogs.
CREATE FUNCTION claim_deliveries(
  now_ms bigint, most bigint, per_endpoint bigint, lease_ms bigint, OUT claimed deliveries[], OUT endpoints subscriptions[]
)
-- Rows come and go fast here, and whoever looks by way of a bitmap visits those that have gone again and again.
LANGUAGE plpgsql SET enable_bitmapscan = off AS $$
DECLARE
  chosen text[];
  taken text[];
BEGIN
  PERFORM pg_advisory_xact_lock(4927380165);
  SELECT array_agg(c.delivery_id) INTO chosen FROM (
    SELECT due.delivery_id
    FROM waiting_endpoints() e
    JOIN subscriptions s ON s.webhook_id = e.webhook_id
    CROSS JOIN LATERAL (
      SELECT count(*) AS underway FROM outbox o WHERE o.webhook_id = e.webhook_id AND o.leased_until_ms > now_ms
    ) u
    CROSS JOIN LATERAL (
      SELECT o.delivery_id, o.due_at_ms, u.underway + row_number() OVER (ORDER BY o.due_at_ms, o.delivery_id) AS turn
      FROM outbox o
      WHERE o.webhook_id = e.webhook_id AND o.due_at_ms <= now_ms
        AND (o.leased_until_ms IS NULL OR o.leased_until_ms <= now_ms)
      ORDER BY o.due_at_ms, o.delivery_id
      LIMIT greatest(0, CASE WHEN (s.health ->> 'consecutiveFailures')::bigint > 0 THEN 1 ELSE per_endpoint END - u.underway)
    ) due
    ORDER BY due.turn, due.due_at_ms, due.delivery_id
    LIMIT most
  ) c;
  IF chosen IS NULL THEN RETURN; END IF;
  -- Looked at again under its lock: whatever is being moved at this moment is left to whoever moves it.
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

-- Within the writing of a decision's changes (see 008_rows.sql): subscriptions first, then deliveries, for everybody.
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
    INSERT INTO deliveries SELECT * FROM jsonb_populate_recordset(NULL::deliveries, c -> 'new_deliveries');
    INSERT INTO outbox SELECT delivery_id, webhook_id, next_attempt_at_ms
    FROM jsonb_populate_recordset(NULL::deliveries, c -> 'new_deliveries');
  END IF;
  IF c ? 'deliveries' THEN
    -- In the order of their ids, for everybody: an index is searched for several keys in its own order.
    DELETE FROM outbox WHERE delivery_id = ANY (ARRAY(
      SELECT d.delivery_id FROM jsonb_populate_recordset(NULL::deliveries, c -> 'deliveries') d WHERE d.state <> 'pending'
    ));
    INSERT INTO outbox SELECT d.delivery_id, d.webhook_id, d.next_attempt_at_ms
    FROM jsonb_populate_recordset(NULL::deliveries, c -> 'deliveries') d WHERE d.state = 'pending' ORDER BY d.delivery_id
    ON CONFLICT (delivery_id) DO UPDATE SET due_at_ms = EXCLUDED.due_at_ms, leased_until_ms = NULL;
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
