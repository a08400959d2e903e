-- Events of quotes beside those of orders, and mails that tell owners which orders wait for their approval.

ALTER TABLE events
  ALTER COLUMN order_id DROP NOT NULL,
  ADD COLUMN quote_id id REFERENCES quotes,
  ADD CONSTRAINT event_is_of_one CHECK ((order_id IS NULL) <> (quote_id IS NULL));
CREATE UNIQUE INDEX quote_event_once ON events (quote_id, type) WHERE quote_id IS NOT NULL;
SELECT define_rows_of('events');

-- One row for each owner who was told or said a wish. The quotes themselves are the requests: those after `mailed_to` are not told yet.
CREATE TABLE approval_mails (
  member_id id PRIMARY KEY REFERENCES members,
  mailed_to id NOT NULL DEFAULT '',
  next_at_ms bigint NOT NULL DEFAULT 0,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  wanted boolean NOT NULL DEFAULT true
);
