-- What retention has freed, so that the invariants know what may be missing.

CREATE TABLE freed_rows (
  table_name text PRIMARY KEY,
  rows bigint NOT NULL CHECK (rows > 0),
  before_ms bigint NOT NULL,
  last_at_ms bigint NOT NULL
);
COMMENT ON TABLE freed_rows IS 'How many records of each kind retention has freed.';
COMMENT ON COLUMN freed_rows.table_name IS 'A table or view, or "answers".';
COMMENT ON COLUMN freed_rows.before_ms IS 'Everything that was freed was made before this time.';
COMMENT ON COLUMN freed_rows.last_at_ms IS 'When something was freed last.';

CREATE TABLE freed_interruptions (
  webhook_id id PRIMARY KEY
);
COMMENT ON TABLE freed_interruptions IS 'Webhooks whose disabling can no longer be proved, because the delivery that showed it was freed.';
COMMENT ON COLUMN freed_interruptions.webhook_id IS 'Refers to subscriptions.webhook_id.';
