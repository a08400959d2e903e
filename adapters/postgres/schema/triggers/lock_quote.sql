-- Stands in for a foreign key to `quotes`, which would need the account's number in these tables. Locks the quote as a
-- foreign key does; the violation bears the name that the key would have.
CREATE OR REPLACE FUNCTION lock_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM quotes WHERE quote_id = NEW.quote_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'quote % is not there', NEW.quote_id
    USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_quote_id_fkey';
  END IF;
  RETURN NULL;
END $$;
