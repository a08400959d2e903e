-- A refresh token keeps its sealed successor while its grace lasts, unused artifacts keep who asked for them, and the last document of a
-- connected client is kept. Older instances write none of it: their rows are those of one unknown requester, and of a token that they
-- rotated the first later call makes the successor.
ALTER TABLE oauth_artifacts ADD COLUMN successor text, ADD COLUMN requester text;
ALTER TABLE oauth_artifacts
  DROP CONSTRAINT oauth_artifacts_kind_check,
  ADD CONSTRAINT oauth_artifacts_kind_check CHECK (kind IN ('Client', 'Interaction', 'Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken', 'Document'));
CREATE INDEX oauth_artifacts_rotated ON oauth_artifacts (consumed_at_ms) WHERE successor IS NOT NULL;
CREATE INDEX oauth_artifacts_of_client ON oauth_artifacts (client_hash) WHERE client_hash IS NOT NULL;
