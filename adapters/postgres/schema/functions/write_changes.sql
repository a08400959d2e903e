-- Writes the changes of one decision, or of several that touch no common row, all or none.
--
-- A decision was made on rows as they were loaded. Rows that it changes are written only over the version that it saw;
-- rows that it only looked at are compared last, while everything that it changes is locked. Any other version raises
-- serialization_failure. All sessions lock rows in one order: accounts, sites, articles, projects, opportunities, the
-- shop, subscriptions, deliveries, promotions, each by id. Rows without a version belong to an account, whose version
-- guards them.
--
-- New rows are inserted and replace nothing: an existing row means a lost race (unique_violation). Rows are found by their
-- indexes, even under a plan made while a table was almost empty.
CREATE OR REPLACE FUNCTION write_changes(c jsonb)
RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  part jsonb;
BEGIN
  PERFORM write_accounts(c);
  IF c ? 'offer' THEN
    part := c -> 'offer';
    IF part ? 'unsold_sites' THEN PERFORM keep_unsold(part -> 'unsold_sites'); END IF;
    PERFORM write_sites(part);
    PERFORM write_articles(part);
    PERFORM write_projects(part);
    PERFORM write_opportunities(part);
    PERFORM write_shop(part);
    IF part ?| ARRAY['new_sites', 'sites'] THEN
      UPDATE shop SET catalogue = part ->> 'stem' WHERE NOT part ? 'over_catalogue' OR catalogue = part -> 'over_catalogue' ->> 0;
      IF NOT FOUND THEN PERFORM refuse_stale('the catalogue'); END IF;
    END IF;
  END IF;
  IF c ? 'registers' THEN
    part := c -> 'registers';
    PERFORM write_members(part);
    PERFORM write_invitations(part);
    PERFORM write_top_ups(part);
    PERFORM write_keys(part);
    PERFORM write_audit(part);
    IF part ? 'keys' THEN UPDATE shop SET keys = part ->> 'stem'; END IF;
  END IF;

  PERFORM write_tallies(c);
  IF c ? 'text_forms' THEN PERFORM commit_text_forms(c -> 'text_forms'); END IF;
  PERFORM write_quotes(c);
  PERFORM write_payments(c);
  PERFORM write_payments_set_aside(c);
  PERFORM write_reversals(c);
  PERFORM write_top_up_reversals(c);
  PERFORM write_links(c);
  PERFORM write_ledger(c);
  PERFORM write_events(c);

  IF c ? 'webhooks' THEN PERFORM write_webhooks(c -> 'webhooks'); END IF;

  -- Counts come before shares: a transaction that shares a row's lock never asks for all of it.
  IF c ?| ARRAY['new_promos', 'promos'] THEN PERFORM redefine_promos(c); END IF;
  IF c ? 'promo_counts' THEN PERFORM count_promo_uses(c -> 'promo_counts'); END IF;
  IF c ? 'used_promos' THEN PERFORM share_promos(c -> 'used_promos'); END IF;

  IF c ? 'new_welcome_uses' THEN PERFORM take_welcome_uses(c); END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
