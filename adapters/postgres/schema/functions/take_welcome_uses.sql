-- Writes uses of the welcome offer, over those of the same domains and accounts: a decision loads only uses that can refuse
-- it. `welcome_taken` are uses of self-opened accounts that were not reserved before; one that another account has spent
-- meanwhile is refused. Transactions that take one domain wait for each other, and each sees what those before it wrote.
CREATE OR REPLACE FUNCTION take_welcome_uses(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  taken jsonb := coalesce(c -> 'welcome_taken', '[]');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('welcome ' || host_path, 0)) FROM (
    SELECT DISTINCT t.host_path FROM jsonb_to_recordset(taken) AS t (host_path id) ORDER BY 1
  ) paths;
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(taken) AS t (host_path id, account_id id)
    CROSS JOIN LATERAL welcome_uses_in(t.host_path) w
    WHERE w.account_id <> t.account_id AND w.until_ms IS NULL
  ) THEN PERFORM refuse_stale('the welcome offer'); END IF;
  DELETE FROM welcome_uses w USING welcome_uses_of(c -> 'new_welcome_uses') n
  WHERE w.host_path = n.host_path AND w.account_id = n.account_id;
  PERFORM write_welcome_uses(c);
END $$;
