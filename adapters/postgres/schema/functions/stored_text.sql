-- The text of a stored answer or discount: U+0001, the id of its form and its values, separated by blanks; any other
-- text is itself. In a form, U+0001 stands for each value and U+0002 for the quote's id without prefix and suffix. Null
-- if the form is missing.
CREATE OR REPLACE FUNCTION stored_text(stored text, quote_id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN starts_with(stored, E'\x01') THEN (
    SELECT string_agg(part || coalesce(value, ''), '' ORDER BY place)
    FROM text_forms f CROSS JOIN LATERAL unnest(
      string_to_array(replace(f.form, E'\x02', left(right(quote_id, 28), 26)), E'\x01'), (string_to_array(stored, ' '))[2:]
    ) WITH ORDINALITY AS parts (part, value, place)
    WHERE f.form_id = substr(split_part(stored, ' ', 1), 2)
  ) ELSE stored END
$$;
