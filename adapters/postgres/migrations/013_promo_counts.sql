-- Uses of a limited promotion are added to its count instead of replacing a version that the decision saw: so only the last uses
-- conflict. The version changes with the definition alone.

-- One row for each decision, or several decisions together: what it adds to `redeemed`, how many uses it takes that were not reserved,
-- and the time for which it was decided. The rows are locked by a statement of its own, so that the next one sees all earlier uses.
CREATE FUNCTION count_promo_uses(counts jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM promos WHERE code IN (SELECT u.code FROM jsonb_to_recordset(counts) AS u (code id))
  ORDER BY code FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM (
      SELECT code, sum(taken) AS taken, min(now_ms) AS now_ms
      FROM jsonb_to_recordset(counts) AS one (code id, taken bigint, now_ms bigint) GROUP BY code
    ) u JOIN promos p ON p.code = u.code
    WHERE u.taken > 0 AND p.max_redemptions < p.redeemed + u.taken + (
      SELECT count(*) FROM promo_uses open WHERE open.code = u.code AND open.until_ms > u.now_ms
    )
  ) THEN PERFORM refuse_stale('a promotion'); END IF;
  UPDATE promos p SET redeemed = p.redeemed + u.spent
  FROM (
    SELECT code, sum(spent)::bigint AS spent FROM jsonb_to_recordset(counts) AS one (code id, spent bigint) GROUP BY code
  ) u
  WHERE p.code = u.code AND u.spent <> 0;
END $$;

CREATE OR REPLACE FUNCTION commit_changes(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
BEGIN
  IF c ? 'accounts' THEN
    INSERT INTO accounts SELECT * FROM accounts_of(c -> 'accounts') ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET
      version = EXCLUDED.version, previous = EXCLUDED.previous, balance_cents = EXCLUDED.balance_cents,
      held_cents = EXCLUDED.held_cents, welcome_state = EXCLUDED.welcome_state,
      welcome_quote_id = EXCLUDED.welcome_quote_id, welcome_until_ms = EXCLUDED.welcome_until_ms
    WHERE accounts.version = EXCLUDED.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'accounts') THEN PERFORM refuse_stale('an account'); END IF;
  END IF;
  IF c ? 'promos' THEN PERFORM commit_promos(c); END IF;
  IF c ? 'promo_counts' THEN PERFORM count_promo_uses(c -> 'promo_counts'); END IF;
  IF c ? 'offer' THEN PERFORM commit_offer(c -> 'offer'); END IF;
  IF c ? 'registers' THEN PERFORM commit_registers(c -> 'registers'); END IF;

  IF c ? 'tallies' THEN
    INSERT INTO tallies SELECT * FROM tallies_of(c -> 'tallies')
    ON CONFLICT (key_id, day) DO UPDATE SET quotes = EXCLUDED.quotes, spent_cents = EXCLUDED.spent_cents;
  END IF;
  IF c ? 'new_quotes' THEN
    INSERT INTO quotes SELECT * FROM quotes_of(c -> 'new_quotes');
  END IF;
  IF c ? 'progress' THEN PERFORM commit_progress(c -> 'progress'); END IF;
  -- Where there can be no earlier row it is not looked for: that costs more than the row.
  IF c ? 'new_promo_uses' THEN
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'new_promo_uses');
  END IF;
  IF c ? 'promo_uses' THEN
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'promo_uses')
    ON CONFLICT (code, account_id, quote_id) DO UPDATE SET until_ms = EXCLUDED.until_ms;
  END IF;
  IF c ? 'new_holds' THEN
    INSERT INTO holds SELECT * FROM holds_of(c -> 'new_holds');
  END IF;
  IF c ? 'new_orders' THEN
    INSERT INTO orders SELECT * FROM orders_of(c -> 'new_orders');
    INSERT INTO links SELECT * FROM links_of(c -> 'new_links');
  END IF;
  IF c ? 'ledger' THEN
    INSERT INTO ledger SELECT * FROM ledger_of(c -> 'ledger');
  END IF;
  IF c ? 'new_bindings' THEN
    INSERT INTO bindings SELECT * FROM bindings_of(c -> 'new_bindings');
  END IF;
  IF c ? 'events' THEN
    INSERT INTO events SELECT * FROM events_of(c -> 'events');
  END IF;

  IF c ? 'webhooks' THEN PERFORM commit_deliveries(c -> 'webhooks'); END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
