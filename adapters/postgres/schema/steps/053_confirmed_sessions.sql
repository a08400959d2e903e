-- Sessions know whether a second factor was shown in them, and new secrets wait for the one page that shows them.

ALTER TABLE sessions ADD COLUMN confirmed_at_ms bigint;

CREATE TABLE shown_once (
  shown_id id PRIMARY KEY,
  holder text NOT NULL,
  sealed text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX shown_once_by_expiry ON shown_once (expires_at_ms);
