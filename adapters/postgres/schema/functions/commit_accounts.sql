-- Updates accounts over the version that they replace, in the order of their ids, and inserts new ones; the database
-- numbers them. Each account is looked up by its index once: `LIMIT 1` ensures it even under a plan made while the
-- table was almost empty.
CREATE OR REPLACE FUNCTION commit_accounts(rows jsonb)
RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  changed bigint;
  made bigint := 0;
BEGIN
  UPDATE accounts a SET
    version = n.version, previous = NULL, balance_cents = n.balance_cents, held_cents = n.held_cents,
    welcome_state = n.welcome_state, welcome_quote_id = n.welcome_quote_id, welcome_until_ms = n.welcome_until_ms
  FROM (SELECT * FROM accounts_of(rows) ORDER BY account_id) n
  CROSS JOIN LATERAL (SELECT x.ctid FROM accounts x WHERE x.account_id = n.account_id LIMIT 1) known
  WHERE a.ctid = known.ctid AND a.version = n.previous;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed < jsonb_array_length(rows) THEN
    INSERT INTO accounts (
      account_id, version, previous, name, email, balance_cents, held_cents, welcome_state, welcome_quote_id,
      welcome_until_ms, created_at_ms
    )
    SELECT account_id, version, previous, name, email, balance_cents, held_cents, welcome_state, welcome_quote_id,
      welcome_until_ms, created_at_ms
    FROM accounts_of(rows) n WHERE n.previous IS NULL ON CONFLICT (account_id) DO NOTHING;
    GET DIAGNOSTICS made = ROW_COUNT;
  END IF;
  -- Also unequal if another session has updated a row meanwhile, which moved it.
  IF changed + made <> jsonb_array_length(rows) THEN PERFORM refuse_stale('an account'); END IF;
END $$;
