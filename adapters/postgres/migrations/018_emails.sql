-- An account's e-mail address is its own: in whatever spelling, one account has it. Where accounts share one already, all of them stay
-- as they are, and the oldest has the address.

-- Letters beyond A to Z count as they are written, whatever the database's collation.
CREATE FUNCTION email_key(email text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT lower(btrim(email) COLLATE "C")
$$;

-- Which accounts have an address, and the guard: of two transactions that give it to two accounts, one fails.
CREATE INDEX accounts_by_email ON accounts (email_key(email));
CREATE TABLE account_emails (
  email_key id PRIMARY KEY,
  account_id id NOT NULL UNIQUE REFERENCES accounts
);

-- A trigger, because an instance of an earlier version opens accounts beside this one. Orders write accounts without their address, and
-- so do not fire it.
CREATE FUNCTION take_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM account_emails WHERE account_id = NEW.account_id;
  END IF;
  INSERT INTO account_emails VALUES (email_key(NEW.email), NEW.account_id);
  RETURN NULL;
END $$;
-- Before the table is filled: it locks out new accounts until the step is committed.
CREATE TRIGGER account_takes_email AFTER INSERT OR UPDATE OF email ON accounts
  FOR EACH ROW EXECUTE FUNCTION take_email();

INSERT INTO account_emails
SELECT DISTINCT ON (email_key(email)) email_key(email), account_id FROM accounts
ORDER BY email_key(email), created_at_ms, account_id;

-- As before, and with changed addresses.
CREATE OR REPLACE FUNCTION commit_registers(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF c ? 'emails' THEN
    UPDATE accounts SET email = e.email
    FROM jsonb_populate_recordset(NULL::accounts, c -> 'emails') e WHERE accounts.account_id = e.account_id;
  END IF;
  IF c ? 'new_keys' THEN
    INSERT INTO keys SELECT * FROM jsonb_populate_recordset(NULL::keys, c -> 'new_keys');
  END IF;
  IF c ? 'keys' THEN
    UPDATE keys SET
      max_order_cents = k.max_order_cents, max_day_cents = k.max_day_cents, daily_order_cap = k.daily_order_cap,
      allowed_domains = k.allowed_domains, revoked_at_ms = k.revoked_at_ms
    FROM jsonb_populate_recordset(NULL::keys, c -> 'keys') k WHERE keys.key_id = k.key_id;
    UPDATE shop SET keys = c ->> 'stem';
  END IF;
  IF c ? 'audit' THEN
    INSERT INTO audit SELECT * FROM jsonb_populate_recordset(NULL::audit, c -> 'audit');
  END IF;
END $$;
