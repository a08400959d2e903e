-- Accounts with their wallets and keys, the day of a key, and what operators did.
-- Ids are compared byte by byte, so that the database sorts them as the service does. Times are milliseconds since the Unix
-- epoch, money is whole cents. `version` is the stem of the decision that wrote a row last: whoever decided on another version
-- decided on something old (see 005_offer.sql). `previous` is the version before it.

CREATE DOMAIN id AS text COLLATE "C";

CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION refuse_stale(what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'decided on an old version of %', what USING ERRCODE = 'serialization_failure';
END $$;

-- One row: what belongs to the shop as a whole.
CREATE TABLE shop (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version id NOT NULL,
  previous id,
  fulfilment text CHECK (fulfilment IN ('auto', 'manual')),
  -- The stem of the last listing of sites: counts made under it still hold.
  catalogue id NOT NULL,
  -- The stem of the last change of any key: what was seen of keys under it still holds.
  keys id NOT NULL
);
INSERT INTO shop (version, catalogue, keys) VALUES ('', '', '');

-- Every decision about an account writes its row, which so guards everything that is the account's.
CREATE TABLE accounts (
  account_id id PRIMARY KEY,
  version id NOT NULL,
  previous id,
  name text NOT NULL,
  email text NOT NULL,
  balance_cents bigint NOT NULL,
  held_cents bigint NOT NULL,
  welcome_state text NOT NULL CHECK (welcome_state IN ('available', 'reserved', 'spent')),
  welcome_quote_id id,
  welcome_until_ms bigint,
  created_at_ms bigint NOT NULL,
  CONSTRAINT wallet_is_sound CHECK (0 <= held_cents AND held_cents <= balance_cents),
  CONSTRAINT welcome_is_whole CHECK (
    (welcome_quote_id IS NOT NULL) = (welcome_state <> 'available')
    AND (welcome_until_ms IS NOT NULL) = (welcome_state = 'reserved')
  )
) WITH (fillfactor = 60);

CREATE TABLE keys (
  key_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  label text NOT NULL,
  scopes text[] NOT NULL,
  hash id NOT NULL,
  prefix text NOT NULL,
  last_four text NOT NULL,
  max_order_cents bigint,
  max_day_cents bigint,
  daily_order_cap bigint,
  allowed_domains text[],
  created_at_ms bigint NOT NULL,
  revoked_at_ms bigint,
  -- For foreign keys that also hold a row's account to its key's.
  UNIQUE (key_id, account_id)
);
CREATE UNIQUE INDEX keys_by_hash ON keys (hash);
CREATE INDEX keys_of_account ON keys (account_id, key_id);

-- Apart from the keys, because using a key is no change of the shop's.
CREATE TABLE key_uses (
  key_id id PRIMARY KEY REFERENCES keys,
  last_used_at_ms bigint NOT NULL
) WITH (fillfactor = 60);

CREATE TABLE tallies (
  key_id id NOT NULL REFERENCES keys,
  day integer NOT NULL,
  quotes bigint NOT NULL CHECK (quotes >= 0),
  spent_cents bigint NOT NULL CHECK (spent_cents >= 0),
  PRIMARY KEY (key_id, day)
) WITH (fillfactor = 60);

CREATE TABLE audit (
  audit_id id PRIMARY KEY,
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL,
  at_ms bigint NOT NULL
);
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
