-- People who sign in to an account, the links that sign them in, and their sessions.

ALTER TABLE accounts
  ADD COLUMN self_opened boolean,
  ADD COLUMN paid_at_ms bigint,
  ADD COLUMN agents_stopped_at_ms bigint,
  ADD COLUMN closed_at_ms bigint,
  ADD COLUMN note text;
SELECT define_rows_of('accounts');

CREATE TABLE members (
  member_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'viewer')),
  created_at_ms bigint NOT NULL,
  removed_at_ms bigint
);
CREATE INDEX members_of_account ON members (account_id, member_id);

-- As `email_key`, written out because an index calls no functions of the schema. An expression instead of a partial index, which the planner would take for other queries for members that are not removed.
CREATE FUNCTION sign_in_key(email text, removed_at_ms bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN removed_at_ms IS NULL THEN lower(btrim(email) COLLATE "C") END
$$;
CREATE UNIQUE INDEX members_by_email ON members (sign_in_key(email, removed_at_ms));

-- From now on the guard has the addresses of members too: several of one account, and each of one account only.
ALTER TABLE account_emails DROP CONSTRAINT account_emails_account_id_key;

CREATE FUNCTION hold_email(address text, holder id) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM account_emails e WHERE e.email_key = email_key(address) AND e.account_id = holder) THEN
    INSERT INTO account_emails VALUES (email_key(address), holder);
  END IF;
END $$;

CREATE FUNCTION release_email(address text, holder id) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM account_emails e
  WHERE e.email_key = email_key(address) AND e.account_id = holder
    AND NOT EXISTS (SELECT FROM accounts a WHERE a.account_id = holder AND email_key(a.email) = email_key(address))
    AND NOT EXISTS (
      SELECT FROM members m
      WHERE m.account_id = holder AND m.removed_at_ms IS NULL AND email_key(m.email) = email_key(address)
    );
END $$;

CREATE OR REPLACE FUNCTION take_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN PERFORM release_email(OLD.email, NEW.account_id); END IF;
  PERFORM hold_email(NEW.email, NEW.account_id);
  RETURN NULL;
END $$;

CREATE FUNCTION take_member_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN PERFORM release_email(OLD.email, NEW.account_id); END IF;
  IF NEW.removed_at_ms IS NULL THEN PERFORM hold_email(NEW.email, NEW.account_id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER member_takes_email AFTER INSERT OR UPDATE OF email, removed_at_ms ON members
  FOR EACH ROW EXECUTE FUNCTION take_member_email();

-- A trigger, because an instance of an earlier version opens accounts beside this one.
CREATE FUNCTION add_first_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO members VALUES (regexp_replace(NEW.account_id, '^acc_', 'mem_'), NEW.account_id, NEW.email, 'owner', NEW.created_at_ms, NULL)
  ON CONFLICT (member_id) DO NOTHING;
  RETURN NULL;
END $$;
-- Before the table is filled: it locks out new accounts until the step is committed.
CREATE TRIGGER account_with_owner AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION add_first_owner();

-- Of accounts that share an address, the oldest has it; the others get their owner with an address of their own.
INSERT INTO members
SELECT regexp_replace(a.account_id, '^acc_', 'mem_'), a.account_id, a.email, 'owner', a.created_at_ms, NULL
FROM accounts a JOIN account_emails e ON e.account_id = a.account_id AND e.email_key = email_key(a.email);

-- As before, and with members and the states of accounts.
CREATE OR REPLACE FUNCTION commit_registers(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF c ? 'emails' THEN
    UPDATE accounts SET email = e.email
    FROM jsonb_populate_recordset(NULL::accounts, c -> 'emails') e WHERE accounts.account_id = e.account_id;
  END IF;
  IF c ? 'account_states' THEN
    UPDATE accounts SET
      name = s.name, self_opened = s.self_opened, paid_at_ms = s.paid_at_ms,
      agents_stopped_at_ms = s.agents_stopped_at_ms, closed_at_ms = s.closed_at_ms, note = s.note
    FROM jsonb_populate_recordset(NULL::accounts, c -> 'account_states') s WHERE accounts.account_id = s.account_id;
  END IF;
  IF c ? 'members' THEN
    INSERT INTO members SELECT * FROM jsonb_populate_recordset(NULL::members, c -> 'members')
    ON CONFLICT (member_id) DO UPDATE SET
      email = EXCLUDED.email, role = EXCLUDED.role, removed_at_ms = EXCLUDED.removed_at_ms;
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

CREATE TABLE sign_in_links (
  hash id PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('mail', 'demo')),
  email text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  used_at_ms bigint,
  wrong_codes integer NOT NULL
);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at_ms);
CREATE INDEX sign_in_links_of_demo ON sign_in_links (hash) WHERE kind = 'demo' AND used_at_ms IS NULL;

-- One row for each link that counts under a bound.
CREATE TABLE sign_in_counts (
  name text NOT NULL,
  at_ms bigint NOT NULL,
  hash id NOT NULL,
  PRIMARY KEY (name, at_ms, hash)
);
CREATE INDEX sign_in_counts_by_time ON sign_in_counts (at_ms);

CREATE TABLE sessions (
  session_id id PRIMARY KEY,
  hash id NOT NULL UNIQUE,
  member_id id NOT NULL REFERENCES members,
  method text NOT NULL CHECK (method IN ('link', 'passkey', 'demo')),
  network text NOT NULL,
  user_agent text NOT NULL,
  created_at_ms bigint NOT NULL,
  last_used_at_ms bigint NOT NULL,
  ended_at_ms bigint,
  cart text
);
CREATE INDEX sessions_of_member ON sessions (member_id, created_at_ms);
CREATE INDEX sessions_by_creation ON sessions (created_at_ms);
