-- The ledger becomes a table with an entry a row. An order that credit paid at once had one encoded row, a "settlement", which the view
-- `ledger` showed as two entries, its hold and its capture. Each is written out as these two, with the ids, amounts and order that the view
-- shows, and compared with the view row by row. A new order of this kind is one entry, a capture without a hold.

-- Instances of the version before still write: they wait until the step is done, and what they wrote before is copied.
LOCK TABLE ledger_rows IN SHARE ROW EXCLUSIVE MODE;
ALTER VIEW ledger RENAME TO shown_ledger;

CREATE TABLE ledger (
  account_no integer NOT NULL,
  entry_id id NOT NULL,
  kind text NOT NULL CONSTRAINT ledger_kind_check
    CHECK (kind IN ('top_up', 'late_payment', 'recredit', 'adjustment', 'hold', 'release', 'capture')),
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
  CONSTRAINT wallet_was_sound CHECK (0 <= held_after_cents AND held_after_cents <= balance_after_cents),
  CONSTRAINT deltas_fit_the_kind CHECK (
    balance_delta_cents = amount_cents
      * CASE kind WHEN 'capture' THEN -1 WHEN 'adjustment' THEN -1 WHEN 'hold' THEN 0 WHEN 'release' THEN 0 ELSE 1 END
    AND held_delta_cents = amount_cents
      * CASE WHEN hold_id IS NULL THEN 0 WHEN kind = 'hold' THEN 1 ELSE -1 END
  ),
  CONSTRAINT hold_is_named CHECK (
    CASE WHEN kind IN ('hold', 'release') THEN hold_id IS NOT NULL ELSE hold_id IS NULL OR kind = 'capture' END
  ),
  CONSTRAINT recredit_names_its_link CHECK ((link_id IS NOT NULL) = (kind = 'recredit')),
  CONSTRAINT reference_is_of_a_top_up CHECK (reference IS NULL OR kind IN ('top_up', 'adjustment'))
);

INSERT INTO ledger
SELECT account_no, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents, balance_after_cents, held_after_cents,
  quote_id, order_id, link_id, hold_id, at_ms, reference
FROM shown_ledger ORDER BY account_no, entry_id;

DO $$
DECLARE
  other text;
BEGIN
  SELECT entry_id INTO other FROM (
    SELECT account_no, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents, balance_after_cents, held_after_cents,
      quote_id, order_id::id, link_id::id, hold_id, at_ms, reference::id
    FROM shown_ledger
  ) shown FULL JOIN ledger USING (account_no, entry_id) WHERE shown IS DISTINCT FROM ledger LIMIT 1;
  IF other IS NOT NULL THEN
    RAISE EXCEPTION 'entry % of the ledger would differ from what was shown before', other USING ERRCODE = 'check_violation';
  END IF;
END $$;

DROP VIEW holds, shown_ledger;
DROP FUNCTION ledger_rows_of;
DROP TABLE ledger_rows;

ALTER TABLE ledger ADD CONSTRAINT ledger_pkey PRIMARY KEY (account_no, entry_id);
CREATE UNIQUE INDEX topped_up_once ON ledger (account_no, reference, kind) WHERE reference IS NOT NULL;
CREATE UNIQUE INDEX hold_begins_once ON ledger (hold_id, account_no) WHERE kind = 'hold';
CREATE UNIQUE INDEX hold_ends_once ON ledger (hold_id, account_no) WHERE kind IN ('release', 'capture');
CREATE UNIQUE INDEX recredit_once ON ledger (link_id, account_no) WHERE kind = 'recredit';
CREATE INDEX ledger_credited ON ledger (entry_id) WHERE kind IN ('top_up', 'late_payment', 'recredit', 'adjustment');
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON ledger
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER ledger_is_never_emptied BEFORE TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

DO $$ BEGIN
  IF EXISTS (SELECT FROM ledger) THEN ANALYZE ledger; END IF;
END $$;
