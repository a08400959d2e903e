-- For which target domains accounts have the welcome offer, or had it: a self-opened account gets it only where no other account did.

CREATE TABLE welcome_uses (
  -- As in `links`, but without "www." before a domain.
  host_path id NOT NULL,
  account_id id NOT NULL,
  quote_id id NOT NULL,
  -- Reserved until then; null once an order has spent it, 0 once it was given back.
  until_ms bigint,
  PRIMARY KEY (host_path, account_id)
);
CREATE INDEX welcome_uses_of_account ON welcome_uses (account_id);
SELECT define_rows_of('welcome_uses');

CREATE FUNCTION welcome_path(host_path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(host_path, '^(.+\..+\.)www\.$', '\1')
$$;

-- The two largest parts of a host: uses of one domain, subdomains included, have them in common.
CREATE FUNCTION welcome_root(host_path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT split_part(host_path, '.', 1) || '.' || split_part(host_path, '.', 2) || '.'
$$;

-- The uses of a domain, which may have subdomains, by any account. '/' follows '.' in the collation "C".
CREATE FUNCTION welcome_uses_for(path text) RETURNS SETOF welcome_uses LANGUAGE sql STABLE AS $$
  SELECT w.* FROM welcome_uses w
  WHERE w.host_path >= welcome_root(path) AND w.host_path < left(welcome_root(path), -1) || '/'
    AND (starts_with(w.host_path, path) OR starts_with(path, w.host_path))
$$;

-- `taken` are uses of self-opened accounts that were not reserved before, and the time for which they were decided. A transaction that takes
-- a domain waits for the others that do, and then sees what they have written.
CREATE FUNCTION commit_welcome_uses(uses jsonb, taken jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('welcome ' || root, 0)) FROM (
    SELECT DISTINCT welcome_root(t.host_path) AS root FROM jsonb_to_recordset(taken) AS t (host_path id) ORDER BY 1
  ) roots;
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(taken) AS t (host_path id, account_id id, now_ms bigint)
    CROSS JOIN LATERAL welcome_uses_for(t.host_path) w
    WHERE w.account_id <> t.account_id AND (w.until_ms IS NULL OR w.until_ms > t.now_ms)
  ) THEN PERFORM refuse_stale('the welcome offer'); END IF;
  INSERT INTO welcome_uses SELECT * FROM welcome_uses_of(uses) ORDER BY host_path, account_id
  ON CONFLICT (host_path, account_id) DO UPDATE SET quote_id = EXCLUDED.quote_id, until_ms = EXCLUDED.until_ms;
END $$;

-- Of the quotes that are there: those that have the offer, by the hosts that their links go to.
INSERT INTO welcome_uses
SELECT DISTINCT ON (path, u.account_id) path, u.account_id, u.quote_id, u.until_ms
FROM (
  SELECT welcome_path(l.host_path) AS path, q.account_id, q.quote_id, NULL::bigint AS until_ms
  FROM quotes q JOIN links l ON l.quote_id = q.quote_id
  WHERE q.mode = 'live' AND q.status = 'paid' AND q.discount ->> 'source' = 'welcome'
  UNION ALL
  SELECT welcome_path((
      SELECT string_agg(part || '.', '' ORDER BY place DESC)
      FROM regexp_split_to_table(lower(substring(line -> 'item' ->> 'targetUrl' FROM '^[^:]+://([^/:?#]+)')), '\.')
        WITH ORDINALITY AS parts (part, place)
    )), q.account_id, q.quote_id, q.expires_at_ms
  FROM quotes q CROSS JOIN LATERAL jsonb_array_elements(q.lines) line
  WHERE q.mode = 'live' AND q.status = 'awaiting_payment' AND q.discount ->> 'source' = 'welcome'
) u
WHERE path IS NOT NULL
ORDER BY path, u.account_id, u.until_ms DESC NULLS FIRST;

-- Accounts that have paid before this was recorded.
UPDATE accounts a SET paid_at_ms = p.at_ms
FROM (SELECT account_id, min(at_ms) AS at_ms FROM (
  SELECT l.account_id, l.at_ms FROM ledger l WHERE l.kind IN ('top_up', 'late_payment')
  UNION ALL
  SELECT o.account_id, o.created_at_ms FROM payments y JOIN orders o ON o.quote_id = y.quote_id WHERE o.mode = 'live'
) paid GROUP BY account_id) p
WHERE p.account_id = a.account_id AND a.self_opened AND a.paid_at_ms IS NULL;

-- As before, and with the uses of the welcome offer.
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

  -- The uses after the count: a transaction that has only a share of a row's lock does not ask for more of it.
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

  IF c ? 'welcome_uses' THEN PERFORM commit_welcome_uses(c -> 'welcome_uses', coalesce(c -> 'welcome_taken', '[]')); END IF;

  PERFORM compare_seen(c -> 'seen');
END $$;
