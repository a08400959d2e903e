-- An order writes less. Discounts are stored as answers are: what differs between orders, and the number of a form with all that does not.
-- A link that has not moved has no history of its own. Digests are shorter, indexes are on hashes, and accounts and tallies are updated
-- where they were inserted or updated, which logged the lock of each. Rows that are there stay as they are but for their digests; both ways
-- of storing are read alike.

-- Forms of answers and of discounts.
ALTER TABLE answer_forms RENAME TO text_forms;
ALTER INDEX answer_forms_pkey RENAME TO text_forms_pkey;
ALTER TRIGGER answer_forms_are_append_only ON text_forms RENAME TO text_forms_are_append_only;

-- The text that is stored for a quote: U+0001, the number of its form and the values, separated by blanks; or the text itself. Null if the
-- form is not there.
CREATE FUNCTION stored_text(stored text, quote_id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN starts_with(stored, E'\x01') THEN (
    SELECT string_agg(part || coalesce(value, ''), '' ORDER BY place)
    FROM text_forms f CROSS JOIN LATERAL unnest(
      string_to_array(replace(f.form, E'\x02', left(right(quote_id, 28), 26)), E'\x01'), (string_to_array(stored, ' '))[2:]
    ) WITH ORDINALITY AS parts (part, value, place)
    WHERE f.form_id = substr(split_part(stored, ' ', 1), 2)
  ) ELSE stored END
$$;

DROP FUNCTION commit_answer_forms;
-- A commit brings the forms that it refers to, as most of them are there already.
CREATE FUNCTION commit_text_forms(forms jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO text_forms SELECT * FROM jsonb_to_recordset(forms) AS f (form_id id, form text) ORDER BY form_id
  ON CONFLICT (form_id) DO NOTHING;
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(forms) AS f (form_id id, form text) JOIN text_forms known USING (form_id)
    WHERE known.form <> f.form
  ) THEN
    RAISE EXCEPTION 'two forms of texts have one number' USING ERRCODE = 'unique_violation';
  END IF;
END $$;

-- A SHA-256 in lower-case hexadecimal as `=` and its Base64url, other text as it is.
CREATE FUNCTION pg_temp.short_digest(digest text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN digest ~ '^[0-9a-f]{64}$'
    THEN '=' || translate(encode(decode(digest, 'hex'), 'base64'), '+/=', '-_')
    ELSE digest END
$$;

DROP VIEW bindings;
DROP FUNCTION answer_text;
DROP INDEX welcome_once, quotes_alike, bound_once, quotes_answered;
-- Whether a live quote takes the welcome offer; null if not.
ALTER TABLE quotes ADD COLUMN takes_welcome boolean;
ALTER TABLE quotes
  ALTER COLUMN discount TYPE text USING discount::text,
  ALTER COLUMN items_digest TYPE id USING pg_temp.short_digest(items_digest),
  ALTER COLUMN fingerprint TYPE id USING pg_temp.short_digest(fingerprint),
  ALTER COLUMN takes_welcome TYPE boolean USING CASE WHEN mode = 'live' AND discount ->> 'source' = 'welcome' THEN true END;
DROP FUNCTION pg_temp.short_digest;

CREATE VIEW bindings AS
SELECT key_id, idempotency_key, fingerprint, quote_id, answer_status, stored_text(answer_body, quote_id) COLLATE "default" AS answer_body,
  created_at_ms AS bound_at_ms, answer_freed_at_ms
FROM quotes WHERE idempotency_key IS NOT NULL;

-- By hashes, which are shorter than what they stand for. Two idempotency keys of one key collide once in 2 ^ 64; the later order is refused.
CREATE UNIQUE INDEX bound_once ON quotes (hashtextextended(key_id, 0), hashtextextended(idempotency_key, 0))
  WHERE idempotency_key IS NOT NULL;
-- Equal orders without an idempotency key are found by their order.
CREATE INDEX bound_unkeyed ON quotes (key_id, idempotency_key) WHERE starts_with(idempotency_key, 'unkeyed ');
CREATE INDEX quotes_alike ON quotes ((created_at_ms / 600000), hashtextextended(items_digest, hashtextextended(key_id, 0)))
  WHERE status <> 'abandoned';
CREATE UNIQUE INDEX welcome_once ON quotes (account_id) WHERE takes_welcome AND status = 'paid';
-- Only of quotes that have ended: retention frees no other answers.
CREATE INDEX quotes_answered ON quotes (quote_id)
  WHERE answer_body IS NOT NULL AND (status = 'abandoned' OR order_status IN ('completed', 'cancelled'));
SELECT define_rows_of('quotes');

-- When its order was placed, of a link that has no history.
ALTER TABLE links
  ADD COLUMN ordered_at_ms bigint,
  ALTER COLUMN history DROP NOT NULL,
  ADD CONSTRAINT history_is_known
    CHECK (history IS NOT NULL OR (ordered_at_ms IS NOT NULL AND status IN ('to_assign', 'assigned')));
SELECT define_rows_of('links');

-- The history of a link; of one that has not moved it follows from its status.
CREATE FUNCTION history_of(history jsonb, status text, ordered_at_ms bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(history, CASE status
    WHEN 'to_assign' THEN jsonb_build_array(jsonb_build_object('status', 'to_assign', 'atMs', ordered_at_ms))
    ELSE jsonb_build_array(
      jsonb_build_object('status', 'to_assign', 'atMs', ordered_at_ms), jsonb_build_object('status', 'assigned', 'atMs', ordered_at_ms)
    )
  END)
$$;

-- A quote is written by a decision that has read its key, and links with the quote of their order. `reconcile` proves these references,
-- which locked a key and a quote for every order; what an order does not pay for is still refused.
ALTER TABLE quotes DROP CONSTRAINT quotes_key_id_account_id_fkey;
ALTER TABLE links DROP CONSTRAINT links_order_id_fkey;
CREATE FUNCTION refuse_orphaned_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM links WHERE order_id = OLD.order_id) THEN
    RAISE EXCEPTION 'order % has links', OLD.order_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER links_have_their_order AFTER DELETE ON quotes
  FOR EACH ROW WHEN (OLD.order_id IS NOT NULL) EXECUTE FUNCTION refuse_orphaned_links();
CREATE FUNCTION refuse_another_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'quote % stays with its key and account', OLD.quote_id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER quote_keeps_its_owner BEFORE UPDATE OF key_id, account_id ON quotes
  FOR EACH ROW WHEN (OLD.key_id <> NEW.key_id OR OLD.account_id <> NEW.account_id) EXECUTE FUNCTION refuse_another_owner();

-- Equal entries of an index are stored once, but not beside a column of this type or one that is only included.
DROP INDEX links_on_site;
CREATE INDEX links_on_site ON links (site_id, status) WHERE mode = 'live' AND status <> 'cancelled';
CREATE INDEX links_online ON links (site_id, days_to_publish)
  WHERE mode = 'live' AND status <> 'cancelled' AND days_to_publish IS NOT NULL;

-- Accounts over the version that they replace, which they do not keep. Every session locks them in the order of their ids: of the new rows, or of the index.
CREATE FUNCTION commit_accounts(rows jsonb) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  changed bigint;
  made bigint := 0;
BEGIN
  UPDATE accounts a SET
    version = n.version, previous = NULL, balance_cents = n.balance_cents, held_cents = n.held_cents,
    welcome_state = n.welcome_state, welcome_quote_id = n.welcome_quote_id, welcome_until_ms = n.welcome_until_ms
  FROM (SELECT * FROM accounts_of(rows) ORDER BY account_id) n
  WHERE a.account_id = n.account_id AND a.version = n.previous
    -- Found by their index, even by a plan that was made while there were hardly any accounts.
    AND a.account_id = ANY (ARRAY(SELECT r ->> 0 FROM jsonb_array_elements(rows) r));
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed < jsonb_array_length(rows) THEN
    INSERT INTO accounts SELECT * FROM accounts_of(rows) n WHERE n.previous IS NULL ON CONFLICT (account_id) DO NOTHING;
    GET DIAGNOSTICS made = ROW_COUNT;
  END IF;
  IF changed + made <> jsonb_array_length(rows) THEN PERFORM refuse_stale('an account'); END IF;
END $$;

-- The account's version guards them.
CREATE FUNCTION commit_tallies(rows jsonb) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE tallies t SET quotes = n.quotes, spent_cents = n.spent_cents
  FROM tallies_of(rows) n WHERE t.key_id = n.key_id AND t.day = n.day
    AND t.key_id = ANY (ARRAY(SELECT r ->> 0 FROM jsonb_array_elements(rows) r));
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed < jsonb_array_length(rows) THEN
    INSERT INTO tallies SELECT * FROM tallies_of(rows) ON CONFLICT (key_id, day) DO NOTHING;
  END IF;
END $$;

-- As before, with the functions above.
CREATE OR REPLACE FUNCTION commit_changes(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- From an instance of an earlier version.
  IF c ?| ARRAY['new_bindings', 'new_holds', 'new_orders', 'new_promo_uses', 'promo_uses', 'new_quotes'] THEN
    PERFORM refuse_stale('the schema');
  END IF;
  IF c ? 'accounts' THEN PERFORM commit_accounts(c -> 'accounts'); END IF;
  IF c ? 'offer' THEN PERFORM commit_offer(c -> 'offer'); END IF;
  IF c ? 'registers' THEN PERFORM commit_registers(c -> 'registers'); END IF;

  IF c ? 'tallies' THEN PERFORM commit_tallies(c -> 'tallies'); END IF;
  IF c ? 'text_forms' THEN PERFORM commit_text_forms(c -> 'text_forms'); END IF;
  IF c ? 'placed_quotes' THEN
    INSERT INTO quotes SELECT * FROM quotes_of(c -> 'placed_quotes');
  END IF;
  IF c ? 'progress' THEN PERFORM commit_progress(c -> 'progress'); END IF;
  IF c ? 'new_links' THEN
    INSERT INTO links SELECT * FROM links_of(c -> 'new_links');
  END IF;
  IF c ? 'ledger' THEN
    INSERT INTO ledger_rows SELECT * FROM ledger_rows_of(c -> 'ledger');
  END IF;
  IF c ? 'events' THEN
    INSERT INTO events SELECT * FROM events_of(c -> 'events');
  END IF;

  IF c ? 'webhooks' THEN PERFORM commit_deliveries(c -> 'webhooks'); END IF;

  -- The uses after the count: a transaction that has only a share of a row's lock does not ask for more of it.
  IF c ? 'promos' THEN PERFORM commit_promos(c); END IF;
  IF c ? 'promo_counts' THEN PERFORM count_promo_uses(c -> 'promo_counts'); END IF;
  IF c ? 'used_promos' THEN PERFORM share_promos(c -> 'used_promos'); END IF;

  IF c ? 'welcome_uses' THEN PERFORM commit_welcome_uses(c -> 'welcome_uses', coalesce(c -> 'welcome_taken', '[]')); END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
