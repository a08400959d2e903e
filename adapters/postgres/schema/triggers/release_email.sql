-- Frees an address that neither the account nor one of its active members uses any more.
CREATE OR REPLACE FUNCTION release_email(address text, holder id) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM account_emails e
  WHERE e.email_key = email_key(address) AND e.account_id = holder
    AND NOT EXISTS (SELECT FROM accounts a WHERE a.account_id = holder AND email_key(a.email) = email_key(address))
    AND NOT EXISTS (
      SELECT FROM members m
      WHERE m.account_id = holder AND m.removed_at_ms IS NULL AND email_key(m.email) = email_key(address)
    );
END $$;
