-- Adds uses to the counts of limited codes, without comparing versions, so that only the last uses conflict. `counts`
-- has a row for each decision: what it adds to `redeemed`, the uses that it takes and that were not reserved, and the
-- time for which it was decided. A statement before the comparison locks the codes, so that the comparison sees every
-- earlier use.
CREATE OR REPLACE FUNCTION count_promo_uses(counts jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM promos WHERE code IN (SELECT u.code FROM jsonb_to_recordset(counts) AS u (code id))
  ORDER BY code FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM (
      SELECT code, sum(taken) AS taken, sum(spent) AS spent, min(now_ms) AS now_ms
      FROM jsonb_to_recordset(counts) AS one (code id, taken bigint, spent bigint, now_ms bigint) GROUP BY code
    ) u JOIN promos p ON p.code = u.code
    WHERE u.taken > 0 AND p.max_redemptions < p.redeemed + u.spent + (
      SELECT count(*) FROM promo_uses open WHERE open.code = u.code AND open.until_ms > u.now_ms
    )
  ) THEN PERFORM refuse_stale('a promotion'); END IF;
  UPDATE promos p SET redeemed = p.redeemed + u.spent
  FROM (
    SELECT code, sum(spent)::bigint AS spent FROM jsonb_to_recordset(counts) AS one (code id, spent bigint) GROUP BY code
  ) u
  WHERE p.code = u.code AND u.spent <> 0;
END $$;
