-- What else is written with the changes of a decision: keys and the audit, and what the version of its account guards.

-- Keys, and what an operator did.
CREATE FUNCTION commit_registers(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF c ? 'new_keys' THEN
    INSERT INTO keys SELECT * FROM jsonb_populate_recordset(NULL::keys, c -> 'new_keys');
  END IF;
  IF c ? 'keys' THEN
    UPDATE keys SET
      max_order_cents = k.max_order_cents, max_day_cents = k.max_day_cents, daily_order_cap = k.daily_order_cap,
      allowed_domains = k.allowed_domains, revoked_at_ms = k.revoked_at_ms
    FROM jsonb_populate_recordset(NULL::keys, c -> 'keys') k WHERE keys.key_id = k.key_id;
    UPDATE shop SET keys = c ->> 'stem';
  END IF;
  IF c ? 'audit' THEN
    INSERT INTO audit SELECT * FROM jsonb_populate_recordset(NULL::audit, c -> 'audit');
  END IF;
END $$;

-- What happens to quotes after they were made.
CREATE FUNCTION commit_progress(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
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

-- Takes the rows that a decision will write, in the order in which it will write them, for those who lost too many races.
CREATE FUNCTION lock_rows(account_ids text[], codes text[], article_ids bigint[], webhook_ids text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM accounts WHERE account_id = ANY (account_ids) ORDER BY account_id FOR NO KEY UPDATE;
  PERFORM FROM promos WHERE code = ANY (codes) ORDER BY code FOR NO KEY UPDATE;
  PERFORM FROM articles WHERE article_id = ANY (article_ids) ORDER BY article_id FOR NO KEY UPDATE;
  PERFORM FROM subscriptions WHERE webhook_id = ANY (webhook_ids) ORDER BY webhook_id FOR NO KEY UPDATE;
END $$;
