-- Rows of `tallies` from JSON arrays of values, as `define_rows_of` makes them for other tables. The account's number
-- comes from the key.
CREATE OR REPLACE FUNCTION tallies_of(rows jsonb) RETURNS SETOF tallies LANGUAGE sql STABLE AS $$
  SELECT (r ->> 0)::id, (r ->> 1)::integer, (r ->> 2)::bigint, (r ->> 3)::bigint,
    (SELECT a.account_no FROM accounts a WHERE a.account_id = (SELECT k.account_id FROM keys k WHERE k.key_id = r ->> 0))
  FROM jsonb_array_elements(rows) r
$$;
