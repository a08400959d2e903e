-- What the authorization server issued. The payload of an artifact is the server's own; ids are stored as their SHA-256 alone.
CREATE TABLE oauth_artifacts (
  hash id PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('Client', 'Interaction', 'Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken')),
  -- Without a foreign key: what is issued while its grant ends is not found, and expires.
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
  CONSTRAINT access_is_of_tokens CHECK (
    (connection_id IS NOT NULL) = (kind = 'AccessToken')
    AND (connection_id IS NOT NULL) = (scopes IS NOT NULL)
    AND (connection_id IS NOT NULL) = (resource IS NOT NULL)
  )
);
CREATE INDEX oauth_artifacts_of_grant ON oauth_artifacts (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX oauth_artifacts_by_expiry ON oauth_artifacts (expires_at_ms);
CREATE INDEX oauth_artifacts_unused ON oauth_artifacts (kind, created_at_ms, hash) WHERE unused;
