-- Reviewers, who try the service for a directory: members of a role of their own, who sign in by name and password.

ALTER TABLE members DROP CONSTRAINT members_role_check;
ALTER TABLE members ADD CONSTRAINT members_role_check CHECK (role IN ('owner', 'viewer', 'reviewer'));

ALTER TABLE sessions DROP CONSTRAINT sessions_method_check;
ALTER TABLE sessions ADD CONSTRAINT sessions_method_check CHECK (method IN ('link', 'passkey', 'password', 'demo'));

CREATE TABLE reviewers (
  member_id id PRIMARY KEY REFERENCES members,
  account_id id NOT NULL REFERENCES accounts,
  name text NOT NULL,
  password_hash text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  ended_at_ms bigint
);
CREATE UNIQUE INDEX reviewers_by_name ON reviewers (lower(name COLLATE "C")) WHERE ended_at_ms IS NULL;
