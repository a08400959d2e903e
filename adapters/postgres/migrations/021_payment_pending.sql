-- A bank debit that is under way for an open quote, which then does not expire; and the quote's last session that ended unpaid, after
-- which another one is opened.
ALTER TABLE quotes
  ADD COLUMN payment_pending_at_ms bigint,
  ADD COLUMN ended_session_id id,
  ADD CONSTRAINT pending_while_open CHECK (payment_pending_at_ms IS NULL OR status = 'awaiting_payment');
SELECT define_rows_of('quotes');

-- A payment that fits its quote, but was made in another session.
ALTER TABLE payments_set_aside
  DROP CONSTRAINT payments_set_aside_reason_check,
  ADD CONSTRAINT payments_set_aside_reason_check CHECK (reason IN ('amount', 'currency', 'session'));

-- As before, and with the new columns of quotes.
CREATE OR REPLACE FUNCTION commit_progress(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  resolved bigint;
BEGIN
  IF c ? 'quotes' THEN
    UPDATE quotes SET
      hold_id = q.hold_id, status = q.status, abandoned_by = q.abandoned_by, order_id = q.order_id,
      credited_cents = q.credited_cents, payment_url = q.payment_url, session_id = q.session_id,
      payment_pending_at_ms = q.payment_pending_at_ms,
      -- Never taken back: an instance of an earlier version does not know it.
      ended_session_id = coalesce(q.ended_session_id, quotes.ended_session_id)
    FROM jsonb_populate_recordset(NULL::quotes, c -> 'quotes') q WHERE quotes.quote_id = q.quote_id;
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
  IF c ? 'holds' THEN
    UPDATE holds SET state = h.state
    FROM jsonb_populate_recordset(NULL::holds, c -> 'holds') h WHERE holds.hold_id = h.hold_id;
  END IF;
  IF c ? 'orders' THEN
    UPDATE orders SET status = o.status
    FROM jsonb_populate_recordset(NULL::orders, c -> 'orders') o WHERE orders.order_id = o.order_id;
  END IF;
  IF c ? 'links' THEN
    UPDATE links SET
      status = l.status, status_reason = l.status_reason, published_url = l.published_url,
      published_at_ms = l.published_at_ms, history = l.history, days_to_publish = l.days_to_publish
    FROM jsonb_populate_recordset(NULL::links, c -> 'links') l WHERE links.link_id = l.link_id;
  END IF;
  IF c ? 'bindings' THEN
    UPDATE bindings SET answer_status = b.answer_status, answer_body = b.answer_body
    FROM jsonb_populate_recordset(NULL::bindings, c -> 'bindings') b
    WHERE bindings.key_id = b.key_id AND bindings.idempotency_key = b.idempotency_key;
  END IF;
END $$;
