-- A quote stays with its key and account, which no foreign key proves.
CREATE OR REPLACE FUNCTION refuse_another_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'quote % stays with its key and account', OLD.quote_id USING ERRCODE = 'restrict_violation';
END $$;
