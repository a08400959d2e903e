-- An order that credit pays at once has one row in the ledger where it had two, and no row for its promotion code: the ledger and the
-- uses of codes are views. Rows that are there stay as they are; the uses of codes are compared before their table goes.

-- One row for the hold and the capture of the same decision. Its id is the hold's; all other ids of the two have the same prefix, and
-- follow from it.
ALTER TABLE ledger RENAME TO ledger_rows;
ALTER TABLE ledger_rows
  -- The end of the capture's id.
  ADD COLUMN captured_as text,
  DROP CONSTRAINT ledger_kind_check, DROP CONSTRAINT deltas_fit_the_kind;
ALTER TABLE ledger_rows
  ADD CONSTRAINT ledger_kind_check
    CHECK (kind IN ('top_up', 'late_payment', 'recredit', 'adjustment', 'hold', 'release', 'capture', 'settlement')),
  ADD CONSTRAINT deltas_fit_the_kind CHECK (
    balance_delta_cents = amount_cents * CASE kind
      WHEN 'capture' THEN -1 WHEN 'settlement' THEN -1 WHEN 'adjustment' THEN -1 WHEN 'hold' THEN 0 WHEN 'release' THEN 0 ELSE 1 END
    AND held_delta_cents = amount_cents * CASE kind WHEN 'hold' THEN 1 WHEN 'release' THEN -1 WHEN 'capture' THEN -1 ELSE 0 END
  ),
  ADD CONSTRAINT settlement_is_whole CHECK (
    (captured_as IS NOT NULL) = (kind = 'settlement')
    AND (kind <> 'settlement' OR (length(entry_id) = 32 AND right(entry_id, 2) = '02' AND quote_id IS NULL AND order_id IS NULL))
  );

-- `row_id` is the id of the row that has the entry: pages are searched by it.
CREATE VIEW ledger AS
SELECT account_id, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents, balance_after_cents, held_after_cents,
  quote_id, order_id, link_id, hold_id, at_ms, reference, entry_id AS row_id
FROM ledger_rows WHERE kind <> 'settlement'
UNION ALL
SELECT account_id, entry_id, 'hold', amount_cents, 0, amount_cents,
  balance_after_cents + amount_cents, held_after_cents + amount_cents,
  ('q_' || substr(entry_id, 5, 26) || '00')::id, NULL, NULL, ('hld_' || substr(entry_id, 5, 26) || '01')::id, at_ms, NULL, entry_id
FROM ledger_rows WHERE kind = 'settlement'
UNION ALL
SELECT account_id, (left(entry_id, 30) || captured_as)::id, 'capture', amount_cents, -amount_cents, -amount_cents,
  balance_after_cents, held_after_cents, ('q_' || substr(entry_id, 5, 26) || '00')::id, ('ord_' || substr(entry_id, 5, 26) || '03')::id,
  NULL, ('hld_' || substr(entry_id, 5, 26) || '01')::id, at_ms, NULL, entry_id
FROM ledger_rows WHERE kind = 'settlement';

DROP FUNCTION ledger_of;
SELECT define_rows_of('ledger_rows');

-- The code that a live quote uses: reserved while it is open, spent once it is paid.
ALTER TABLE quotes ADD COLUMN promo_code id;
ALTER TABLE quotes ALTER COLUMN promo_code TYPE id
  USING CASE WHEN mode = 'live' AND discount ->> 'source' = 'promo' THEN discount ->> 'code' END;
CREATE INDEX promo_uses_spent ON quotes (promo_code, account_id) WHERE promo_code IS NOT NULL AND status = 'paid';
ALTER TABLE promo_uses RENAME TO promo_uses_before;
ALTER INDEX promo_uses_open RENAME TO promo_uses_open_before;
CREATE INDEX promo_uses_open ON quotes (promo_code, account_id)
  WHERE promo_code IS NOT NULL AND status IN ('awaiting_payment', 'awaiting_approval');
SELECT define_rows_of('quotes');

-- While a payment is under way, the use is reserved until the beginning of the year 9999.
CREATE VIEW promo_uses AS
SELECT promo_code AS code, quote_id, account_id, NULL::bigint AS until_ms
FROM quotes WHERE promo_code IS NOT NULL AND status = 'paid'
UNION ALL
SELECT promo_code, quote_id, account_id, CASE WHEN payment_pending_at_ms IS NULL THEN expires_at_ms ELSE 253370764800000 END
FROM quotes WHERE promo_code IS NOT NULL AND status IN ('awaiting_payment', 'awaiting_approval');

DO $$
DECLARE
  differing text;
BEGIN
  SELECT row::text INTO differing FROM (
    (SELECT * FROM promo_uses_before EXCEPT ALL SELECT * FROM promo_uses)
    UNION ALL (SELECT * FROM promo_uses EXCEPT ALL SELECT * FROM promo_uses_before)
  ) row LIMIT 1;
  IF differing IS NOT NULL THEN
    RAISE EXCEPTION 'a row of promo_uses does not follow from its quote: %', differing USING ERRCODE = 'check_violation';
  END IF;
END $$;
DROP FUNCTION promo_uses_of;
DROP TABLE promo_uses_before;

-- A code that is described anew waits for those who are using it, and counts them.
CREATE OR REPLACE FUNCTION share_promos(uses jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM promos WHERE code IN (SELECT jsonb_array_elements_text(uses)) ORDER BY code FOR KEY SHARE;
END $$;

-- As before, but the quotes that use a code are written by now.
CREATE OR REPLACE FUNCTION count_promo_uses(counts jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM promos WHERE code IN (SELECT u.code FROM jsonb_to_recordset(counts) AS u (code id))
  ORDER BY code FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM (
      SELECT code, sum(taken) AS taken, sum(spent) AS spent, min(now_ms) AS now_ms
      FROM jsonb_to_recordset(counts) AS one (code id, taken bigint, spent bigint, now_ms bigint) GROUP BY code
    ) u JOIN promos p ON p.code = u.code
    WHERE u.taken > 0 AND p.max_redemptions < p.redeemed + u.spent + (
      SELECT count(*) FROM promo_uses open WHERE open.code = u.code AND open.until_ms > u.now_ms
    )
  ) THEN PERFORM refuse_stale('a promotion'); END IF;
  UPDATE promos p SET redeemed = p.redeemed + u.spent
  FROM (
    SELECT code, sum(spent)::bigint AS spent FROM jsonb_to_recordset(counts) AS one (code id, spent bigint) GROUP BY code
  ) u
  WHERE p.code = u.code AND u.spent <> 0;
END $$;

-- As before; uses of codes end with their quotes.
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
      expires_at_ms = q.expires_at_ms, payment_pending_at_ms = q.payment_pending_at_ms,
      -- Never taken back: an instance of an earlier version does not know them.
      ended_session_id = coalesce(q.ended_session_id, quotes.ended_session_id),
      approved_by = coalesce(q.approved_by, quotes.approved_by),
      approved_at_ms = coalesce(q.approved_at_ms, quotes.approved_at_ms),
      declined_reason = coalesce(q.declined_reason, quotes.declined_reason),
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
  IF c ?| ARRAY['new_bindings', 'new_holds', 'new_orders', 'new_promo_uses', 'promo_uses'] THEN PERFORM refuse_stale('the schema'); END IF;
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
    INSERT INTO ledger_rows SELECT * FROM ledger_rows_of(c -> 'ledger');
  END IF;
  IF c ? 'events' THEN
    INSERT INTO events SELECT * FROM events_of(c -> 'events');
  END IF;

  IF c ? 'webhooks' THEN PERFORM commit_deliveries(c -> 'webhooks'); END IF;

  -- The uses after the count: a transaction that has only a share of a row's lock does not ask for more of it.
  IF c ? 'promos' THEN PERFORM commit_promos(c); END IF;
  IF c ? 'promo_counts' THEN PERFORM count_promo_uses(c -> 'promo_counts'); END IF;
  IF c ? 'used_promos' THEN PERFORM share_promos(c -> 'used_promos'); END IF;

  IF c ? 'welcome_uses' THEN PERFORM commit_welcome_uses(c -> 'welcome_uses', coalesce(c -> 'welcome_taken', '[]')); END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
