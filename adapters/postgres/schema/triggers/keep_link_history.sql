-- Keeps what a history said already: an instance from before step 061 writes its entries again without the members that it does not know.
CREATE OR REPLACE FUNCTION keep_link_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.history = (
    SELECT jsonb_agg(coalesce(OLD.history -> (place - 1)::int, '{}') || entry ORDER BY place)
    FROM jsonb_array_elements(NEW.history) WITH ORDINALITY entries (entry, place)
  );
  RETURN NEW;
END $$;
