-- Writes what happens to quotes after they were made: payments, orders, links, reversals. The version of the account
-- guards them. A payment set aside without an outcome is new; one with an outcome gets it once.
CREATE OR REPLACE FUNCTION commit_progress(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  resolved bigint;
BEGIN
  -- Only an instance of an earlier version sends these.
  IF c ? 'bindings' THEN PERFORM refuse_stale('the schema'); END IF;
  IF c ? 'quotes' THEN
    UPDATE quotes SET
      hold_id = q.hold_id, status = q.status, abandoned_by = q.abandoned_by, order_id = q.order_id,
      credited_cents = q.credited_cents, payment_url = q.payment_url, session_id = q.session_id,
      expires_at_ms = q.expires_at_ms, payment_pending_at_ms = q.payment_pending_at_ms,
      -- Null changes nothing: an instance of an earlier version does not know these columns.
      ended_session_id = coalesce(q.ended_session_id, quotes.ended_session_id),
      approved_by = coalesce(q.approved_by, quotes.approved_by),
      approved_at_ms = coalesce(q.approved_at_ms, quotes.approved_at_ms),
      declined_reason = coalesce(q.declined_reason, quotes.declined_reason),
      -- Null changes nothing: the decision has not read them.
      ordered_at_ms = coalesce(q.ordered_at_ms, quotes.ordered_at_ms),
      order_status = coalesce(q.order_status, quotes.order_status),
      answer_status = coalesce(q.answer_status, quotes.answer_status),
      answer_body = coalesce(q.answer_body, quotes.answer_body)
    FROM jsonb_populate_recordset(NULL::quotes, c -> 'quotes') q
    WHERE quotes.quote_id = q.quote_id
      -- Found by their index, even under a plan made while the table was almost empty.
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
    -- A row that has the status already is not written again.
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
