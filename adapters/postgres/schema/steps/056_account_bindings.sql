-- The idempotency key of an order belongs to its account and mode. Quotes from before, and those of an older instance, stay bound in their
-- credential.

-- In the order in which sessions write.
LOCK TABLE accounts;
ALTER TABLE quotes ADD COLUMN bound_scope text CHECK (bound_scope = 'account');
DROP INDEX bound_once;
CREATE UNIQUE INDEX bound_once ON quotes (key_id, idempotency_key, account_no)
  WHERE idempotency_key IS NOT NULL AND bound_scope IS NULL;
CREATE UNIQUE INDEX bound_in_account ON quotes (account_no, mode, hashtextextended(idempotency_key, 0))
  WHERE bound_scope IS NOT NULL;

ALTER TABLE shop ADD COLUMN bound_before boolean NOT NULL DEFAULT false;
UPDATE shop SET bound_before = true;

-- So that the planner knows that no quote is in the second index yet.
DO $$ BEGIN
  IF EXISTS (SELECT FROM quotes) THEN ANALYZE quotes (bound_scope); END IF;
END $$;
