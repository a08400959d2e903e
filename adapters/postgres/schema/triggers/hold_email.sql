-- Gives an account an address. Fails with a unique violation if another account has it.
CREATE OR REPLACE FUNCTION hold_email(address text, holder id) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM account_emails e WHERE e.email_key = email_key(address) AND e.account_id = holder) THEN
    INSERT INTO account_emails VALUES (email_key(address), holder);
  END IF;
END $$;
