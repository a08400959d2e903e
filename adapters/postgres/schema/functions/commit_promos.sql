-- Writes definitions of promotion codes over the version that their decision saw. `recounted` names codes that become
-- limited.
CREATE OR REPLACE FUNCTION commit_promos(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
  described id[];
BEGIN
  -- A redefined code waits for the sessions that are using it, and keeps later ones waiting.
  IF c ? 'recounted' THEN
    described := ARRAY(SELECT jsonb_array_elements_text(c -> 'recounted'));
    PERFORM FROM promos WHERE code = ANY (described) ORDER BY code FOR UPDATE;
  END IF;
  INSERT INTO promos SELECT * FROM jsonb_populate_recordset(NULL::promos, c -> 'promos') ORDER BY code
  ON CONFLICT (code) DO UPDATE SET
    version = EXCLUDED.version, previous = EXCLUDED.previous, reduction_kind = EXCLUDED.reduction_kind,
    reduction_value = EXCLUDED.reduction_value, minimum_cents = EXCLUDED.minimum_cents, starts_at_ms = EXCLUDED.starts_at_ms,
    ends_at_ms = EXCLUDED.ends_at_ms, max_redemptions = EXCLUDED.max_redemptions,
    once_per_account = EXCLUDED.once_per_account, redeemed = EXCLUDED.redeemed
  WHERE promos.version = EXCLUDED.previous;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written <> jsonb_array_length(c -> 'promos') THEN PERFORM refuse_stale('a promotion'); END IF;
  -- The uses of an unlimited code were not counted.
  IF c ? 'recounted' THEN
    UPDATE promos p SET redeemed = (SELECT count(*) FROM promo_uses u WHERE u.code = p.code AND u.until_ms IS NULL)
    WHERE p.code = ANY (described) AND p.max_redemptions IS NOT NULL;
  END IF;
END $$;
