-- The binding, the hold and the order of a quote are columns of its row: an order writes one row where it wrote four. Views show them as
-- the tables did. The rows are taken over in one rewrite of the quotes, and compared before the tables go.

CREATE FUNCTION pg_temp.bound(asked_key id, asked id) RETURNS bindings LANGUAGE plpgsql STABLE AS $$
DECLARE found bindings;
BEGIN
  SELECT * INTO found FROM bindings b WHERE b.key_id = asked_key AND b.idempotency_key = asked;
  RETURN found;
END $$;
CREATE FUNCTION pg_temp.ordered(asked id) RETURNS orders LANGUAGE plpgsql STABLE AS $$
DECLARE found orders;
BEGIN
  SELECT * INTO found FROM orders o WHERE o.order_id = asked;
  RETURN found;
END $$;

ALTER TABLE quotes
  ADD COLUMN fingerprint id,
  ADD COLUMN answer_status integer,
  ADD COLUMN answer_body text,
  ADD COLUMN answer_freed_at_ms bigint,
  ADD COLUMN ordered_at_ms bigint,
  ADD COLUMN order_status text CHECK (order_status IN ('paid', 'in_progress', 'completed', 'cancelled'));
ALTER TABLE quotes
  ALTER COLUMN fingerprint TYPE id USING (pg_temp.bound(key_id, idempotency_key)).fingerprint,
  ALTER COLUMN answer_status TYPE integer USING (pg_temp.bound(key_id, idempotency_key)).answer_status,
  ALTER COLUMN answer_body TYPE text USING (pg_temp.bound(key_id, idempotency_key)).answer_body,
  ALTER COLUMN answer_freed_at_ms TYPE bigint USING (pg_temp.bound(key_id, idempotency_key)).answer_freed_at_ms,
  ALTER COLUMN ordered_at_ms TYPE bigint USING (pg_temp.ordered(order_id)).created_at_ms,
  ALTER COLUMN order_status TYPE text USING (pg_temp.ordered(order_id)).status;
DROP FUNCTION pg_temp.bound, pg_temp.ordered;

ALTER TABLE bindings RENAME TO bindings_before;
ALTER TABLE holds RENAME TO holds_before;
ALTER TABLE orders RENAME TO orders_before;
DROP FUNCTION bindings_of, holds_of, orders_of;

CREATE UNIQUE INDEX bound_once ON quotes (key_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX quotes_answered ON quotes (quote_id) WHERE answer_body IS NOT NULL;
CREATE INDEX orders_of_key ON quotes (key_id, order_status, order_id) WHERE order_id IS NOT NULL;
ALTER TABLE quotes
  ADD CONSTRAINT ordered_once UNIQUE (order_id),
  ADD CONSTRAINT order_is_whole
    CHECK ((order_id IS NULL) = (ordered_at_ms IS NULL) AND (order_id IS NULL) = (order_status IS NULL)),
  ADD CONSTRAINT binding_is_whole CHECK ((idempotency_key IS NULL) = (fingerprint IS NULL)),
  ADD CONSTRAINT answer_is_whole CHECK ((answer_status IS NULL) = (answer_body IS NULL)),
  ADD CONSTRAINT freed_answer_is_gone CHECK (answer_freed_at_ms IS NULL OR answer_body IS NULL);
ALTER TABLE links DROP CONSTRAINT links_order_id_fkey, ADD CONSTRAINT links_order_id_fkey
  FOREIGN KEY (order_id) REFERENCES quotes (order_id);
ALTER TABLE events DROP CONSTRAINT events_order_id_fkey, ADD CONSTRAINT events_order_id_fkey
  FOREIGN KEY (order_id) REFERENCES quotes (order_id);

CREATE VIEW bindings AS
SELECT key_id, idempotency_key, fingerprint, quote_id, answer_status, answer_body, created_at_ms AS bound_at_ms, answer_freed_at_ms
FROM quotes WHERE idempotency_key IS NOT NULL;

CREATE VIEW orders AS
SELECT q.order_id, q.quote_id, q.account_id, q.key_id, q.mode,
  ARRAY(SELECT l.link_id::text FROM links l WHERE l.order_id = q.order_id ORDER BY l.index) AS link_ids,
  q.total_cents, q.ordered_at_ms AS created_at_ms, q.order_status AS status
FROM quotes q WHERE q.order_id IS NOT NULL;

-- The hold that a quote names ends with the quote.
CREATE VIEW quote_holds AS
SELECT hold_id, account_id, quote_id, credit_cents AS cents,
  CASE status WHEN 'paid' THEN 'captured' WHEN 'abandoned' THEN 'released' ELSE 'open' END AS state, expires_at_ms,
  status AS quote_status
FROM quotes WHERE hold_id IS NOT NULL;

-- With those that were released before, when the quote had expired and was paid after all: they are known from the ledger.
CREATE VIEW holds AS
SELECT hold_id, account_id, quote_id, cents, state, expires_at_ms FROM quote_holds
UNION ALL
SELECT e.hold_id, e.account_id, e.quote_id, e.amount_cents, 'released', q.expires_at_ms
FROM ledger e JOIN quotes q ON q.quote_id = e.quote_id WHERE e.kind = 'release' AND e.hold_id <> q.hold_id;

CREATE FUNCTION pg_temp.compare_taken_over(name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  differing text;
BEGIN
  EXECUTE format(
    'SELECT row::text FROM ((SELECT * FROM %1$I_before EXCEPT ALL SELECT * FROM %1$I) '
    'UNION ALL (SELECT * FROM %1$I EXCEPT ALL SELECT * FROM %1$I_before)) row LIMIT 1', name
  ) INTO differing;
  IF differing IS NOT NULL THEN
    RAISE EXCEPTION 'a row of % does not follow from its quote: %', name, differing
      USING ERRCODE = 'check_violation';
  END IF;
END $$;
SELECT pg_temp.compare_taken_over(name) FROM unnest(ARRAY['bindings', 'holds', 'orders']) name;
DROP FUNCTION pg_temp.compare_taken_over;
DROP TABLE bindings_before, holds_before, orders_before;

-- A second line of defence behind the version of the account.
CREATE OR REPLACE FUNCTION refuse_second_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'hold % is that of a quote that is %', OLD.hold_id, OLD.status USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER hold_ends_once BEFORE UPDATE ON quotes
  FOR EACH ROW WHEN (
    OLD.hold_id = NEW.hold_id AND (
      (OLD.status IN ('paid', 'abandoned') AND OLD.status <> NEW.status)
      OR OLD.credit_cents <> NEW.credit_cents
    )
  ) EXECUTE FUNCTION refuse_second_end();

SELECT define_rows_of('quotes');

-- As before, and what quotes have of their order and of their binding's answer is written with them. The state of a hold follows from its
-- quote's.
CREATE OR REPLACE FUNCTION commit_progress(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  resolved bigint;
BEGIN
  -- From an instance of an earlier version.
  IF c ? 'bindings' THEN PERFORM refuse_stale('the schema'); END IF;
  IF c ? 'quotes' THEN
    UPDATE quotes SET
      hold_id = q.hold_id, status = q.status, abandoned_by = q.abandoned_by, order_id = q.order_id,
      credited_cents = q.credited_cents, payment_url = q.payment_url, session_id = q.session_id,
      payment_pending_at_ms = q.payment_pending_at_ms,
      -- Never taken back: an instance of an earlier version does not know it.
      ended_session_id = coalesce(q.ended_session_id, quotes.ended_session_id),
      -- Null where the decision has not read them.
      ordered_at_ms = coalesce(q.ordered_at_ms, quotes.ordered_at_ms),
      order_status = coalesce(q.order_status, quotes.order_status),
      answer_status = coalesce(q.answer_status, quotes.answer_status),
      answer_body = coalesce(q.answer_body, quotes.answer_body)
    FROM jsonb_populate_recordset(NULL::quotes, c -> 'quotes') q
    WHERE quotes.quote_id = q.quote_id
      -- Found by their index, even by a plan that was made while there were hardly any quotes.
      AND quotes.quote_id = ANY (ARRAY(SELECT r ->> 'quote_id' FROM jsonb_array_elements(c -> 'quotes') r));
  END IF;
  IF c ? 'payments' THEN
    INSERT INTO payments SELECT * FROM jsonb_populate_recordset(NULL::payments, c -> 'payments');
  END IF;
  IF c ? 'set_aside' THEN
    INSERT INTO payments_set_aside SELECT * FROM jsonb_populate_recordset(NULL::payments_set_aside, c -> 'set_aside') s
    WHERE s.outcome IS NULL;
    UPDATE payments_set_aside SET outcome = s.outcome
    FROM jsonb_populate_recordset(NULL::payments_set_aside, c -> 'set_aside') s
    WHERE payments_set_aside.payment_id = s.payment_id AND payments_set_aside.outcome IS NULL AND s.outcome IS NOT NULL;
    GET DIAGNOSTICS resolved = ROW_COUNT;
    IF resolved <> (
      SELECT count(*) FROM jsonb_populate_recordset(NULL::payments_set_aside, c -> 'set_aside') s WHERE s.outcome IS NOT NULL
    ) THEN
      RAISE EXCEPTION 'another transaction resolved the payment' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;
  IF c ? 'reversals' THEN
    INSERT INTO reversals SELECT * FROM jsonb_populate_recordset(NULL::reversals, c -> 'reversals')
    ON CONFLICT (reversal_id) DO UPDATE SET
      cents = EXCLUDED.cents, state = EXCLUDED.state, taken_back_cents = EXCLUDED.taken_back_cents;
  END IF;
  IF c ? 'promo_uses_gone' THEN
    DELETE FROM promo_uses u USING jsonb_populate_recordset(NULL::promo_uses, c -> 'promo_uses_gone') g
    WHERE u.code = g.code AND u.account_id = g.account_id AND u.quote_id = g.quote_id AND u.until_ms IS NOT NULL;
  END IF;
  IF c ? 'orders' THEN
    -- A row is not written again for a status that it has.
    UPDATE quotes SET order_status = o.status
    FROM jsonb_to_recordset(c -> 'orders') AS o (order_id id, status text)
    WHERE quotes.order_id = o.order_id AND quotes.order_status <> o.status
      AND quotes.order_id = ANY (ARRAY(SELECT r ->> 'order_id' FROM jsonb_array_elements(c -> 'orders') r));
  END IF;
  IF c ? 'links' THEN
    UPDATE links SET
      status = l.status, status_reason = l.status_reason, published_url = l.published_url,
      published_at_ms = l.published_at_ms, history = l.history, days_to_publish = l.days_to_publish
    FROM jsonb_populate_recordset(NULL::links, c -> 'links') l WHERE links.link_id = l.link_id;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION commit_changes(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
BEGIN
  -- From an instance of an earlier version.
  IF c ?| ARRAY['new_bindings', 'new_holds', 'new_orders'] THEN PERFORM refuse_stale('the schema'); END IF;
  IF c ? 'accounts' THEN
    INSERT INTO accounts SELECT * FROM accounts_of(c -> 'accounts') ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET
      version = EXCLUDED.version, previous = EXCLUDED.previous, balance_cents = EXCLUDED.balance_cents,
      held_cents = EXCLUDED.held_cents, welcome_state = EXCLUDED.welcome_state,
      welcome_quote_id = EXCLUDED.welcome_quote_id, welcome_until_ms = EXCLUDED.welcome_until_ms
    WHERE accounts.version = EXCLUDED.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'accounts') THEN PERFORM refuse_stale('an account'); END IF;
  END IF;
  IF c ? 'offer' THEN PERFORM commit_offer(c -> 'offer'); END IF;
  IF c ? 'registers' THEN PERFORM commit_registers(c -> 'registers'); END IF;

  IF c ? 'tallies' THEN
    INSERT INTO tallies SELECT * FROM tallies_of(c -> 'tallies')
    ON CONFLICT (key_id, day) DO UPDATE SET quotes = EXCLUDED.quotes, spent_cents = EXCLUDED.spent_cents;
  END IF;
  IF c ? 'new_quotes' THEN
    INSERT INTO quotes SELECT * FROM quotes_of(c -> 'new_quotes');
  END IF;
  IF c ? 'progress' THEN PERFORM commit_progress(c -> 'progress'); END IF;
  IF c ? 'new_links' THEN
    INSERT INTO links SELECT * FROM links_of(c -> 'new_links');
  END IF;
  IF c ? 'ledger' THEN
    INSERT INTO ledger SELECT * FROM ledger_of(c -> 'ledger');
  END IF;
  IF c ? 'events' THEN
    INSERT INTO events SELECT * FROM events_of(c -> 'events');
  END IF;

  IF c ? 'webhooks' THEN PERFORM commit_deliveries(c -> 'webhooks'); END IF;

  -- The uses after the count: a transaction that has only a share of a row's lock does not ask for more of it.
  IF c ? 'promos' THEN PERFORM commit_promos(c); END IF;
  IF c ? 'promo_counts' THEN PERFORM count_promo_uses(c -> 'promo_counts'); END IF;
  -- Where there can be no earlier row it is not looked for: that costs more than the row.
  IF c ? 'new_promo_uses' THEN
    PERFORM share_promos(c -> 'new_promo_uses');
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'new_promo_uses');
  END IF;
  IF c ? 'promo_uses' THEN
    PERFORM share_promos(c -> 'promo_uses');
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'promo_uses')
    ON CONFLICT (code, account_id, quote_id) DO UPDATE SET until_ms = EXCLUDED.until_ms;
  END IF;

  IF c ? 'welcome_uses' THEN PERFORM commit_welcome_uses(c -> 'welcome_uses', coalesce(c -> 'welcome_taken', '[]')); END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
