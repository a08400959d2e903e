-- How the rows that every order writes are read, and the whole of writing the changes of decisions, in its order. What is new is
-- inserted and never replaces anything: a row that is there already is a race that was lost (unique_violation).

-- Makes `<table>_of`: rows from JSON arrays of values, in the order of the table's columns. Values that are missing at the end are
-- null. Reading them costs about half of what rows with named members do. To be made again by whatever step adds a column.
CREATE FUNCTION define_rows_of(name text) RETURNS void LANGUAGE plpgsql AS $define$
DECLARE
  columns text;
BEGIN
  SELECT string_agg(
    CASE type
      WHEN 'jsonb' THEN format('nullif(r -> %s, ''null'')', place)
      WHEN 'text[]' THEN format('ARRAY(SELECT jsonb_array_elements_text(r -> %s))', place)
      ELSE format('(r ->> %s)::%s', place, type)
    END,
    ', ' ORDER BY place
  ) INTO columns
  FROM (
    SELECT row_number() OVER (ORDER BY attnum) - 1 AS place, format_type(atttypid, atttypmod) AS type
    FROM pg_attribute WHERE attrelid = name::regclass AND attnum > 0 AND NOT attisdropped
  ) a;
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION %I(rows jsonb) RETURNS SETOF %I LANGUAGE sql STABLE AS $rows$ '
    'SELECT %s FROM jsonb_array_elements(rows) r $rows$',
    name || '_of', name, columns
  );
END $define$;

SELECT define_rows_of(name) FROM unnest(ARRAY[
  'accounts', 'tallies', 'quotes', 'promo_uses', 'holds', 'orders', 'links', 'ledger', 'bindings', 'events'
]) name;

CREATE OR REPLACE FUNCTION commit_changes(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
BEGIN
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
  IF c ? 'promos' THEN PERFORM commit_promos(c); END IF;
  IF c ? 'offer' THEN PERFORM commit_offer(c -> 'offer'); END IF;
  IF c ? 'registers' THEN PERFORM commit_registers(c -> 'registers'); END IF;

  IF c ? 'tallies' THEN
    INSERT INTO tallies SELECT * FROM tallies_of(c -> 'tallies')
    ON CONFLICT (key_id, day) DO UPDATE SET quotes = EXCLUDED.quotes, spent_cents = EXCLUDED.spent_cents;
  END IF;
  IF c ? 'new_quotes' THEN
    INSERT INTO quotes SELECT * FROM quotes_of(c -> 'new_quotes');
  END IF;
  IF c ? 'progress' THEN PERFORM commit_progress(c -> 'progress'); END IF;
  -- Where there can be no earlier row it is not looked for: that costs more than the row.
  IF c ? 'new_promo_uses' THEN
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'new_promo_uses');
  END IF;
  IF c ? 'promo_uses' THEN
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'promo_uses')
    ON CONFLICT (code, account_id, quote_id) DO UPDATE SET until_ms = EXCLUDED.until_ms;
  END IF;
  IF c ? 'new_holds' THEN
    INSERT INTO holds SELECT * FROM holds_of(c -> 'new_holds');
  END IF;
  IF c ? 'new_orders' THEN
    INSERT INTO orders SELECT * FROM orders_of(c -> 'new_orders');
    INSERT INTO links SELECT * FROM links_of(c -> 'new_links');
  END IF;
  IF c ? 'ledger' THEN
    INSERT INTO ledger SELECT * FROM ledger_of(c -> 'ledger');
  END IF;
  IF c ? 'new_bindings' THEN
    INSERT INTO bindings SELECT * FROM bindings_of(c -> 'new_bindings');
  END IF;
  IF c ? 'events' THEN
    INSERT INTO events SELECT * FROM events_of(c -> 'events');
  END IF;

  IF c ? 'webhooks' THEN PERFORM commit_deliveries(c -> 'webhooks'); END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
