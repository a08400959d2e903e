-- What signs people in: links, sessions, second factors, and one-time codes that stand in for a lost factor. Secrets are
-- stored as the lower-case hexadecimal SHA-256 of their text, or sealed.

CREATE TABLE sign_in_links (
  hash id PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('mail', 'demo')),
  email text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  used_at_ms bigint,
  wrong_codes integer NOT NULL,
  browser_hash id,
  code_hash id
);
CREATE UNIQUE INDEX sign_in_links_of_browser ON sign_in_links (browser_hash) WHERE browser_hash IS NOT NULL;
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at_ms);
CREATE INDEX sign_in_links_of_demo ON sign_in_links (hash) WHERE kind = 'demo' AND used_at_ms IS NULL;
COMMENT ON TABLE sign_in_links IS 'Links that sign one person in once: sent by mail, or printed at a start of the demo.';
COMMENT ON COLUMN sign_in_links.hash IS 'SHA-256 of the link''s token.';
COMMENT ON COLUMN sign_in_links.used_at_ms IS 'Null until the link was used to sign in.';
COMMENT ON COLUMN sign_in_links.wrong_codes IS 'Codes that were tried with this link, of authenticator apps and of its mail, right or wrong.';
COMMENT ON COLUMN sign_in_links.browser_hash IS 'SHA-256 of the secret of the browser in which the mail''s code counts. Null for a link without a code: of earlier versions, of the demo, or in exchange for a code.';
COMMENT ON COLUMN sign_in_links.code_hash IS 'HMAC of the mail''s code under that secret. Null where browser_hash is.';

CREATE TABLE sign_in_counts (
  name text NOT NULL,
  at_ms bigint NOT NULL,
  hash id NOT NULL,
  PRIMARY KEY (name, at_ms, hash)
);
CREATE INDEX sign_in_counts_by_time ON sign_in_counts (at_ms);
COMMENT ON TABLE sign_in_counts IS 'Requests for links, and codes and passwords that were tried, of the last day: how many an address, a device or a network may make is bounded.';
COMMENT ON COLUMN sign_in_counts.name IS 'What is counted for whom, such as the codes for an address.';
COMMENT ON COLUMN sign_in_counts.hash IS 'The link that was requested, or the id of the attempt.';

CREATE TABLE sessions (
  session_id id PRIMARY KEY,
  hash id NOT NULL UNIQUE,
  member_id id NOT NULL REFERENCES members,
  method text NOT NULL CHECK (method IN ('link', 'passkey', 'password', 'demo')),
  network text NOT NULL,
  user_agent text NOT NULL,
  created_at_ms bigint NOT NULL,
  last_used_at_ms bigint NOT NULL,
  ended_at_ms bigint,
  cart text,
  confirmed_at_ms bigint
);
CREATE INDEX sessions_of_member ON sessions (member_id, created_at_ms);
CREATE INDEX sessions_by_creation ON sessions (created_at_ms);
COMMENT ON TABLE sessions IS 'Sessions of members in the member area.';
COMMENT ON COLUMN sessions.hash IS 'SHA-256 of the session''s token.';
COMMENT ON COLUMN sessions.network IS 'The client''s network, an IPv4 /24 or IPv6 prefix.';
COMMENT ON COLUMN sessions.last_used_at_ms IS 'To the minute.';
COMMENT ON COLUMN sessions.ended_at_ms IS 'Null while the session is active; idle and old sessions expire without it.';
COMMENT ON COLUMN sessions.cart IS 'The cart of the Shop, as JSON that the store does not read; null while it is empty.';
COMMENT ON COLUMN sessions.confirmed_at_ms IS 'When the member showed a second factor in it; null for a session that a mail alone began, and for those of earlier versions.';

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
COMMENT ON TABLE passkeys IS 'Passkeys of members (WebAuthn).';
COMMENT ON COLUMN passkeys.passkey_id IS 'The credential''s id in base64url.';
COMMENT ON COLUMN passkeys.public_key IS 'The COSE key in base64url.';
COMMENT ON COLUMN passkeys.counter IS 'How often the authenticator was used, if it counts; 0 otherwise. Only ever raised.';
COMMENT ON COLUMN passkeys.transports IS 'How browsers reach the authenticator, such as "internal" or "usb".';
COMMENT ON COLUMN passkeys.last_used_at_ms IS 'Null until it is used.';

CREATE TABLE totps (
  member_id id PRIMARY KEY REFERENCES members,
  sealed_secret text NOT NULL,
  created_at_ms bigint NOT NULL,
  last_step bigint NOT NULL,
  last_used_at_ms bigint,
  attempts bigint[]
);
COMMENT ON TABLE totps IS 'Authenticator apps of members (RFC 6238), one for each.';
COMMENT ON COLUMN totps.sealed_secret IS 'The shared secret, sealed by ENCRYPTION_KEY for this member.';
COMMENT ON COLUMN totps.last_step IS 'The time step of the last accepted code; codes of this and earlier steps are refused.';
COMMENT ON COLUMN totps.last_used_at_ms IS 'Null until a code is accepted.';
COMMENT ON COLUMN totps.attempts IS 'Times of the codes that were tried since the last accepted one; null if there are none.';

CREATE TABLE challenges (
  challenge id PRIMARY KEY,
  holder text NOT NULL,
  purpose text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX challenges_of_holder ON challenges (holder, created_at_ms);
CREATE INDEX challenges_by_expiry ON challenges (expires_at_ms);
COMMENT ON TABLE challenges IS 'Challenges for passkeys. Each is used once.';
COMMENT ON COLUMN challenges.challenge IS 'Random bytes in base64url.';
COMMENT ON COLUMN challenges.holder IS '"session <id>", or "sign-in" where it was answered before one.';
COMMENT ON COLUMN challenges.purpose IS 'What the passkey confirms, with its parameters.';

CREATE TABLE reset_codes (
  member_id id PRIMARY KEY REFERENCES members,
  hash id NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX reset_codes_by_expiry ON reset_codes (expires_at_ms);
COMMENT ON TABLE reset_codes IS 'One-time codes that stand in for a lost factor, one for each member.';
COMMENT ON COLUMN reset_codes.hash IS 'SHA-256 of the code without its dashes.';

CREATE TABLE invitation_mails (
  invitation_id id PRIMARY KEY REFERENCES invitations ON DELETE CASCADE,
  email_key id NOT NULL,
  day bigint NOT NULL,
  next_at_ms bigint NOT NULL DEFAULT 0,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  done_at_ms bigint,
  CONSTRAINT one_invitation_a_day UNIQUE (email_key, day)
);
COMMENT ON TABLE invitation_mails IS 'The mails of invitations: at most one a day to an address, whichever accounts invite it.';
COMMENT ON COLUMN invitation_mails.email_key IS 'The address as email_key() spells it.';
COMMENT ON COLUMN invitation_mails.day IS 'The day of the last attempt: UTC days since the Unix epoch.';
COMMENT ON COLUMN invitation_mails.next_at_ms IS 'No attempt is made before; 0 means at once.';
COMMENT ON COLUMN invitation_mails.leased_until_ms IS 'Until when one instance sends; 0 if none does.';
COMMENT ON COLUMN invitation_mails.attempts IS 'Failed attempts.';
COMMENT ON COLUMN invitation_mails.done_at_ms IS 'When it was sent, or given up; null before.';

CREATE TABLE invitation_links (
  hash id PRIMARY KEY,
  invitation_id id NOT NULL REFERENCES invitations ON DELETE CASCADE
);
CREATE INDEX invitation_links_of_invitation ON invitation_links (invitation_id);
COMMENT ON TABLE invitation_links IS 'The links in the mails of invitations: one for each attempt, each as good as the others.';
COMMENT ON COLUMN invitation_links.hash IS 'SHA-256 of the link''s token.';

CREATE TABLE shown_once (
  shown_id id PRIMARY KEY,
  holder text NOT NULL,
  sealed text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX shown_once_by_expiry ON shown_once (expires_at_ms);
COMMENT ON TABLE shown_once IS 'Secrets that were just made, such as the text of a key, until the page that shows them once.';
COMMENT ON COLUMN shown_once.shown_id IS 'Random bytes in base64url, part of the page''s address.';
COMMENT ON COLUMN shown_once.holder IS '"session <id>" of the session that made it.';
COMMENT ON COLUMN shown_once.sealed IS 'The secret, sealed by ENCRYPTION_KEY for this holder.';
