-- Writes the changes of one decision, or of several that touch no common row, all or none.
--
-- A decision was made on rows as they were loaded. Rows that it changes are written only over the version that it saw;
-- rows that it only looked at are compared last, while everything that it changes is locked. Any other version raises
-- serialization_failure. All sessions lock rows in one order: accounts, sites, articles, projects, opportunities, the
-- shop, subscriptions, deliveries, promotions, each by id.
--
-- New rows are inserted and replace nothing: an existing row means a lost race (unique_violation).
CREATE OR REPLACE FUNCTION commit_changes(c jsonb)
RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
  -- Only an instance of an earlier version sends these.
  IF c ?| ARRAY['new_bindings', 'new_holds', 'new_orders', 'new_promo_uses', 'promo_uses', 'new_quotes'] THEN
    PERFORM refuse_stale('the schema');
  END IF;
  IF c ? 'accounts' THEN PERFORM commit_accounts(c -> 'accounts'); END IF;
  IF c ? 'offer' THEN PERFORM commit_offer(c -> 'offer'); END IF;
  IF c ? 'registers' THEN PERFORM commit_registers(c -> 'registers'); END IF;

  IF c ? 'tallies' THEN PERFORM commit_tallies(c -> 'tallies'); END IF;
  IF c ? 'text_forms' THEN PERFORM commit_text_forms(c -> 'text_forms'); END IF;
  IF c ? 'placed_quotes' THEN
    INSERT INTO quotes SELECT * FROM quotes_of(c -> 'placed_quotes');
  END IF;
  IF c ? 'progress' THEN PERFORM commit_progress(c -> 'progress'); END IF;
  IF c ? 'new_links' THEN
    INSERT INTO links SELECT * FROM links_of(c -> 'new_links');
  END IF;
  IF c ? 'ledger' THEN
    -- Only an instance of before step 049 sends an order that credit covers as one encoded row.
    IF c -> 'ledger' @? '$[*][2] ? (@ == "settlement")' THEN PERFORM refuse_stale('the schema'); END IF;
    INSERT INTO ledger SELECT * FROM ledger_of(c -> 'ledger');
  END IF;
  IF c ? 'events' THEN
    INSERT INTO events SELECT * FROM events_of(c -> 'events');
  END IF;

  IF c ? 'webhooks' THEN PERFORM commit_deliveries(c -> 'webhooks'); END IF;

  -- Counts come before shares: a transaction that shares a row's lock never asks for all of it.
  IF c ? 'promos' THEN PERFORM commit_promos(c); END IF;
  IF c ? 'promo_counts' THEN PERFORM count_promo_uses(c -> 'promo_counts'); END IF;
  IF c ? 'used_promos' THEN PERFORM share_promos(c -> 'used_promos'); END IF;

  IF c ? 'welcome_uses' THEN PERFORM commit_welcome_uses(c -> 'welcome_uses', coalesce(c -> 'welcome_taken', '[]')); END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
