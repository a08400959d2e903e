-- Foreign keys were two fifths of what an order cost the database: it looks the same few parents up for every row of every order, and a
-- check that fails shows a fault of the service, never a request's. `reconcile` proves the references that are no longer enforced. Those
-- that stay tie a quote to its key and account, its order to it, and links to their order; and those that orders do not pay for, as events
-- to their order: retention deletes orders of the sandbox, and an event that is written meanwhile has to wait for that and fail.
ALTER TABLE holds DROP CONSTRAINT holds_account_id_fkey;
ALTER TABLE bindings DROP CONSTRAINT bindings_key_id_fkey;
ALTER TABLE ledger DROP CONSTRAINT ledger_account_id_fkey, DROP CONSTRAINT ledger_hold_id_fkey;
ALTER TABLE links
  DROP CONSTRAINT links_site_id_fkey, DROP CONSTRAINT links_article_id_fkey,
  DROP CONSTRAINT links_project_id_fkey, DROP CONSTRAINT links_opportunity_id_fkey;
ALTER TABLE promo_uses DROP CONSTRAINT promo_uses_code_fkey;

-- As the foreign key did, once for all uses of a commit: a code that is described anew waits for those who are using it, and counts
-- them. `uses` are rows of `promo_uses` as JSON arrays, which begin with the code.
CREATE FUNCTION share_promos(uses jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM promos WHERE code IN (SELECT u ->> 0 FROM jsonb_array_elements(uses) u) ORDER BY code FOR KEY SHARE;
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
    PERFORM share_promos(c -> 'new_promo_uses');
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'new_promo_uses');
  END IF;
  IF c ? 'promo_uses' THEN
    PERFORM share_promos(c -> 'promo_uses');
    INSERT INTO promo_uses SELECT * FROM promo_uses_of(c -> 'promo_uses')
    ON CONFLICT (code, account_id, quote_id) DO UPDATE SET until_ms = EXCLUDED.until_ms;
  END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
