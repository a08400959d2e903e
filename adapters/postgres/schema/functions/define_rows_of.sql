-- Makes the function `<table>_of`: rows from JSON arrays of values, in the order of the table's columns. Values missing
-- at the end are null; the account's number is looked up by its id. Reading arrays costs half as much as reading
-- objects. Runs again after every step, because a step may add a column.
CREATE OR REPLACE FUNCTION define_rows_of(name text) RETURNS void LANGUAGE plpgsql AS $define$
DECLARE
  columns text;
BEGIN
  SELECT string_agg(
    CASE
      WHEN attname = 'account_no' AND name <> 'accounts' THEN
        format('(SELECT a.account_no FROM accounts a WHERE a.account_id = r ->> %s)', place)
      WHEN type = 'jsonb' THEN format('nullif(r -> %s, ''null'')', place)
      WHEN type = 'text[]' THEN format('ARRAY(SELECT jsonb_array_elements_text(r -> %s))', place)
      ELSE format('(r ->> %s)::%s', place, type)
    END,
    ', ' ORDER BY place
  ) INTO columns
  FROM (
    SELECT attname, row_number() OVER (ORDER BY attnum) - 1 AS place, format_type(atttypid, atttypmod) AS type
    FROM pg_attribute WHERE attrelid = name::regclass AND attnum > 0 AND NOT attisdropped
  ) a;
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION %I(rows jsonb) RETURNS SETOF %I LANGUAGE sql STABLE AS $rows$ '
    'SELECT %s FROM jsonb_array_elements(rows) r $rows$',
    name || '_of', name, columns
  );
END $define$;

SELECT define_rows_of(name) FROM unnest(ARRAY['accounts', 'quotes', 'links', 'ledger', 'events', 'welcome_uses']) name;
