-- Orders that wait for the approval of the account's human, and the limits of a key that make them wait.
ALTER TABLE keys
  ADD COLUMN approve_above_cents bigint CHECK (approve_above_cents >= 0),
  ADD COLUMN hold_look_alikes boolean;

ALTER TABLE quotes
  ADD COLUMN approved_by text,
  ADD COLUMN approved_at_ms bigint,
  ADD COLUMN declined_reason text,
  DROP CONSTRAINT quotes_status_check,
  ADD CONSTRAINT quotes_status_check CHECK (status IN ('awaiting_approval', 'awaiting_payment', 'paid', 'abandoned')),
  ADD CONSTRAINT declined_means_abandoned CHECK (declined_reason IS NULL OR status = 'abandoned'),
  ADD CONSTRAINT approved_once_decided CHECK (approved_at_ms IS NULL OR status <> 'awaiting_approval');
SELECT define_rows_of('quotes');

-- Open quotes: those that wait for payment or approval.
DROP INDEX quotes_due;
CREATE INDEX quotes_due ON quotes (expires_at_ms, quote_id) WHERE status IN ('awaiting_payment', 'awaiting_approval');
DROP INDEX quotes_due_of_account;
CREATE INDEX quotes_due_of_account ON quotes (account_id, expires_at_ms, quote_id)
  WHERE status IN ('awaiting_payment', 'awaiting_approval');
CREATE INDEX quotes_to_approve ON quotes (account_id, quote_id) WHERE status = 'awaiting_approval';

-- As before, and with approvals, which restart the life of a quote.
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

-- As before, and with the limits of approval.
CREATE OR REPLACE FUNCTION commit_registers(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF c ? 'emails' THEN
    UPDATE accounts SET email = e.email
    FROM jsonb_populate_recordset(NULL::accounts, c -> 'emails') e WHERE accounts.account_id = e.account_id;
  END IF;
  IF c ? 'account_states' THEN
    UPDATE accounts SET
      name = s.name, self_opened = s.self_opened, paid_at_ms = s.paid_at_ms,
      agents_stopped_at_ms = s.agents_stopped_at_ms, closed_at_ms = s.closed_at_ms, note = s.note
    FROM jsonb_populate_recordset(NULL::accounts, c -> 'account_states') s WHERE accounts.account_id = s.account_id;
  END IF;
  IF c ? 'members' THEN
    INSERT INTO members SELECT * FROM jsonb_populate_recordset(NULL::members, c -> 'members')
    ON CONFLICT (member_id) DO UPDATE SET
      email = EXCLUDED.email, role = EXCLUDED.role, removed_at_ms = EXCLUDED.removed_at_ms;
  END IF;
  IF c ? 'top_ups' THEN
    INSERT INTO top_ups SELECT * FROM jsonb_populate_recordset(NULL::top_ups, c -> 'top_ups')
    ON CONFLICT (top_up_id) DO UPDATE SET
      status = EXCLUDED.status, session_id = EXCLUDED.session_id, payment_url = EXCLUDED.payment_url,
      payment_id = EXCLUDED.payment_id;
  END IF;
  IF c ? 'new_keys' THEN
    INSERT INTO keys SELECT * FROM jsonb_populate_recordset(NULL::keys, c -> 'new_keys');
  END IF;
  IF c ? 'keys' THEN
    UPDATE keys SET
      max_order_cents = k.max_order_cents, max_day_cents = k.max_day_cents, daily_order_cap = k.daily_order_cap,
      allowed_domains = k.allowed_domains, approve_above_cents = k.approve_above_cents,
      hold_look_alikes = k.hold_look_alikes, revoked_at_ms = k.revoked_at_ms
    FROM jsonb_populate_recordset(NULL::keys, c -> 'keys') k WHERE keys.key_id = k.key_id;
    UPDATE shop SET keys = c ->> 'stem';
  END IF;
  IF c ? 'audit' THEN
    INSERT INTO audit SELECT * FROM jsonb_populate_recordset(NULL::audit, c -> 'audit');
  END IF;
END $$;
