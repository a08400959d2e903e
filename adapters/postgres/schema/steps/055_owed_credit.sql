-- What an account owes of refunded and disputed top-ups, what an owner always allows a key, and payments of top-ups that are set aside.

-- In the order in which sessions write: instances of the version before wait.
LOCK TABLE accounts;

ALTER TABLE accounts ADD COLUMN owed_cents bigint;
ALTER TABLE accounts ADD CONSTRAINT owed_is_positive CHECK (owed_cents > 0);
ALTER TABLE keys ADD COLUMN always_allow jsonb;
ALTER TABLE top_ups ADD COLUMN reversed_cents bigint;
ALTER TABLE top_ups ADD CONSTRAINT reversed_is_positive CHECK (reversed_cents > 0);

CREATE TABLE top_up_reversals (
  reversal_id id PRIMARY KEY,
  top_up_id id NOT NULL REFERENCES top_ups,
  charge_id id NOT NULL,
  kind text NOT NULL CHECK (kind IN ('refund', 'dispute')),
  cents bigint NOT NULL CHECK (cents >= 0),
  state text NOT NULL CHECK (state IN ('open', 'final', 'won')),
  at_ms bigint NOT NULL
);
CREATE INDEX top_up_reversals_of_top_up ON top_up_reversals (top_up_id);

-- A payment of a top-up may be set aside, too.
DROP TRIGGER payment_has_its_quote ON payments_set_aside;
CREATE TRIGGER payment_has_its_quote AFTER INSERT OR UPDATE OF quote_id ON payments_set_aside
  FOR EACH ROW WHEN (NOT starts_with(NEW.quote_id, 'top_')) EXECUTE FUNCTION lock_quote();
ALTER TABLE payments_set_aside DROP CONSTRAINT payments_set_aside_reason_check;
ALTER TABLE payments_set_aside ADD CONSTRAINT payments_set_aside_reason_check
  CHECK (reason IN ('amount', 'currency', 'session', 'closed'));

ALTER TABLE ledger DROP CONSTRAINT ledger_kind_check, DROP CONSTRAINT reference_is_of_a_top_up;
ALTER TABLE ledger
  ADD CONSTRAINT ledger_kind_check CHECK (
    kind IN ('top_up', 'late_payment', 'recredit', 'adjustment', 'adjustment_reversed', 'hold', 'release', 'capture')
  ),
  ADD CONSTRAINT reference_is_of_a_top_up
    CHECK (reference IS NULL OR kind IN ('top_up', 'adjustment', 'adjustment_reversed'));
DROP INDEX ledger_credited;
CREATE INDEX ledger_credited ON ledger (entry_id)
  WHERE kind IN ('top_up', 'late_payment', 'recredit', 'adjustment', 'adjustment_reversed');
