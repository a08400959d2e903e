-- An older instance beside a newer one writes JSON again without the members that it does not know: the database keeps them, and what their
-- rows promised. Webhooks remember which calls changed them.
ALTER TABLE subscriptions ADD COLUMN calls jsonb;

CREATE OR REPLACE FUNCTION keep_endpoint_switch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.health = NEW.health || (
    SELECT coalesce(jsonb_object_agg(member, value), '{}') FROM jsonb_each(OLD.health) known (member, value)
    WHERE member IN ('isPaused', 'pausedByOwner', 'inOrderTo') OR (member = 'disabledAtMs' AND OLD.health @> '{"isPaused": true}')
  );
  RETURN NEW;
END $$;
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
CREATE OR REPLACE FUNCTION keep_link_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.history = (
    SELECT jsonb_agg(coalesce(OLD.history -> (place - 1)::int, '{}') || entry ORDER BY place)
    FROM jsonb_array_elements(NEW.history) WITH ORDINALITY entries (entry, place)
  );
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION take_quote_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  line jsonb := (SELECT q.lines -> NEW.index FROM quotes q WHERE q.quote_id = NEW.quote_id AND q.account_no = NEW.account_no);
BEGIN
  NEW.turnaround_days = (line ->> 'turnaroundDays')::integer;
  NEW.reference = coalesce(NEW.reference, line #>> '{item,reference}');
  RETURN NEW;
END $$;

CREATE TRIGGER endpoint_keeps_its_switch BEFORE UPDATE ON subscriptions
  FOR EACH ROW WHEN (
    OLD.health ? 'isPaused' AND NOT NEW.health ? 'isPaused' AND NEW.resumed_at_ms IS NOT DISTINCT FROM OLD.resumed_at_ms
  ) EXECUTE FUNCTION keep_endpoint_switch();
CREATE TRIGGER secrets_keep_their_keys BEFORE UPDATE ON subscriptions
  FOR EACH ROW WHEN (OLD.sealed_signing_key <> NEW.sealed_signing_key OR OLD.previous_keys <> NEW.previous_keys)
  EXECUTE FUNCTION keep_standard_keys();
CREATE TRIGGER link_keeps_its_history BEFORE UPDATE ON links
  FOR EACH ROW WHEN (NOT NEW.history @> OLD.history) EXECUTE FUNCTION keep_link_history();
CREATE TRIGGER link_takes_its_line BEFORE INSERT ON links
  FOR EACH ROW WHEN (NEW.turnaround_days IS NULL) EXECUTE FUNCTION take_quote_line();
