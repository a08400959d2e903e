-- A member is invited, and becomes one by accepting. Who was made a member by a member of the account, and never came, becomes invited.

-- In the order in which sessions write: instances of the version before wait.
LOCK TABLE accounts;

CREATE TABLE invitations (
  invitation_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'viewer')),
  invited_by id,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  outcome text CHECK (outcome IN ('accepted', 'withdrawn')),
  ended_at_ms bigint,
  CONSTRAINT invitation_ends_once CHECK ((outcome IS NULL) = (ended_at_ms IS NULL))
);
CREATE INDEX invitations_of_account ON invitations (account_id, invitation_id);
CREATE INDEX invitations_by_email ON invitations (email_key(email)) WHERE outcome IS NULL;
CREATE INDEX invitations_by_expiry ON invitations (expires_at_ms);

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

CREATE TABLE invitation_links (
  hash id PRIMARY KEY,
  invitation_id id NOT NULL REFERENCES invitations ON DELETE CASCADE
);
CREATE INDEX invitation_links_of_invitation ON invitation_links (invitation_id);

CREATE TABLE notice_mails (
  member_id id PRIMARY KEY REFERENCES members,
  mailed_to id NOT NULL,
  due_to id NOT NULL,
  next_at_ms bigint NOT NULL DEFAULT 0,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  wanted boolean NOT NULL DEFAULT true
);
CREATE INDEX notice_mails_due ON notice_mails (next_at_ms) WHERE wanted AND due_to > mailed_to;

CREATE TABLE notice_mail_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  examined_to id NOT NULL
);

-- A member whom a member added, and of whom there is no session, factor or audit record, may not know of it: the address is free again, and
-- can be claimed by an invitation of seven days, of which no mail is sent. The first owner stays: the one with whom the account was opened,
-- and the oldest of those that are there, who may be the last. A decision that was made on the members as they were is refused.
WITH never_came AS MATERIALIZED (
  SELECT m.member_id, m.account_id, m.email, m.role, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
  FROM members m
  WHERE m.removed_at_ms IS NULL AND m.role IN ('owner', 'viewer')
    AND m.member_id <> regexp_replace(m.account_id, '^acc_', 'mem_')
    AND EXISTS (
      SELECT FROM audit a JOIN members adder ON adder.member_id = a.actor COLLATE "C"
      WHERE a.action = 'member.add' AND a.subject COLLATE "C" = m.member_id
    )
    AND NOT EXISTS (SELECT FROM sessions s WHERE s.member_id = m.member_id)
    AND NOT EXISTS (SELECT FROM passkeys p WHERE p.member_id = m.member_id)
    AND NOT EXISTS (SELECT FROM totps t WHERE t.member_id = m.member_id)
    AND NOT EXISTS (SELECT FROM audit a WHERE a.actor COLLATE "C" = m.member_id)
    AND m.member_id IS DISTINCT FROM (
      SELECT o.member_id FROM members o
      WHERE o.account_id = m.account_id AND o.role = 'owner' AND o.removed_at_ms IS NULL
      ORDER BY o.created_at_ms, o.member_id LIMIT 1
    )
), invited AS (
  INSERT INTO invitations (invitation_id, account_id, email, role, created_at_ms, expires_at_ms)
  SELECT regexp_replace(n.member_id, '^mem_', 'ivt_'), n.account_id, n.email, n.role, n.now_ms, n.now_ms + 7 * 86400000
  FROM never_came n JOIN accounts a USING (account_id) WHERE a.closed_at_ms IS NULL
), seen AS (
  UPDATE accounts SET version = left(version, -1) || CASE right(version, 1) WHEN 'z' THEN 'y' ELSE 'z' END
  WHERE account_id IN (SELECT account_id FROM never_came)
)
UPDATE members m SET removed_at_ms = n.now_ms FROM never_came n WHERE m.member_id = n.member_id;
