-- Writes uses of the welcome offer, over those of the same domains and accounts: a decision loads only uses that can refuse
-- it. `welcome_taken` are uses of self-opened accounts that were not reserved before, with the time for which they were
-- decided. Transactions that take one domain wait for each other, and each sees what those before it wrote.
CREATE OR REPLACE FUNCTION take_welcome_uses(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  taken jsonb := coalesce(c -> 'welcome_taken', '[]');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('welcome ' || root, 0)) FROM (
    SELECT DISTINCT welcome_root(t.host_path) AS root FROM jsonb_to_recordset(taken) AS t (host_path id) ORDER BY 1
  ) roots;
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(taken) AS t (host_path id, account_id id, now_ms bigint)
    CROSS JOIN LATERAL welcome_uses_for(t.host_path) w
    WHERE w.account_id <> t.account_id AND (w.until_ms IS NULL OR w.until_ms > t.now_ms)
  ) THEN PERFORM refuse_stale('the welcome offer'); END IF;
  DELETE FROM welcome_uses w USING welcome_uses_of(c -> 'new_welcome_uses') n
  WHERE w.host_path = n.host_path AND w.account_id = n.account_id;
  PERFORM write_welcome_uses(c);
END $$;
