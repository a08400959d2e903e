-- Writes the daily usage of keys. The version of the account guards it: no other session updates these rows meanwhile.
CREATE OR REPLACE FUNCTION commit_tallies(rows jsonb)
RETURNS void LANGUAGE plpgsql
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
    INSERT INTO tallies SELECT * FROM tallies_of(rows) ON CONFLICT (key_id, day, account_no) DO NOTHING;
  END IF;
END $$;
