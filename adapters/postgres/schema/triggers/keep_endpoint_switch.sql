-- Keeps that an endpoint was disabled on purpose, and by whom, and up to which delivery it is sent one at a time: an instance from before
-- step 065 writes a health without them.
CREATE OR REPLACE FUNCTION keep_endpoint_switch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.health = NEW.health || (
    SELECT coalesce(jsonb_object_agg(member, value), '{}') FROM jsonb_each(OLD.health) known (member, value)
    WHERE member IN ('isPaused', 'pausedByOwner', 'inOrderTo') OR (member = 'disabledAtMs' AND OLD.health @> '{"isPaused": true}')
  );
  RETURN NEW;
END $$;
