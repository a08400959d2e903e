-- Second factors of members, challenges for passkeys, and one-time codes that stand in for a lost factor.

CREATE TABLE passkeys (
  passkey_id text COLLATE "C" PRIMARY KEY,
  member_id id NOT NULL REFERENCES members,
  name text NOT NULL,
  public_key text NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  created_at_ms bigint NOT NULL,
  last_used_at_ms bigint
);
CREATE INDEX passkeys_of_member ON passkeys (member_id, created_at_ms);

CREATE TABLE totps (
  member_id id PRIMARY KEY REFERENCES members,
  sealed_secret text NOT NULL,
  created_at_ms bigint NOT NULL,
  last_step bigint NOT NULL,
  last_used_at_ms bigint,
  -- When codes were looked at since the last right one.
  attempts bigint[]
);

CREATE TABLE challenges (
  challenge id PRIMARY KEY,
  holder text NOT NULL,
  purpose text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX challenges_of_holder ON challenges (holder, created_at_ms);
CREATE INDEX challenges_by_expiry ON challenges (expires_at_ms);

CREATE TABLE reset_codes (
  member_id id PRIMARY KEY REFERENCES members,
  hash id NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX reset_codes_by_expiry ON reset_codes (expires_at_ms);
