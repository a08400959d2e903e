-- The account's address stays unique among accounts and members.
CREATE OR REPLACE FUNCTION take_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN PERFORM release_email(OLD.email, NEW.account_id); END IF;
  PERFORM hold_email(NEW.email, NEW.account_id);
  RETURN NULL;
END $$;
