-- Writes addresses and states of accounts, members, top-ups, keys, and the audit. No row of these has a version.
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
      label = k.label, scopes = k.scopes,
      max_order_cents = k.max_order_cents, max_day_cents = k.max_day_cents, daily_order_cap = k.daily_order_cap,
      allowed_domains = k.allowed_domains, approve_above_cents = k.approve_above_cents,
      hold_look_alikes = k.hold_look_alikes, revoked_at_ms = k.revoked_at_ms,
      -- Null changes nothing: an instance of an earlier version does not know these columns.
      client_host = coalesce(k.client_host, keys.client_host),
      consented_by = coalesce(k.consented_by, keys.consented_by),
      consented_at_ms = coalesce(k.consented_at_ms, keys.consented_at_ms)
    FROM jsonb_populate_recordset(NULL::keys, c -> 'keys') k WHERE keys.key_id = k.key_id;
    UPDATE shop SET keys = c ->> 'stem';
  END IF;
  IF c ? 'audit' THEN
    INSERT INTO audit SELECT * FROM jsonb_populate_recordset(NULL::audit, c -> 'audit');
  END IF;
END $$;
