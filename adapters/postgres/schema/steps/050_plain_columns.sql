-- Discounts, digests, histories and the index of idempotency keys become plain columns: each of the shorter forms gained less than a tenth
-- of an order's log, disk and processor time. A link that had not moved stored no history, a discount was a form of `text_forms` with
-- its numbers, and a SHA-256 stood as "=" and base64url.
--
-- Every database since step 048 has the functions stored_text() and history_of().

-- In the order in which sessions write; a later step changes accounts, and must not ask for more of their lock. Instances of the version
-- before wait, and find their rows in the new form.
LOCK TABLE accounts;
LOCK TABLE quotes, links;

CREATE FUNCTION plain_digest(stored text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN stored ~ '^=[A-Za-z0-9_-]{43}$'
    THEN encode(decode(translate(substr(stored, 2), '-_', '+/') || '=', 'base64'), 'hex') ELSE stored END
$$;

-- Each table is written once, and its indexes are built from it. The view is made again after the step.
DROP VIEW bindings;
DROP INDEX bound_once, bound_unkeyed;
ALTER TABLE quotes
  ALTER discount TYPE text USING stored_text(discount, quote_id),
  ALTER items_digest TYPE id USING plain_digest(items_digest),
  ALTER fingerprint TYPE id USING plain_digest(fingerprint);
CREATE UNIQUE INDEX bound_once ON quotes (key_id, idempotency_key, account_no) WHERE idempotency_key IS NOT NULL;
ALTER TABLE links DROP CONSTRAINT history_is_known;
ALTER TABLE links
  ALTER history TYPE jsonb USING history_of(history, status, ordered_at_ms),
  ALTER ordered_at_ms TYPE bigint USING NULL;
ALTER TABLE links ALTER history SET NOT NULL;

-- An instance of the version before writes the shorter forms until it ends. The next release drops these.
CREATE FUNCTION take_plain_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.discount = stored_text(NEW.discount, NEW.quote_id);
  NEW.items_digest = plain_digest(NEW.items_digest);
  NEW.fingerprint = plain_digest(NEW.fingerprint);
  RETURN NEW;
END $$;
CREATE TRIGGER quote_is_plain BEFORE INSERT ON quotes
  FOR EACH ROW WHEN (starts_with(NEW.discount, E'\x01') OR starts_with(NEW.items_digest, '=') OR starts_with(NEW.fingerprint, '='))
  EXECUTE FUNCTION take_plain_quote();
CREATE FUNCTION take_plain_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.history = history_of(NEW.history, NEW.status, NEW.ordered_at_ms);
  NEW.ordered_at_ms = NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER link_is_plain BEFORE INSERT ON links
  FOR EACH ROW WHEN (NEW.ordered_at_ms IS NOT NULL) EXECUTE FUNCTION take_plain_link();

DO $$ BEGIN
  IF EXISTS (SELECT FROM quotes) THEN ANALYZE quotes, links; END IF;
END $$;
