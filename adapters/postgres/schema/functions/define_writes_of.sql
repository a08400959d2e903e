-- Makes two functions for a table, from its columns; runs again after every step, because a step may add one.
--
-- `<table>_of`: rows from JSON arrays of values, in the order of the columns. Reading arrays costs half as much as reading
-- objects. Values missing at the end are null, and a column that the database fills in has no place in them; the account's
-- number is looked up by its id, or by that of its key.
--
-- `write_<table>`: inserts the rows of `new_<table>`, which are such arrays, and updates those of `<table>`, objects with
-- the key and the columns that changed. `over_version` is the version that the decision saw: a row with another is stale,
-- and `one` names it. Each row is found by its key's index, in the order of the keys; `LIMIT 1` ensures that even under a
-- plan made while the table was almost empty.
CREATE OR REPLACE FUNCTION define_writes_of(name text, one text) RETURNS void LANGUAGE plpgsql AS $define$
DECLARE
  places bigint;
  columns text;
  listed text;
  key text;
  keys_named text;
  is_row text;
  changed text;
  is_seen text;
BEGIN
  SELECT
    count(*) FILTER (WHERE attidentity = ''),
    string_agg(quote_ident(attname), ', ' ORDER BY attnum) FILTER (WHERE attidentity = ''),
    string_agg(
      CASE
        WHEN attidentity <> '' THEN 'NULL::' || type
        WHEN attname <> 'account_no' THEN format(value, place)
        WHEN name = 'tallies' THEN '(SELECT a.account_no FROM accounts a JOIN keys k USING (account_id) WHERE k.key_id = r ->> 0)'
        ELSE format('(SELECT a.account_no FROM accounts a WHERE a.account_id = r ->> %s)', place)
      END,
      ', ' ORDER BY attnum
    ),
    string_agg(quote_ident(attname), ', ' ORDER BY attnum) FILTER (WHERE is_key),
    string_agg(named, ', ' ORDER BY attnum) FILTER (WHERE is_key),
    string_agg(format('x.%I = %s', attname, named), ' AND ') FILTER (WHERE is_key),
    string_agg(format('%1$I = CASE WHEN r ? %1$L THEN %2$s ELSE t.%1$I END', attname, named), ', ' ORDER BY attnum)
      FILTER (WHERE NOT is_key AND attname <> 'account_no'),
    string_agg(format(' AND (NOT r ? %1$L OR t.%2$I = r ->> %1$L)', 'over_' || attname, attname), '')
      FILTER (WHERE attname LIKE '%version')
  INTO places, columns, listed, key, keys_named, is_row, changed, is_seen
  FROM (
    SELECT attname, attidentity, attnum, format_type(atttypid, atttypmod) AS type, count(*) FILTER (WHERE attidentity = '') OVER (ORDER BY attnum) - 1 AS place,
      attname <> 'account_no' AND attnum = ANY (indkey::int2[]) AS is_key, value, format(value, quote_literal(attname)) AS named
    FROM pg_attribute JOIN pg_index ON indrelid = attrelid AND indisprimary
    CROSS JOIN LATERAL (SELECT CASE format_type(atttypid, atttypmod)
      WHEN 'jsonb' THEN 'nullif(r -> %s, ''null'')'
      WHEN 'text[]' THEN 'CASE jsonb_typeof(r -> %1$s) WHEN ''array'' THEN ARRAY(SELECT jsonb_array_elements_text(r -> %1$s)) END'
      ELSE format('(r ->> %%s)::%s', format_type(atttypid, atttypmod))
    END) from_json (value)
    WHERE attrelid = name::regclass AND attnum > 0 AND NOT attisdropped
  ) a;
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION %I(rows jsonb) RETURNS SETOF %I LANGUAGE sql STABLE AS $rows$ '
    'SELECT %s FROM jsonb_array_elements(rows) r $rows$',
    name || '_of', name, listed
  );
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION %1$I(c jsonb) RETURNS void LANGUAGE plpgsql AS $write$
    DECLARE
      written bigint;
    BEGIN
      IF c ? %2$L THEN
        -- An instance of an earlier version knows a column that a step has dropped.
        IF jsonb_array_length(c -> %2$L -> 0) > %4$s THEN PERFORM refuse_stale(''the schema''); END IF;
        INSERT INTO %3$I (%5$s) SELECT %5$s FROM %6$I(c -> %2$L) ORDER BY %7$s;
      END IF;
      IF c ? %3$L THEN
        UPDATE %3$I t SET %8$s
        FROM (SELECT r FROM jsonb_array_elements(c -> %3$L) r ORDER BY %9$s) n
        CROSS JOIN LATERAL (SELECT x.ctid FROM %3$I x WHERE %10$s LIMIT 1) known
        WHERE t.ctid = known.ctid%11$s;
        GET DIAGNOSTICS written = ROW_COUNT;
        -- Also unequal if another session has updated a row meanwhile, which moved it.
        IF written <> jsonb_array_length(c -> %3$L) THEN PERFORM refuse_stale(%12$L); END IF;
      END IF;
    END $write$',
    'write_' || name, 'new_' || name, name, places, columns, name || '_of', key, changed, keys_named, is_row, is_seen, one
  );
END $define$;

SELECT define_writes_of(name, one) FROM (VALUES
  ('accounts', 'an account'),
  ('members', 'a member'),
  ('invitations', 'an invitation'),
  ('keys', 'a key'),
  ('top_ups', 'a top-up'),
  ('top_up_reversals', 'a refund of a top-up'),
  ('audit', 'a record'),
  ('shop', 'the shop'),
  ('sites', 'a site'),
  ('articles', 'an article'),
  ('projects', 'a project'),
  ('opportunities', 'an opportunity'),
  ('promos', 'a promotion'),
  ('welcome_uses', 'the welcome offer'),
  ('tallies', 'a day''s usage'),
  ('quotes', 'a quote'),
  ('links', 'a link'),
  ('ledger', 'the ledger'),
  ('payments', 'a payment'),
  ('payments_set_aside', 'a payment set aside'),
  ('reversals', 'a reversal'),
  ('events', 'an event'),
  ('subscriptions', 'a subscription'),
  ('deliveries', 'a delivery')
) written (name, one);
