-- Writes uses of the welcome offer. `taken` are uses of self-opened accounts that were not reserved before, with the
-- time for which they were decided. Transactions that take one domain wait for each other, and each sees what those
-- before it wrote.
CREATE OR REPLACE FUNCTION commit_welcome_uses(uses jsonb, taken jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('welcome ' || root, 0)) FROM (
    SELECT DISTINCT welcome_root(t.host_path) AS root FROM jsonb_to_recordset(taken) AS t (host_path id) ORDER BY 1
  ) roots;
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(taken) AS t (host_path id, account_id id, now_ms bigint)
    CROSS JOIN LATERAL welcome_uses_for(t.host_path) w
    WHERE w.account_id <> t.account_id AND (w.until_ms IS NULL OR w.until_ms > t.now_ms)
  ) THEN PERFORM refuse_stale('the welcome offer'); END IF;
  INSERT INTO welcome_uses SELECT * FROM welcome_uses_of(uses) ORDER BY host_path, account_id
  ON CONFLICT (host_path, account_id) DO UPDATE SET quote_id = EXCLUDED.quote_id, until_ms = EXCLUDED.until_ms;
END $$;
