-- What lets agents in: API keys, connections by OAuth, and what the authorization server issued.

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
  approve_above_cents bigint CHECK (approve_above_cents >= 0),
  hold_look_alikes boolean,
  client_id text,
  client_host text,
  consented_by id REFERENCES members,
  consented_at_ms bigint,
  always_allow jsonb,
  sees_account boolean,
  former jsonb,
  revoked_by text,
  paused_at_ms bigint,
  expires_at_ms bigint,
  -- For foreign keys that also hold a row's account to its key's.
  UNIQUE (key_id, account_id),
  CONSTRAINT connections_are_consented CHECK (
    num_nonnulls(client_id, client_host, consented_by, consented_at_ms) = CASE WHEN starts_with(key_id, 'con_') THEN 4 ELSE 0 END
  )
);
CREATE UNIQUE INDEX keys_by_hash ON keys (hash);
CREATE INDEX keys_by_former ON keys USING gin (former jsonb_path_ops) WHERE former IS NOT NULL;
CREATE INDEX keys_of_account ON keys (account_id, key_id);
CREATE INDEX keys_to_expire ON keys (expires_at_ms) WHERE expires_at_ms IS NOT NULL AND revoked_at_ms IS NULL;
COMMENT ON TABLE keys IS 'API keys ("key_…") and connections of assistants ("con_…"), with the limits that the owner sets.';
COMMENT ON COLUMN keys.label IS 'The key''s name; the client''s name for a connection.';
COMMENT ON COLUMN keys.scopes IS '"read", "order".';
COMMENT ON COLUMN keys.hash IS 'Lower-case hexadecimal SHA-256 of the key''s text; the id itself for a connection, which has none.';
COMMENT ON COLUMN keys.prefix IS 'The beginning of the key''s text, for display; empty for a connection.';
COMMENT ON COLUMN keys.last_four IS 'The end of the key''s text, for display; empty for a connection.';
COMMENT ON COLUMN keys.max_order_cents IS 'The most that one order may cost; null means no limit.';
COMMENT ON COLUMN keys.max_day_cents IS 'The most that the orders of a UTC day may cost; null means no limit.';
COMMENT ON COLUMN keys.daily_order_cap IS 'Orders per UTC day: 0 means unlimited, null the service''s default.';
COMMENT ON COLUMN keys.always_allow IS 'Domains for which orders up to an amount need no approval: [{domain, upToCents}]. Null if there are none.';
COMMENT ON COLUMN keys.former IS 'Former texts of a rotated key, the newest first: [{hash, lastFour, untilMs}]. Null if it was never rotated.';
COMMENT ON COLUMN keys.allowed_domains IS 'Domains that orders may link to, subdomains included; null means any.';
COMMENT ON COLUMN keys.revoked_at_ms IS 'Null while the key is active.';
COMMENT ON COLUMN keys.revoked_by IS 'The operator or member who revoked it; null while it is active, and where that is not known.';
COMMENT ON COLUMN keys.approve_above_cents IS 'Orders over this amount wait for approval: 0 means every order, null none.';
COMMENT ON COLUMN keys.hold_look_alikes IS 'True if an order for the same items as a recent one waits for approval; null means false.';
COMMENT ON COLUMN keys.client_id IS 'The OAuth client of a connection; null for a key.';
COMMENT ON COLUMN keys.client_host IS 'The host that the client belongs to, as its registration tells; null for a key.';
COMMENT ON COLUMN keys.consented_by IS 'The member who allowed the connection last; null for a key.';
COMMENT ON COLUMN keys.consented_at_ms IS 'Null for a key.';
COMMENT ON COLUMN keys.sees_account IS 'Whether a connection may list what all credentials of its account placed; null for keys, which may, and for connections from before step 060, which may not.';
COMMENT ON COLUMN keys.paused_at_ms IS 'Since when it may not order; null while it may.';
COMMENT ON COLUMN keys.expires_at_ms IS 'When the key ends by itself; null for keys that do not, and for connections.';

-- Apart from the keys, because using a key changes nothing else.
CREATE TABLE key_uses (
  key_id id PRIMARY KEY REFERENCES keys,
  last_used_at_ms bigint NOT NULL
) WITH (fillfactor = 60);
COMMENT ON TABLE key_uses IS 'When each key was used last; an unused key has no row.';

CREATE TABLE refused_attempts (
  key_id id NOT NULL REFERENCES keys,
  day integer NOT NULL,
  rule text NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  last_at_ms bigint NOT NULL,
  last_target text,
  last_cents bigint,
  PRIMARY KEY (key_id, day, rule)
);
CREATE INDEX refused_attempts_by_day ON refused_attempts (day);
COMMENT ON TABLE refused_attempts IS 'Attempts to order that a rule of the owner refused, added up for each key, UTC day and rule.';
COMMENT ON COLUMN refused_attempts.day IS 'UTC days since the Unix epoch.';
COMMENT ON COLUMN refused_attempts.rule IS 'A rule of the spend policy, or "daily_order_cap".';
COMMENT ON COLUMN refused_attempts.count IS 'Attempts that were refused.';
COMMENT ON COLUMN refused_attempts.last_target IS 'The host that the last attempt was to link to; null if it named none.';
COMMENT ON COLUMN refused_attempts.last_cents IS 'What the last attempt would have cost; null if its price was not looked at.';

CREATE TABLE oauth_artifacts (
  hash id PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('Client', 'Interaction', 'Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken', 'Document')),
  grant_hash id,
  client_hash id,
  payload text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  consumed_at_ms bigint,
  unused boolean NOT NULL,
  connection_id id,
  scopes text[],
  resource text,
  successor text,
  requester text,
  CONSTRAINT access_is_of_tokens CHECK (
    (connection_id IS NOT NULL) = (kind = 'AccessToken')
    AND (connection_id IS NOT NULL) = (scopes IS NOT NULL)
    AND (connection_id IS NOT NULL) = (resource IS NOT NULL)
  )
);
CREATE INDEX oauth_artifacts_of_grant ON oauth_artifacts (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX oauth_artifacts_of_client ON oauth_artifacts (client_hash) WHERE client_hash IS NOT NULL;
CREATE INDEX oauth_artifacts_by_expiry ON oauth_artifacts (expires_at_ms);
CREATE INDEX oauth_artifacts_unused ON oauth_artifacts (kind, created_at_ms, hash) WHERE unused;
CREATE INDEX oauth_artifacts_rotated ON oauth_artifacts (consumed_at_ms) WHERE successor IS NOT NULL;
COMMENT ON TABLE oauth_artifacts IS 'What the authorization server issued: clients, grants, codes and tokens; and the last document of each connected client.';
COMMENT ON COLUMN oauth_artifacts.hash IS 'Lower-case hexadecimal SHA-256 of the artifact''s id; the id is stored nowhere.';
COMMENT ON COLUMN oauth_artifacts.grant_hash IS 'Refers to oauth_artifacts.hash: the grant of a code or token, null for other kinds. An artifact issued while its grant ends is not found, and expires.';
COMMENT ON COLUMN oauth_artifacts.client_hash IS 'Refers to oauth_artifacts.hash: the client of a grant, null for other kinds.';
COMMENT ON COLUMN oauth_artifacts.payload IS 'The server''s own JSON, which the store does not read.';
COMMENT ON COLUMN oauth_artifacts.consumed_at_ms IS 'When a code or refresh token was exchanged; null before.';
COMMENT ON COLUMN oauth_artifacts.unused IS 'Whether no owner has consented yet: the number of such clients and interactions is bounded.';
COMMENT ON COLUMN oauth_artifacts.connection_id IS 'Refers to keys.key_id: the connection of an access token, null for other kinds.';
COMMENT ON COLUMN oauth_artifacts.scopes IS 'The scopes of an access token; null for other kinds.';
COMMENT ON COLUMN oauth_artifacts.resource IS 'What an access token opens, "service" or "catalog"; null for other kinds.';
COMMENT ON COLUMN oauth_artifacts.successor IS 'The refresh token that took the place of a rotated one, sealed under a key that only the old one gives; null after its grace.';
COMMENT ON COLUMN oauth_artifacts.requester IS 'The network or known device that asked for an unused artifact; null where it does not count.';

CREATE TABLE bound_calls (
  call_hash text PRIMARY KEY,
  fingerprint text NOT NULL,
  bound_at_ms bigint NOT NULL,
  id_prefix text NOT NULL,
  sealed text,
  answer_status bigint,
  answer_body text,
  answered_at_ms bigint,
  CONSTRAINT answers_are_whole CHECK (num_nulls(answer_status, answer_body, answered_at_ms) IN (0, 3))
);
CREATE INDEX bound_calls_by_time ON bound_calls (bound_at_ms);
COMMENT ON TABLE bound_calls IS 'Calls other than orders that an idempotency key binds for a day, with their answers.';
COMMENT ON COLUMN bound_calls.call_hash IS 'Lower-case hexadecimal SHA-256 of the credential, the method and path, and the idempotency key.';
COMMENT ON COLUMN bound_calls.fingerprint IS 'Lower-case hexadecimal SHA-256 of the canonical body.';
COMMENT ON COLUMN bound_calls.id_prefix IS 'The ids of what the call makes begin with it.';
COMMENT ON COLUMN bound_calls.sealed IS 'Sealed: before the answer the bytes of a secret that the call may make; then, for ten minutes, an answer that holds one.';
COMMENT ON COLUMN bound_calls.answer_status IS 'The HTTP status of the answer; null until it is kept.';
COMMENT ON COLUMN bound_calls.answered_at_ms IS 'Null until the answer is kept.';
COMMENT ON COLUMN bound_calls.answer_body IS 'The answer, without a secret; null until it is kept.';
