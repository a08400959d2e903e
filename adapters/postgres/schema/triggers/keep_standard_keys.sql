-- Keeps the keys of Standard Webhooks beside their secrets, which an instance from before step 065 rotates or seals again without them. A
-- secret that it makes has no such key.
CREATE OR REPLACE FUNCTION keep_standard_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.previous_keys = (
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('sealedStandardKey', coalesce(
      (SELECT known -> 'sealedStandardKey' FROM jsonb_array_elements(OLD.previous_keys) known WHERE known -> 'untilMs' = key -> 'untilMs' LIMIT 1),
      CASE WHEN key ->> 'sealedSigningKey' = OLD.sealed_signing_key THEN to_jsonb(OLD.sealed_standard_key) END
    ))) || key ORDER BY place), '[]')
    FROM jsonb_array_elements(NEW.previous_keys) WITH ORDINALITY keys (key, place)
  );
  IF NEW.sealed_standard_key = OLD.sealed_standard_key
    AND NEW.previous_keys @> jsonb_build_array(jsonb_build_object('sealedSigningKey', OLD.sealed_signing_key))
  THEN
    NEW.sealed_standard_key = NULL;
  END IF;
  RETURN NEW;
END $$;
