-- Money that payment processors report for quotes. Triggers stand in for foreign keys to quotes, which would need the
-- account's number in these tables: few payments are made beside orders.

CREATE TABLE payments (
  payment_id id PRIMARY KEY,
  quote_id id NOT NULL,
  amount_cents bigint NOT NULL,
  currency text NOT NULL
);
CREATE INDEX payments_of_quote ON payments (quote_id);
CREATE TRIGGER payment_has_its_quote AFTER INSERT OR UPDATE OF quote_id ON payments
  FOR EACH ROW EXECUTE FUNCTION lock_quote();
COMMENT ON TABLE payments IS 'Payments by card that were booked.';
COMMENT ON COLUMN payments.payment_id IS 'The processor''s id, the same in every repetition of a notice.';
COMMENT ON COLUMN payments.quote_id IS 'Refers to quotes.quote_id.';
COMMENT ON COLUMN payments.currency IS 'The code as the processor writes it.';

CREATE TABLE payments_set_aside (
  payment_id id PRIMARY KEY,
  quote_id id NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('amount', 'currency', 'session', 'closed')),
  at_ms bigint NOT NULL,
  outcome text CHECK (outcome IN ('refunded', 'credited'))
);
CREATE INDEX payments_set_aside_of_quote ON payments_set_aside (quote_id);
-- Every scrape of the metrics counts the open ones.
CREATE INDEX payments_set_aside_open ON payments_set_aside (currency, amount_cents) WHERE outcome IS NULL;
CREATE TRIGGER payment_has_its_quote AFTER INSERT OR UPDATE OF quote_id ON payments_set_aside
  FOR EACH ROW WHEN (NOT starts_with(NEW.quote_id, 'top_')) EXECUTE FUNCTION lock_quote();
COMMENT ON TABLE payments_set_aside IS 'Payments that could not be booked, for the operator to decide on.';
COMMENT ON COLUMN payments_set_aside.payment_id IS 'The processor''s id.';
COMMENT ON COLUMN payments_set_aside.quote_id IS 'Refers to quotes.quote_id; for the payment of a top-up, its top_up_id.';
COMMENT ON COLUMN payments_set_aside.amount_cents IS 'Hundredths of the currency.';
COMMENT ON COLUMN payments_set_aside.currency IS 'The code as the processor writes it.';
COMMENT ON COLUMN payments_set_aside.reason IS 'What does not fit; "session": the payment fits but was made in another session than the quote''s own, "closed": it would be credit of a closed account.';
COMMENT ON COLUMN payments_set_aside.outcome IS 'Null until the operator has decided; final from then on.';

CREATE TABLE reversals (
  reversal_id id PRIMARY KEY,
  quote_id id NOT NULL,
  kind text NOT NULL CHECK (kind IN ('refund', 'dispute')),
  cents bigint NOT NULL CHECK (cents >= 0),
  state text NOT NULL CHECK (state IN ('open', 'final', 'won')),
  taken_back_cents bigint NOT NULL CHECK (taken_back_cents BETWEEN 0 AND cents),
  at_ms bigint NOT NULL
);
CREATE INDEX reversals_of_quote ON reversals (quote_id);
CREATE TRIGGER reversal_has_its_quote AFTER INSERT OR UPDATE OF quote_id ON reversals
  FOR EACH ROW EXECUTE FUNCTION lock_quote();
COMMENT ON TABLE reversals IS 'Refunds and disputes that the processor reports.';
COMMENT ON COLUMN reversals.reversal_id IS 'The processor''s id of the refunded charge or the dispute.';
COMMENT ON COLUMN reversals.quote_id IS 'Refers to quotes.quote_id.';
COMMENT ON COLUMN reversals.cents IS 'In all: further refunds of a charge raise it.';
COMMENT ON COLUMN reversals.state IS 'A refund is final at once; a dispute is open until it is lost (final) or won.';
COMMENT ON COLUMN reversals.taken_back_cents IS 'Taken back from the account''s credit, which had the money already.';
