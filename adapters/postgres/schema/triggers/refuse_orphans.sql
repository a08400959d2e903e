-- Refuses to delete a quote that links, payments or reversals still name. Few quotes are deleted: those of the sandbox,
-- by retention.
CREATE OR REPLACE FUNCTION refuse_orphans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM links WHERE order_id = OLD.order_id) OR EXISTS (SELECT FROM payments WHERE quote_id = OLD.quote_id)
    OR EXISTS (SELECT FROM payments_set_aside WHERE quote_id = OLD.quote_id)
    OR EXISTS (SELECT FROM reversals WHERE quote_id = OLD.quote_id)
  THEN
    RAISE EXCEPTION 'quote % has links or payments', OLD.quote_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
