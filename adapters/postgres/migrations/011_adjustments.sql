-- Movements that lower a balance: a mistyped deposit, or money that the payment processor gave back.

ALTER TABLE ledger DROP CONSTRAINT ledger_kind_check, DROP CONSTRAINT deltas_fit_the_kind,
  DROP CONSTRAINT reference_is_of_a_top_up;
ALTER TABLE ledger
  ADD CONSTRAINT ledger_kind_check
    CHECK (kind IN ('top_up', 'late_payment', 'recredit', 'adjustment', 'hold', 'release', 'capture')),
  ADD CONSTRAINT deltas_fit_the_kind CHECK (
    balance_delta_cents = amount_cents * CASE kind
      WHEN 'capture' THEN -1 WHEN 'adjustment' THEN -1 WHEN 'hold' THEN 0 WHEN 'release' THEN 0 ELSE 1 END
    AND held_delta_cents = amount_cents * CASE kind WHEN 'hold' THEN 1 WHEN 'release' THEN -1 WHEN 'capture' THEN -1 ELSE 0 END
  ),
  ADD CONSTRAINT reference_is_of_a_top_up CHECK (
    reference IS NULL OR kind IN ('top_up', 'adjustment')
  );

-- The adjustment of a deposit may name the reference of that deposit.
DROP INDEX topped_up_once;
CREATE UNIQUE INDEX topped_up_once ON ledger (account_id, reference, kind) WHERE reference IS NOT NULL;

DROP INDEX ledger_credited;
CREATE INDEX ledger_credited ON ledger (entry_id) WHERE kind IN ('top_up', 'late_payment', 'recredit', 'adjustment');
