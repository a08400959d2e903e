-- Promotions are written after everything else, because many orders write the row of a limited one: so each of them holds it for the
-- shortest time. The order for everybody is now: accounts, sites, articles, projects, opportunities, the shop, subscriptions,
-- deliveries, promotions, each by id.
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

  -- The uses after the count: whoever has only a share of a row's lock does not ask for more of it.
  IF c ? 'promos' THEN PERFORM commit_promos(c); END IF;
  IF c ? 'promo_counts' THEN PERFORM count_promo_uses(c -> 'promo_counts'); END IF;
  -- Where there can be no earlier row it is not looked for: that costs more than the row.
  IF c ? 'new_promo_uses' THEN
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'new_promo_uses') ORDER BY code;
  END IF;
  IF c ? 'promo_uses' THEN
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'promo_uses') ORDER BY code
    ON CONFLICT (code, account_id, quote_id) DO UPDATE SET until_ms = EXCLUDED.until_ms;
  END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;

CREATE OR REPLACE FUNCTION lock_rows(account_ids text[], codes text[], article_ids bigint[], webhook_ids text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM accounts WHERE account_id = ANY (account_ids) ORDER BY account_id FOR NO KEY UPDATE;
  PERFORM FROM articles WHERE article_id = ANY (article_ids) ORDER BY article_id FOR NO KEY UPDATE;
  PERFORM FROM subscriptions WHERE webhook_id = ANY (webhook_ids) ORDER BY webhook_id FOR NO KEY UPDATE;
  PERFORM FROM promos WHERE code = ANY (codes) ORDER BY code FOR NO KEY UPDATE;
END $$;
