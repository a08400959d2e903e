-- Notes when a quote was abandoned, by the database's clock.
CREATE OR REPLACE FUNCTION note_abandonment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.abandoned_at_ms = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  RETURN NEW;
END $$;
