-- Events, subscriptions to them, and every event on its way to a subscription.

CREATE TABLE events (
  event_id id NOT NULL,
  type text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  key_id id NOT NULL,
  account_no integer NOT NULL,
  order_id id,
  link_id id,
  body text,
  at_ms bigint NOT NULL,
  quote_id id,
  facts jsonb,
  PRIMARY KEY (event_id, account_no),
  -- Retention deletes sandbox orders: an event that is written meanwhile waits for it and fails.
  CONSTRAINT events_order_id_fkey FOREIGN KEY (order_id, account_no) REFERENCES quotes (order_id, account_no),
  CONSTRAINT events_quote_id_fkey FOREIGN KEY (quote_id, account_no) REFERENCES quotes (quote_id, account_no),
  CONSTRAINT event_is_of_one CHECK ((order_id IS NULL) <> (quote_id IS NULL)),
  CONSTRAINT rendered_or_told CHECK (body IS NOT NULL OR facts IS NOT NULL)
);
-- "order.updated" repeats; every other event happens once.
CREATE UNIQUE INDEX event_once ON events (
  order_id, type, coalesce(link_id, ''), (CASE WHEN type = 'order.updated' THEN event_id ELSE '' END), account_no
);
CREATE UNIQUE INDEX quote_event_once ON events (quote_id, type, account_no) WHERE quote_id IS NOT NULL;
CREATE INDEX events_of_key ON events (key_id, event_id);
COMMENT ON TABLE events IS 'What happened to orders and quotes, as webhooks tell it. Written in the transaction of the change.';
COMMENT ON COLUMN events.type IS 'Such as "order.accepted".';
COMMENT ON COLUMN events.key_id IS 'Refers to keys.key_id: the key that ordered, whose subscriptions receive the event.';
COMMENT ON COLUMN events.account_no IS 'Refers to accounts.account_no.';
COMMENT ON COLUMN events.order_id IS 'Null on events of quotes.';
COMMENT ON COLUMN events.link_id IS 'Refers to links.link_id; null on events of whole orders and of quotes.';
COMMENT ON COLUMN events.body IS 'The JSON that is delivered; null where no webhook named the event as it happened.';
COMMENT ON COLUMN events.facts IS 'What an event without a body is rendered from beside the histories of the links: {entries, changedLinkIds}. Null otherwise.';
COMMENT ON COLUMN events.quote_id IS 'Null on events of orders.';

CREATE TABLE subscriptions (
  webhook_id id PRIMARY KEY,
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
  redelivered_at_ms jsonb,
  scope text CHECK (scope = 'account'),
  sealed_standard_key text,
  named_at_ms bigint,
  resumed_at_ms bigint,
  later_events text[],
  calls jsonb,
  FOREIGN KEY (key_id, account_id) REFERENCES keys (key_id, account_id)
) WITH (fillfactor = 60);
CREATE INDEX subscriptions_of_account ON subscriptions (account_id, webhook_id);
CREATE INDEX subscriptions_of_key ON subscriptions (key_id, webhook_id) WHERE revoked_at_ms IS NULL;
CREATE INDEX subscriptions_active ON subscriptions (account_id) WHERE revoked_at_ms IS NULL;
CREATE TRIGGER endpoint_keeps_its_switch BEFORE UPDATE ON subscriptions
  FOR EACH ROW WHEN (
    OLD.health ? 'isPaused' AND NOT NEW.health ? 'isPaused' AND NEW.resumed_at_ms IS NOT DISTINCT FROM OLD.resumed_at_ms
  ) EXECUTE FUNCTION keep_endpoint_switch();
CREATE TRIGGER secrets_keep_their_keys BEFORE UPDATE ON subscriptions
  FOR EACH ROW WHEN (OLD.sealed_signing_key <> NEW.sealed_signing_key OR OLD.previous_keys <> NEW.previous_keys)
  EXECUTE FUNCTION keep_standard_keys();
COMMENT ON TABLE subscriptions IS 'Webhooks.';
COMMENT ON COLUMN subscriptions.version IS 'The version of what decides whether and how an event is sent here. The health changes far more often, and orders need not be decided again for it.';
COMMENT ON COLUMN subscriptions.key_id IS 'The key that made it, and the only one that manages it.';
COMMENT ON COLUMN subscriptions.events IS 'Event types, such as "order.accepted".';
COMMENT ON COLUMN subscriptions.sealed_signing_key IS 'The HMAC key, sealed by ENCRYPTION_KEY; the secret itself is stored nowhere.';
COMMENT ON COLUMN subscriptions.previous_keys IS 'Keys before the last rotations, newest first: array of {sealedSigningKey, sealedStandardKey, untilMs}.';
COMMENT ON COLUMN subscriptions.health IS 'Failures since the last success: {consecutiveFailures, failingSinceMs, disabledAtMs, lastAttempt, isPaused, pausedByOwner, inOrderTo}.';
COMMENT ON COLUMN subscriptions.health_version IS 'The version of the health alone.';
COMMENT ON COLUMN subscriptions.revoked_at_ms IS 'Null while the webhook is active.';
COMMENT ON COLUMN subscriptions.sealed_standard_key IS 'The HMAC key of Standard Webhooks, sealed likewise; null where the secret is older than step 065.';
COMMENT ON COLUMN subscriptions.named_at_ms IS 'When its owner last gave it other events; null if they are those that it was made with.';
COMMENT ON COLUMN subscriptions.resumed_at_ms IS 'When its owner last enabled it again; null if never.';
COMMENT ON COLUMN subscriptions.later_events IS 'Event types that versions before step 065 do not know, and "*" for all; null in their rows.';
COMMENT ON COLUMN subscriptions.calls IS 'What calls under idempotency keys did to it within a day: array of {call, atMs, queued, hasMore}, oldest first; null before the first.';
COMMENT ON COLUMN subscriptions.redelivered_at_ms IS 'Array of the times of the redeliveries that still count, oldest first; null before the first.';
COMMENT ON COLUMN subscriptions.scope IS '"account" if it receives the events of all credentials of its account in its mode; null if those of its key alone.';

CREATE TABLE deliveries (
  delivery_id id NOT NULL,
  webhook_id id NOT NULL REFERENCES subscriptions,
  account_no integer NOT NULL,
  key_id id NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  event_id id NOT NULL,
  event text NOT NULL,
  body text NOT NULL,
  created_at_ms bigint NOT NULL,
  -- What attempts change: together and in no index, so that noting one writes little.
  version id NOT NULL,
  previous id,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts jsonb NOT NULL,
  attempts_in_run bigint NOT NULL,
  next_attempt_at_ms bigint,
  PRIMARY KEY (delivery_id, account_no),
  -- An event goes to a subscription once, however often it is attempted.
  CONSTRAINT deliveries_webhook_id_event_id_key UNIQUE (webhook_id, event_id, account_no),
  CONSTRAINT pending_means_due CHECK ((state = 'pending') = (next_attempt_at_ms IS NOT NULL))
) WITH (fillfactor = 60);
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, delivery_id);
CREATE INDEX deliveries_tests ON deliveries (webhook_id, created_at_ms) WHERE event = 'webhook.test';
COMMENT ON TABLE deliveries IS 'Events on their way to subscriptions, with their attempts.';
COMMENT ON COLUMN deliveries.account_no IS 'Refers to accounts.account_no.';
COMMENT ON COLUMN deliveries.key_id IS 'Refers to keys.key_id: the subscription''s key.';
COMMENT ON COLUMN deliveries.event_id IS 'Refers to events.event_id, except for tests, whose event has no row.';
COMMENT ON COLUMN deliveries.event IS 'The type, such as "order.accepted" or "webhook.test".';
COMMENT ON COLUMN deliveries.body IS 'The same bytes on every attempt.';
COMMENT ON COLUMN deliveries.attempts IS 'The newest attempts, oldest first: array of {atMs, httpStatus, fault, durationMs}.';
COMMENT ON COLUMN deliveries.attempts_in_run IS 'Attempts of the current run; a redelivery starts a new run.';
COMMENT ON COLUMN deliveries.next_attempt_at_ms IS 'Null unless the delivery is pending.';

-- A session that moves a delivery writes here first, so that no other session claims it meanwhile.
CREATE TABLE outbox (
  delivery_id id NOT NULL,
  webhook_id id NOT NULL,
  due_at_ms bigint NOT NULL,
  leased_until_ms bigint,
  account_no integer NOT NULL,
  PRIMARY KEY (delivery_id, account_no)
) WITH (fillfactor = 70);
CREATE INDEX outbox_of_webhook ON outbox (webhook_id, due_at_ms, delivery_id);
CREATE INDEX outbox_leased ON outbox (webhook_id, leased_until_ms) WHERE leased_until_ms IS NOT NULL;
COMMENT ON TABLE outbox IS 'A small row for each pending delivery.';
COMMENT ON COLUMN outbox.delivery_id IS 'Refers to deliveries.delivery_id.';
COMMENT ON COLUMN outbox.webhook_id IS 'Refers to subscriptions.webhook_id.';
COMMENT ON COLUMN outbox.leased_until_ms IS 'Until when an instance has it to send; a lease ends with its time or with a move of the delivery. Null if no instance has it.';
COMMENT ON COLUMN outbox.account_no IS 'Refers to accounts.account_no.';
