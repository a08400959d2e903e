-- Top-ups that members pay through the payment processor. Each payment is one entry of the ledger, by its reference.
CREATE TABLE top_ups (
  top_up_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  member_id id NOT NULL REFERENCES members,
  cents bigint NOT NULL CHECK (cents > 0),
  status text NOT NULL CHECK (status IN ('open', 'paid', 'ended')),
  payment_token id NOT NULL UNIQUE,
  session_id id,
  payment_url text,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  CONSTRAINT session_is_whole CHECK ((session_id IS NULL) = (payment_url IS NULL))
);
CREATE INDEX top_ups_of_account ON top_ups (account_id, top_up_id);
CREATE INDEX top_ups_by_expiry ON top_ups (status, expires_at_ms, top_up_id);

-- As before, and with top-ups.
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
      status = EXCLUDED.status, session_id = EXCLUDED.session_id, payment_url = EXCLUDED.payment_url;
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
