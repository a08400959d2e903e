-- Locks the codes that a commit uses, as a foreign key would: a redefined code waits for the sessions that use it, and
-- counts them.
CREATE OR REPLACE FUNCTION share_promos(uses jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM promos WHERE code IN (SELECT jsonb_array_elements_text(uses)) ORDER BY code FOR KEY SHARE;
END $$;
