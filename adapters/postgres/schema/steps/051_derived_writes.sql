-- Rows are written by functions that are made from their tables, and an update may name any column.

-- Every column of an account may be in an update.
DROP TRIGGER account_takes_email ON accounts;
CREATE TRIGGER account_takes_email AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION take_email();
CREATE TRIGGER account_changes_email AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (OLD.email <> NEW.email) EXECUTE FUNCTION take_email();

-- The functions that older instances write by stay until the next release. This one is as step 049 had it: that of step 048 writes a ledger
-- that is no longer there.
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

-- Who opens an account writes its first owner.
DROP TRIGGER account_with_owner ON accounts;
DROP FUNCTION add_first_owner;
