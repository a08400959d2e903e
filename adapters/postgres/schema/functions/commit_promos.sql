-- Writes definitions of promotion codes over the version that their decision saw. `recounted` names codes that become
-- limited.
CREATE OR REPLACE FUNCTION commit_promos(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  described id[];
BEGIN
  -- A redefined code waits for the sessions that are using it, and keeps later ones waiting.
  IF c ? 'recounted' THEN
    described := ARRAY(SELECT jsonb_array_elements_text(c -> 'recounted'));
    PERFORM FROM promos WHERE code = ANY (described) ORDER BY code FOR UPDATE;
  END IF;
  PERFORM replace_promos(c -> 'promos');
  -- The uses of an unlimited code were not counted.
  IF c ? 'recounted' THEN
    UPDATE promos p SET redeemed = (SELECT count(*) FROM promo_uses u WHERE u.code = p.code AND u.until_ms IS NULL)
    WHERE p.code = ANY (described) AND p.max_redemptions IS NOT NULL;
  END IF;
END $$;
