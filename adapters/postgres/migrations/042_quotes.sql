-- What a quote has twice is stored once. The lines of a quote that became an order at once are those of its links: such a quote has an
-- empty list. A stored answer is what differs between orders, and the number of a form with all that does not. Rows that are there stay
-- as they are; both ways of storing are read alike.

-- The lines of an order, from its links.
CREATE FUNCTION lines_of(asked id) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_agg(jsonb_build_object(
    'item', jsonb_strip_nulls(jsonb_build_object(
      'siteId', site_id, 'targetUrl', target_url, 'anchorText', anchor_text, 'anchorType', anchor_type, 'format', format,
      'articleId', article_id, 'tier2Links', tier2_links, 'projectId', project_id, 'opportunityId', opportunity_id, 'brief', brief
    )),
    'domain', domain, 'shelf', shelf, 'priceCents', price_cents, 'netCents', net_cents
  ) ORDER BY index) FROM links WHERE order_id = asked
$$;

-- Text with U+0001 for each of the values that follow it, and U+0002 for the id prefix of the quote. JSON text has neither. Its number
-- follows from its text. Only ever added to.
CREATE TABLE answer_forms (
  form_id id PRIMARY KEY,
  form text NOT NULL
);
CREATE TRIGGER answer_forms_are_append_only BEFORE UPDATE OR DELETE ON answer_forms
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

-- The text of a stored answer: U+0001, the number of its form and the values, separated by blanks; or the text itself. Null if the form is
-- not there.
CREATE FUNCTION answer_text(stored text, quote_id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN starts_with(stored, E'\x01') THEN (
    SELECT string_agg(part || coalesce(value, ''), '' ORDER BY place)
    FROM answer_forms f CROSS JOIN LATERAL unnest(
      string_to_array(replace(f.form, E'\x02', left(right(quote_id, 28), 26)), E'\x01'), (string_to_array(stored, ' '))[2:]
    ) WITH ORDINALITY AS parts (part, value, place)
    WHERE f.form_id = substr(split_part(stored, ' ', 1), 2)
  ) ELSE stored END
$$;

CREATE OR REPLACE VIEW bindings AS
SELECT key_id, idempotency_key, fingerprint, quote_id, answer_status, answer_text(answer_body, quote_id) COLLATE "default" AS answer_body,
  created_at_ms AS bound_at_ms, answer_freed_at_ms
FROM quotes WHERE idempotency_key IS NOT NULL;

-- A commit brings the forms that it refers to, as most of them are there already.
CREATE FUNCTION commit_answer_forms(forms jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO answer_forms SELECT * FROM jsonb_to_recordset(forms) AS f (form_id id, form text) ORDER BY form_id
  ON CONFLICT (form_id) DO NOTHING;
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(forms) AS f (form_id id, form text) JOIN answer_forms known USING (form_id)
    WHERE known.form <> f.form
  ) THEN
    RAISE EXCEPTION 'two forms of answers have one number' USING ERRCODE = 'unique_violation';
  END IF;
END $$;

-- As before, and with the forms of answers.
CREATE OR REPLACE FUNCTION commit_changes(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
BEGIN
  -- From an instance of an earlier version.
  IF c ?| ARRAY['new_bindings', 'new_holds', 'new_orders', 'new_promo_uses', 'promo_uses'] THEN PERFORM refuse_stale('the schema'); END IF;
  IF c ? 'accounts' THEN
    INSERT INTO accounts SELECT * FROM accounts_of(c -> 'accounts') ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET
      version = EXCLUDED.version, previous = EXCLUDED.previous, balance_cents = EXCLUDED.balance_cents,
      held_cents = EXCLUDED.held_cents, welcome_state = EXCLUDED.welcome_state,
      welcome_quote_id = EXCLUDED.welcome_quote_id, welcome_until_ms = EXCLUDED.welcome_until_ms
    WHERE accounts.version = EXCLUDED.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'accounts') THEN PERFORM refuse_stale('an account'); END IF;
  END IF;
  IF c ? 'offer' THEN PERFORM commit_offer(c -> 'offer'); END IF;
  IF c ? 'registers' THEN PERFORM commit_registers(c -> 'registers'); END IF;

  IF c ? 'tallies' THEN
    INSERT INTO tallies SELECT * FROM tallies_of(c -> 'tallies')
    ON CONFLICT (key_id, day) DO UPDATE SET quotes = EXCLUDED.quotes, spent_cents = EXCLUDED.spent_cents;
  END IF;
  IF c ? 'answer_forms' THEN PERFORM commit_answer_forms(c -> 'answer_forms'); END IF;
  IF c ? 'new_quotes' THEN
    INSERT INTO quotes SELECT * FROM quotes_of(c -> 'new_quotes');
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
