-- What the operator plane asks for: deposits that are booked once, and looking on while things happen.

-- The payer's own word for a top-up that may be told again.
ALTER TABLE ledger ADD COLUMN reference id;
ALTER TABLE ledger ADD CONSTRAINT reference_is_of_a_top_up CHECK (reference IS NULL OR kind = 'top_up');
CREATE UNIQUE INDEX topped_up_once ON ledger (account_id, reference) WHERE reference IS NOT NULL;

-- Credit that comes in; what quotes hold and spend is as many times more, and nobody looks on at it.
CREATE INDEX ledger_credited ON ledger (entry_id) WHERE kind IN ('top_up', 'late_payment', 'recredit');

-- When a quote was given up: nothing else tells.
ALTER TABLE quotes ADD COLUMN abandoned_at_ms bigint;
CREATE INDEX quotes_abandoned ON quotes (abandoned_at_ms, quote_id) WHERE abandoned_at_ms IS NOT NULL;

CREATE FUNCTION note_abandonment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.abandoned_at_ms = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER abandonment_is_noted BEFORE UPDATE ON quotes
  FOR EACH ROW WHEN (NEW.status = 'abandoned' AND OLD.status <> 'abandoned') EXECUTE FUNCTION note_abandonment();
