-- Refunds and disputes that the payment processor reports. The version of the quote's account guards them.
CREATE TABLE reversals (
  reversal_id id PRIMARY KEY,
  quote_id id NOT NULL REFERENCES quotes,
  kind text NOT NULL CHECK (kind IN ('refund', 'dispute')),
  cents bigint NOT NULL CHECK (cents >= 0),
  state text NOT NULL CHECK (state IN ('open', 'final', 'won')),
  taken_back_cents bigint NOT NULL CHECK (taken_back_cents BETWEEN 0 AND cents),
  at_ms bigint NOT NULL
);
CREATE INDEX reversals_of_quote ON reversals (quote_id);

-- As before, and with reversals.
CREATE OR REPLACE FUNCTION commit_progress(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF c ? 'quotes' THEN
    UPDATE quotes SET
      hold_id = q.hold_id, status = q.status, abandoned_by = q.abandoned_by, order_id = q.order_id,
      credited_cents = q.credited_cents, payment_url = q.payment_url, session_id = q.session_id
    FROM jsonb_populate_recordset(NULL::quotes, c -> 'quotes') q WHERE quotes.quote_id = q.quote_id;
  END IF;
  IF c ? 'payments' THEN
    INSERT INTO payments SELECT * FROM jsonb_populate_recordset(NULL::payments, c -> 'payments');
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
