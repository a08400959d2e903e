-- The payment that paid a top-up, so that its entry of the ledger can be told.
ALTER TABLE top_ups ADD COLUMN payment_id id;
CREATE UNIQUE INDEX top_ups_by_payment ON top_ups (payment_id) WHERE payment_id IS NOT NULL;

-- Of those that are paid already, each takes one of the entries of its account with its amount, in the order of time.
UPDATE top_ups t SET payment_id = b.reference
FROM (
  SELECT top_up_id, account_id, cents, row_number() OVER (PARTITION BY account_id, cents ORDER BY created_at_ms, top_up_id) AS nth
  FROM top_ups WHERE status = 'paid'
) p JOIN (
  SELECT l.account_id, l.amount_cents, l.reference,
    row_number() OVER (PARTITION BY l.account_id, l.amount_cents ORDER BY l.at_ms, l.entry_id) AS nth
  FROM ledger l
  WHERE l.kind = 'top_up' AND l.reference IS NOT NULL AND NOT EXISTS (
    SELECT FROM audit r
    WHERE r.action = 'account.top_up' AND r.subject = l.account_id AND r.details ->> 'reference' = l.reference
  )
) b ON b.account_id = p.account_id AND b.amount_cents = p.cents AND b.nth = p.nth
WHERE t.top_up_id = p.top_up_id;

-- As before, and with the payment of a top-up.
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
      allowed_domains = k.allowed_domains, revoked_at_ms = k.revoked_at_ms
    FROM jsonb_populate_recordset(NULL::keys, c -> 'keys') k WHERE keys.key_id = k.key_id;
    UPDATE shop SET keys = c ->> 'stem';
  END IF;
  IF c ? 'audit' THEN
    INSERT INTO audit SELECT * FROM jsonb_populate_recordset(NULL::audit, c -> 'audit');
  END IF;
END $$;
