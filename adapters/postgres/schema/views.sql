-- What a quote's row holds, as the tables that the domain speaks of.

-- Two parts, each with an index: an instance from before step 056 looks here for the keys of credentials while it drains.
CREATE OR REPLACE VIEW bindings AS
SELECT key_id, idempotency_key, fingerprint, quote_id, answer_status,
  stored_text(answer_body, quote_id) COLLATE "default" AS answer_body, created_at_ms AS bound_at_ms, answer_freed_at_ms
FROM quotes WHERE idempotency_key IS NOT NULL AND bound_scope IS NULL
UNION ALL
SELECT key_id, idempotency_key, fingerprint, quote_id, answer_status,
  stored_text(answer_body, quote_id) COLLATE "default" AS answer_body, created_at_ms AS bound_at_ms, answer_freed_at_ms
FROM quotes WHERE bound_scope IS NOT NULL;
COMMENT ON VIEW bindings IS 'Idempotency keys with the quotes and stored answers that they stand for.';

CREATE OR REPLACE VIEW orders AS
SELECT q.order_id, q.quote_id, q.account_no, q.key_id, q.mode,
  ARRAY(SELECT l.link_id::text FROM links l WHERE l.order_id = q.order_id ORDER BY l.index) AS link_ids,
  q.total_cents, q.ordered_at_ms AS created_at_ms, q.order_status AS status,
  q.member_id,
  q.reference
FROM quotes q WHERE q.order_id IS NOT NULL;
COMMENT ON VIEW orders IS 'Orders: quotes that were paid.';

CREATE OR REPLACE VIEW quote_holds AS
SELECT hold_id, account_no, quote_id, credit_cents AS cents,
  CASE status WHEN 'paid' THEN 'captured' WHEN 'abandoned' THEN 'released' ELSE 'open' END AS state, expires_at_ms,
  status AS quote_status
FROM quotes WHERE hold_id IS NOT NULL;
COMMENT ON VIEW quote_holds IS 'The hold that each quote names, which ends with the quote.';

CREATE OR REPLACE VIEW holds AS
SELECT hold_id, account_no, quote_id, cents, state, expires_at_ms FROM quote_holds
UNION ALL
SELECT e.hold_id, e.account_no, e.quote_id, e.amount_cents, 'released', q.expires_at_ms
FROM ledger e JOIN quotes q ON q.quote_id = e.quote_id WHERE e.kind = 'release' AND e.hold_id IS DISTINCT FROM q.hold_id;
COMMENT ON VIEW holds IS 'All holds: those of quotes, and earlier ones that were released before the expired quote was paid after all.';

CREATE OR REPLACE VIEW ledger_rows AS
SELECT account_no, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents, balance_after_cents, held_after_cents,
  quote_id, order_id, link_id, hold_id, at_ms, reference, NULL::text AS captured_as
FROM ledger;
COMMENT ON VIEW ledger_rows IS 'What an instance from before step 049 reads while it drains. A step of the next release drops it.';

-- While a payment is under way, the use is reserved until the beginning of the year 9999.
CREATE OR REPLACE VIEW promo_uses AS
SELECT promo_code AS code, quote_id, account_no, NULL::bigint AS until_ms
FROM quotes WHERE promo_code IS NOT NULL AND status = 'paid'
UNION ALL
SELECT promo_code, quote_id, account_no, CASE WHEN payment_pending_at_ms IS NULL THEN expires_at_ms ELSE 253370764800000 END
FROM quotes WHERE promo_code IS NOT NULL AND status IN ('awaiting_payment', 'awaiting_approval');
COMMENT ON VIEW promo_uses IS 'Uses of promotion codes: reserved by open quotes until the time, spent by orders where it is null.';
