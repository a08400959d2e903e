-- Refuses a listing that gives sites another domain of which one was ordered since they were loaded. Orders wait from here to the
-- end of the commit, and are then decided on the site as it is.
CREATE OR REPLACE FUNCTION keep_unsold(ids jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  unsold bigint[] := ARRAY(SELECT jsonb_array_elements_text(ids)::bigint);
BEGIN
  -- Orders queue behind the wait for this lock, which maintenance of the tables may hold.
  PERFORM set_config('lock_timeout', '100ms', true);
  LOCK TABLE quotes, links IN SHARE MODE;
  IF EXISTS (SELECT FROM links WHERE mode = 'live' AND status <> 'cancelled' AND site_id = ANY (unsold))
    OR EXISTS (SELECT FROM links WHERE mode = 'live' AND status = 'cancelled' AND site_id = ANY (unsold)) OR EXISTS (
    SELECT FROM quotes q CROSS JOIN LATERAL jsonb_array_elements(q.lines) line
    WHERE q.status IN ('awaiting_payment', 'awaiting_approval') AND q.mode = 'live'
      AND (line -> 'item' ->> 'siteId')::bigint = ANY (unsold)
  ) THEN PERFORM refuse_stale('a site'); END IF;
END $$;
