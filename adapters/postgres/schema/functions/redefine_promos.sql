-- Writes definitions of promotion codes over the version that their decision saw. `recounted` names codes that become
-- limited.
CREATE OR REPLACE FUNCTION redefine_promos(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  described id[] := ARRAY(SELECT jsonb_array_elements_text(c -> 'recounted'));
BEGIN
  -- A redefined code waits for the sessions that are using it, and keeps later ones waiting.
  PERFORM FROM promos WHERE code = ANY (described) ORDER BY code FOR UPDATE;
  PERFORM write_promos(c);
  -- The uses of an unlimited code were not counted.
  UPDATE promos p SET redeemed = (SELECT count(*) FROM promo_uses u WHERE u.code = p.code AND u.until_ms IS NULL)
  WHERE p.code = ANY (described) AND p.max_redemptions IS NOT NULL;
END $$;
