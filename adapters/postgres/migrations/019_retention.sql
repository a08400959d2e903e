-- Retention: what was freed of finished records, and what freeing them needs.

-- A row for each table of which rows were freed.
CREATE TABLE freed_rows (
  table_name text PRIMARY KEY,
  rows bigint NOT NULL CHECK (rows > 0),
  -- All that was freed was made before this time.
  before_ms bigint NOT NULL,
  last_at_ms bigint NOT NULL
);

-- Webhooks of which a delivery was freed that failed, was dropped or was sent again: they may have been disabled since, and what was not
-- queued for them meanwhile is no fault.
CREATE TABLE freed_interruptions (webhook_id id PRIMARY KEY);

-- Since when the stored answer is no longer kept; one that was never stored has none either.
ALTER TABLE bindings ADD COLUMN answer_freed_at_ms bigint;
ALTER TABLE bindings ADD CONSTRAINT freed_answer_is_gone
  CHECK (answer_freed_at_ms IS NULL OR answer_body IS NULL) NOT VALID;
SELECT define_rows_of('bindings');

-- Ids of quotes begin with their time.
CREATE INDEX bindings_answered ON bindings (quote_id) WHERE answer_body IS NOT NULL;

-- Each quote, order and link that is deleted would search these tables for rows that refer to it: an index for each would be written by
-- every order. Only sandbox quotes are ever deleted, to which no money refers. `reconcile` proves each of these references.
ALTER TABLE ledger
  DROP CONSTRAINT ledger_quote_id_fkey, DROP CONSTRAINT ledger_order_id_fkey, DROP CONSTRAINT ledger_link_id_fkey;
ALTER TABLE holds DROP CONSTRAINT holds_quote_id_fkey;
ALTER TABLE promo_uses DROP CONSTRAINT promo_uses_quote_id_fkey;
ALTER TABLE bindings DROP CONSTRAINT bindings_quote_id_fkey;
