-- Every account has its first owner, whose id is that of the account with another prefix.
CREATE OR REPLACE FUNCTION add_first_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO members
  VALUES (regexp_replace(NEW.account_id, '^acc_', 'mem_'), NEW.account_id, NEW.email, 'owner', NEW.created_at_ms, NULL)
  ON CONFLICT (member_id) DO NOTHING;
  RETURN NULL;
END $$;
