-- The spelling by which two e-mail addresses are one. The collation "C" folds A to Z alone, whatever the database's own
-- folds.
CREATE OR REPLACE FUNCTION email_key(email text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT lower(btrim(email) COLLATE "C")
$$;
