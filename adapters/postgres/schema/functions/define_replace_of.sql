-- Makes the function `replace_<table>`: it inserts rows in the order of their keys, and replaces every column of a row that
-- still has the version that the new one names as `previous`. Runs again after every step, because a step may add a column.
CREATE OR REPLACE FUNCTION define_replace_of(name text, key text, one text) RETURNS void LANGUAGE plpgsql AS $define$
DECLARE
  replaced text;
BEGIN
  SELECT string_agg(format('%1$I = EXCLUDED.%1$I', attname), ', ' ORDER BY attnum) INTO replaced
  FROM pg_attribute WHERE attrelid = name::regclass AND attnum > 0 AND NOT attisdropped AND attname <> key;
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION %1$I(rows jsonb) RETURNS void LANGUAGE plpgsql AS $replace$
    DECLARE
      written bigint;
    BEGIN
      INSERT INTO %2$I SELECT * FROM jsonb_populate_recordset(NULL::%2$I, rows) ORDER BY %3$I
      ON CONFLICT (%3$I) DO UPDATE SET %4$s WHERE %2$I.version = EXCLUDED.previous;
      GET DIAGNOSTICS written = ROW_COUNT;
      IF written <> jsonb_array_length(rows) THEN PERFORM refuse_stale(%5$L); END IF;
    END $replace$',
    'replace_' || name, name, key, replaced, one
  );
END $define$;

SELECT define_replace_of(name, key, one) FROM (VALUES
  ('sites', 'site_id', 'a site'),
  ('articles', 'article_id', 'an article'),
  ('projects', 'project_id', 'a project'),
  ('opportunities', 'opportunity_id', 'an opportunity'),
  ('promos', 'code', 'a promotion')
) replaced (name, key, one);
