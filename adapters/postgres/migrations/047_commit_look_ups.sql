-- A commit looks up each account and each tally by its index, once. Before, each look-up of a tally compared its key with all keys of the
-- batch, and each account was joined with all accounts of the batch. `LIMIT 1` keeps it so even by a plan that was made while there were
-- hardly any rows.

-- Accounts over the version that they replace, which they do not keep. Every session locks them in the order of their ids.
CREATE OR REPLACE FUNCTION commit_accounts(rows jsonb) RETURNS void LANGUAGE plpgsql
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
    INSERT INTO accounts SELECT * FROM accounts_of(rows) n WHERE n.previous IS NULL ON CONFLICT (account_id) DO NOTHING;
    GET DIAGNOSTICS made = ROW_COUNT;
  END IF;
  -- Also if another session has updated one meanwhile, which moved it.
  IF changed + made <> jsonb_array_length(rows) THEN PERFORM refuse_stale('an account'); END IF;
END $$;

-- The account's version guards them: no other session updates them meanwhile.
CREATE OR REPLACE FUNCTION commit_tallies(rows jsonb) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE tallies t SET quotes = n.quotes, spent_cents = n.spent_cents
  FROM tallies_of(rows) n
  CROSS JOIN LATERAL (SELECT x.ctid FROM tallies x WHERE x.key_id = n.key_id AND x.day = n.day LIMIT 1) known
  WHERE t.ctid = known.ctid;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed < jsonb_array_length(rows) THEN
    INSERT INTO tallies SELECT * FROM tallies_of(rows) ON CONFLICT (key_id, day) DO NOTHING;
  END IF;
END $$;
