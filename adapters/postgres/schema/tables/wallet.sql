-- The movements of credit, and the top-ups that members pay. The balances are in `accounts`.

CREATE TABLE ledger (
  account_no integer NOT NULL,
  entry_id id NOT NULL,
  kind text NOT NULL CONSTRAINT ledger_kind_check
    CHECK (kind IN ('top_up', 'late_payment', 'recredit', 'adjustment', 'adjustment_reversed', 'hold', 'release', 'capture')),
  amount_cents bigint NOT NULL CONSTRAINT ledger_amount_cents_check CHECK (amount_cents > 0),
  balance_delta_cents bigint NOT NULL,
  held_delta_cents bigint NOT NULL,
  balance_after_cents bigint NOT NULL,
  held_after_cents bigint NOT NULL,
  quote_id id,
  order_id id,
  link_id id,
  hold_id id,
  at_ms bigint NOT NULL,
  reference id,
  CONSTRAINT ledger_pkey PRIMARY KEY (account_no, entry_id),
  CONSTRAINT wallet_was_sound CHECK (0 <= held_after_cents AND held_after_cents <= balance_after_cents),
  CONSTRAINT deltas_fit_the_kind CHECK (
    balance_delta_cents = amount_cents
      * CASE kind WHEN 'capture' THEN -1 WHEN 'adjustment' THEN -1 WHEN 'hold' THEN 0 WHEN 'release' THEN 0 ELSE 1 END
    AND held_delta_cents = amount_cents * CASE WHEN hold_id IS NULL THEN 0 WHEN kind = 'hold' THEN 1 ELSE -1 END
  ),
  -- A capture may spend free credit: then no hold ends by it.
  CONSTRAINT hold_is_named CHECK (
    CASE WHEN kind IN ('hold', 'release') THEN hold_id IS NOT NULL ELSE hold_id IS NULL OR kind = 'capture' END
  ),
  CONSTRAINT recredit_names_its_link CHECK ((link_id IS NOT NULL) = (kind = 'recredit')),
  CONSTRAINT reference_is_of_a_top_up CHECK (reference IS NULL OR kind IN ('top_up', 'adjustment', 'adjustment_reversed'))
);
CREATE UNIQUE INDEX topped_up_once ON ledger (account_no, reference, kind) WHERE reference IS NOT NULL;
CREATE UNIQUE INDEX hold_begins_once ON ledger (hold_id, account_no) WHERE kind = 'hold';
CREATE UNIQUE INDEX hold_ends_once ON ledger (hold_id, account_no) WHERE kind IN ('release', 'capture');
CREATE UNIQUE INDEX recredit_once ON ledger (link_id, account_no) WHERE kind = 'recredit';
-- Credit that comes in and goes back. Quotes hold and spend many times as often, and no list shows that.
CREATE INDEX ledger_credited ON ledger (entry_id)
  WHERE kind IN ('top_up', 'late_payment', 'recredit', 'adjustment', 'adjustment_reversed');
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON ledger
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER ledger_is_never_emptied BEFORE TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
COMMENT ON TABLE ledger IS 'The movements of credit, an entry a row. Append-only. An order that credit covered at once is one capture; before step 049 it was a hold and a capture.';
COMMENT ON COLUMN ledger.account_no IS 'Refers to accounts.account_no.';
COMMENT ON COLUMN ledger.balance_delta_cents IS 'The effect on the balance, signed.';
COMMENT ON COLUMN ledger.held_delta_cents IS 'The effect on the held credit, signed; 0 for a capture of free credit.';
COMMENT ON COLUMN ledger.balance_after_cents IS 'The balance after this movement.';
COMMENT ON COLUMN ledger.held_after_cents IS 'The held credit after this movement.';
COMMENT ON COLUMN ledger.quote_id IS 'Refers to quotes.quote_id; null if the movement is about no quote.';
COMMENT ON COLUMN ledger.order_id IS 'Refers to quotes.order_id; null if the movement is about no order.';
COMMENT ON COLUMN ledger.link_id IS 'Refers to links.link_id: the cancelled link of a recredit, null on other kinds.';
COMMENT ON COLUMN ledger.hold_id IS 'The hold that the entry begins or ends; null on a capture of free credit and on other kinds.';
COMMENT ON COLUMN ledger.reference IS 'The payer''s reference of a top-up, or the cause of an adjustment or its reversal, each of which may be reported again; null on others.';

CREATE TABLE top_ups (
  top_up_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  member_id id NOT NULL REFERENCES members,
  cents bigint NOT NULL CHECK (cents > 0),
  status text NOT NULL CHECK (status IN ('open', 'paid', 'ended')),
  payment_token id NOT NULL UNIQUE,
  session_id id,
  payment_url text,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  payment_id id,
  reversed_cents bigint CONSTRAINT reversed_is_positive CHECK (reversed_cents > 0),
  CONSTRAINT session_is_whole CHECK ((session_id IS NULL) = (payment_url IS NULL))
);
CREATE INDEX top_ups_of_account ON top_ups (account_id, top_up_id);
CREATE INDEX top_ups_by_expiry ON top_ups (status, expires_at_ms, top_up_id);
CREATE UNIQUE INDEX top_ups_by_payment ON top_ups (payment_id) WHERE payment_id IS NOT NULL;
COMMENT ON TABLE top_ups IS 'Top-ups that members pay through the processor.';
COMMENT ON COLUMN top_ups.member_id IS 'Who asked for it.';
COMMENT ON COLUMN top_ups.status IS '"ended": the payment session ended unpaid.';
COMMENT ON COLUMN top_ups.payment_token IS 'Opens the page of the simulated processor.';
COMMENT ON COLUMN top_ups.session_id IS 'The payment session''s id at the processor; null until it is opened.';
COMMENT ON COLUMN top_ups.payment_url IS 'Null until the payment session is opened.';
COMMENT ON COLUMN top_ups.payment_id IS 'The processor''s id of the payment, which is the reference of the ledger entry; null until it is paid.';
COMMENT ON COLUMN top_ups.reversed_cents IS 'What refunds and disputes took of it, from credit or as a debt of the account; null if nothing.';

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
COMMENT ON TABLE top_up_reversals IS 'Refunds and disputes of top-ups that the processor reports.';
COMMENT ON COLUMN top_up_reversals.reversal_id IS 'The processor''s id of the refunded charge or the dispute.';
COMMENT ON COLUMN top_up_reversals.charge_id IS 'The processor''s id of the charge: its refunds and its dispute take back no more than it brought.';
COMMENT ON COLUMN top_up_reversals.cents IS 'In all: further refunds of a charge raise it.';
COMMENT ON COLUMN top_up_reversals.state IS 'A refund is final at once; a dispute is open until it is lost (final) or won.';
