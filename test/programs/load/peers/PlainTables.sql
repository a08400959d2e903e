-- The plain normalised tables of the peers: those that the service had up to its step 018, with all foreign keys, in a separate schema.
-- Frozen, so that ratios to the peers can be compared over time, however the service stores its orders.

CREATE SCHEMA plain;
SET search_path = plain;

CREATE DOMAIN id AS text COLLATE "C";

CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TABLE accounts (
  account_id id PRIMARY KEY,
  version id NOT NULL,
  previous id,
  name text NOT NULL,
  email text NOT NULL,
  balance_cents bigint NOT NULL,
  held_cents bigint NOT NULL,
  welcome_state text NOT NULL CHECK (welcome_state IN ('available', 'reserved', 'spent')),
  welcome_quote_id id,
  welcome_until_ms bigint,
  created_at_ms bigint NOT NULL,
  CONSTRAINT wallet_is_sound CHECK (0 <= held_cents AND held_cents <= balance_cents),
  CONSTRAINT welcome_is_whole CHECK (
    (welcome_quote_id IS NOT NULL) = (welcome_state <> 'available')
    AND (welcome_until_ms IS NOT NULL) = (welcome_state = 'reserved')
  )
) WITH (fillfactor = 60);

CREATE TABLE keys (
  key_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  label text NOT NULL,
  scopes text[] NOT NULL,
  hash id NOT NULL,
  prefix text NOT NULL,
  last_four text NOT NULL,
  max_order_cents bigint,
  max_day_cents bigint,
  daily_order_cap bigint,
  allowed_domains text[],
  created_at_ms bigint NOT NULL,
  revoked_at_ms bigint,
  UNIQUE (key_id, account_id)
);
CREATE UNIQUE INDEX keys_by_hash ON keys (hash);
CREATE INDEX keys_of_account ON keys (account_id, key_id);

CREATE TABLE tallies (
  key_id id NOT NULL REFERENCES keys,
  day integer NOT NULL,
  quotes bigint NOT NULL CHECK (quotes >= 0),
  spent_cents bigint NOT NULL CHECK (spent_cents >= 0),
  PRIMARY KEY (key_id, day)
) WITH (fillfactor = 60);

CREATE TABLE sites (
  site_id bigint PRIMARY KEY,
  version id NOT NULL,
  previous id,
  domain text NOT NULL,
  niche_label text NOT NULL,
  language text NOT NULL,
  tf bigint NOT NULL,
  cf bigint NOT NULL,
  rd bigint NOT NULL,
  moz_da bigint NOT NULL,
  ranked_keywords bigint NOT NULL,
  traffic_monthly bigint NOT NULL,
  shelf text NOT NULL,
  link_rel text NOT NULL CHECK (link_rel IN ('dofollow', 'nofollow', 'sponsored')),
  open boolean NOT NULL,
  updated_at_ms bigint NOT NULL,
  price_cents bigint NOT NULL CHECK (price_cents > 0),
  domain_folded id NOT NULL,
  niche_folded id NOT NULL,
  language_folded id NOT NULL
);

CREATE INDEX sites_by_id ON sites (site_id)
  INCLUDE (shelf, language_folded, tf, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_price ON sites (price_cents, site_id)
  INCLUDE (shelf, language_folded, tf, traffic_monthly, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_tf ON sites ((-tf), site_id)
  INCLUDE (tf, shelf, language_folded, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_traffic ON sites ((-traffic_monthly), site_id)
  INCLUDE (traffic_monthly, shelf, language_folded, tf, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_id ON sites (shelf, site_id)
  INCLUDE (language_folded, tf, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_price ON sites (shelf, price_cents, site_id)
  INCLUDE (language_folded, tf, traffic_monthly, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_tf ON sites (shelf, (-tf), site_id)
  INCLUDE (tf, language_folded, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_traffic ON sites (shelf, (-traffic_monthly), site_id)
  INCLUDE (traffic_monthly, language_folded, tf, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_niche ON sites (niche_folded, language_folded, tf DESC, traffic_monthly DESC, site_id) WHERE open;

CREATE TABLE articles (
  article_id bigint PRIMARY KEY,
  version id NOT NULL,
  previous id,
  site_id bigint NOT NULL REFERENCES sites,
  title text NOT NULL,
  url text NOT NULL,
  published_at_ms bigint NOT NULL,
  keywords jsonb NOT NULL,
  price_cents bigint,
  sale_state text NOT NULL CHECK (sale_state IN ('free', 'reserved', 'sold')),
  sale_quote_id id,
  sale_until_ms bigint,
  CONSTRAINT sale_is_whole CHECK (
    (sale_quote_id IS NOT NULL) = (sale_state <> 'free')
    AND (sale_until_ms IS NOT NULL) = (sale_state = 'reserved')
  )
);
CREATE INDEX articles_unsold ON articles (site_id, article_id) WHERE sale_state <> 'sold';

CREATE TABLE promos (
  code id PRIMARY KEY,
  version id NOT NULL,
  previous id,
  reduction_kind text NOT NULL CHECK (reduction_kind IN ('percent', 'fixed')),
  reduction_value bigint NOT NULL CHECK (reduction_value >= 0),
  minimum_cents bigint,
  starts_at_ms bigint,
  ends_at_ms bigint,
  max_redemptions bigint,
  once_per_account boolean NOT NULL,
  redeemed bigint NOT NULL CHECK (redeemed >= 0)
);

CREATE TABLE projects (
  project_id id PRIMARY KEY,
  version id NOT NULL,
  previous id,
  account_id id NOT NULL REFERENCES accounts,
  name text NOT NULL,
  domain text NOT NULL,
  language text NOT NULL,
  updated_at_ms bigint NOT NULL
);
CREATE INDEX projects_of_account ON projects (account_id, project_id);

CREATE TABLE opportunities (
  opportunity_id id PRIMARY KEY,
  version id NOT NULL,
  previous id,
  project_id id NOT NULL REFERENCES projects,
  prompt text NOT NULL,
  engine text NOT NULL,
  niche text NOT NULL,
  target_url text NOT NULL,
  anchor_text text NOT NULL,
  position bigint NOT NULL
);
CREATE INDEX opportunities_of_project ON opportunities (project_id, position, opportunity_id);

CREATE TABLE quotes (
  quote_id id PRIMARY KEY,
  account_id id NOT NULL,
  key_id id NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  lines jsonb NOT NULL,
  items_digest id NOT NULL,
  gross_cents bigint NOT NULL,
  discount jsonb NOT NULL,
  total_cents bigint NOT NULL,
  credit_cents bigint NOT NULL,
  card_cents bigint NOT NULL,
  hold_id id,
  warnings jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('awaiting_payment', 'paid', 'abandoned')),
  abandoned_by text CHECK (abandoned_by IN ('human', 'agent', 'expiry')),
  order_id id,
  credited_cents bigint NOT NULL CHECK (credited_cents >= 0),
  idempotency_key id,
  bound_scope text NOT NULL DEFAULT 'account',
  payment_token id NOT NULL,
  payment_url text,
  session_id id,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  FOREIGN KEY (key_id, account_id) REFERENCES keys (key_id, account_id),
  CONSTRAINT purses_pay_the_total CHECK (credit_cents >= 0 AND card_cents >= 0 AND credit_cents + card_cents = total_cents),
  CONSTRAINT paid_means_ordered CHECK ((status = 'paid') = (order_id IS NOT NULL)),
  CONSTRAINT abandoned_by_somebody CHECK ((status = 'abandoned') = (abandoned_by IS NOT NULL))
);
CREATE UNIQUE INDEX quotes_by_token ON quotes (payment_token);
CREATE UNIQUE INDEX quotes_by_session ON quotes (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX quotes_due ON quotes (expires_at_ms, quote_id) WHERE status = 'awaiting_payment';
CREATE INDEX quotes_due_of_account ON quotes (account_id, expires_at_ms, quote_id) WHERE status = 'awaiting_payment';
CREATE INDEX quotes_without_session ON quotes (created_at_ms, quote_id)
  WHERE status = 'awaiting_payment' AND mode = 'live' AND session_id IS NULL;
CREATE INDEX quotes_alike ON quotes (key_id, items_digest, created_at_ms, quote_id) WHERE status <> 'abandoned';
CREATE UNIQUE INDEX welcome_once ON quotes (account_id)
  WHERE discount ->> 'source' = 'welcome' AND mode = 'live' AND status = 'paid';

CREATE TABLE promo_uses (
  code id NOT NULL REFERENCES promos,
  quote_id id NOT NULL REFERENCES quotes,
  account_id id NOT NULL,
  until_ms bigint,
  PRIMARY KEY (code, account_id, quote_id) INCLUDE (until_ms)
);
CREATE INDEX promo_uses_open ON promo_uses (code, account_id, until_ms) WHERE until_ms IS NOT NULL;

CREATE TABLE holds (
  hold_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  quote_id id NOT NULL REFERENCES quotes,
  cents bigint NOT NULL CHECK (cents > 0),
  state text NOT NULL CHECK (state IN ('open', 'captured', 'released')),
  expires_at_ms bigint NOT NULL
);
CREATE INDEX holds_open ON holds (account_id, expires_at_ms, hold_id) WHERE state = 'open';
CREATE UNIQUE INDEX hold_open_once ON holds (quote_id) WHERE state = 'open';
CREATE UNIQUE INDEX hold_captured_once ON holds (quote_id) WHERE state = 'captured';

CREATE FUNCTION refuse_second_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'open' OR (OLD.account_id, OLD.quote_id, OLD.cents) IS DISTINCT FROM (NEW.account_id, NEW.quote_id, NEW.cents)
  THEN
    RAISE EXCEPTION 'hold % has ended as %', OLD.hold_id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER hold_ends_once BEFORE UPDATE ON holds FOR EACH ROW EXECUTE FUNCTION refuse_second_end();

CREATE TABLE bindings (
  key_id id NOT NULL REFERENCES keys,
  idempotency_key id NOT NULL,
  fingerprint id NOT NULL,
  quote_id id NOT NULL REFERENCES quotes,
  answer_status integer,
  answer_body text,
  bound_at_ms bigint NOT NULL,
  PRIMARY KEY (key_id, idempotency_key),
  CONSTRAINT answer_is_whole CHECK ((answer_status IS NULL) = (answer_body IS NULL))
);

CREATE TABLE orders (
  order_id id PRIMARY KEY,
  quote_id id NOT NULL UNIQUE REFERENCES quotes,
  account_id id NOT NULL,
  key_id id NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  link_ids text[] NOT NULL,
  total_cents bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('paid', 'in_progress', 'completed', 'cancelled'))
);
CREATE INDEX orders_of_key ON orders (key_id, order_id);
CREATE INDEX orders_of_key_by_status ON orders (key_id, status, order_id);

CREATE TABLE links (
  link_id id PRIMARY KEY,
  order_id id NOT NULL REFERENCES orders,
  quote_id id NOT NULL,
  account_id id NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  index integer NOT NULL,
  site_id bigint NOT NULL REFERENCES sites,
  domain text NOT NULL,
  shelf text NOT NULL,
  format text NOT NULL,
  article_id bigint REFERENCES articles,
  target_url text NOT NULL,
  anchor_text text NOT NULL,
  anchor_type text NOT NULL,
  tier2_links integer NOT NULL,
  project_id id REFERENCES projects,
  opportunity_id id REFERENCES opportunities,
  brief text,
  price_cents bigint NOT NULL CHECK (price_cents >= 0),
  net_cents bigint NOT NULL CHECK (net_cents BETWEEN 0 AND price_cents),
  status text NOT NULL CHECK (
    status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved', 'published', 'verified', 'cancelled')
  ),
  status_reason text,
  published_url text,
  published_at_ms bigint,
  history jsonb NOT NULL,
  host_path id NOT NULL,
  days_to_publish double precision,
  turnaround_days integer,
  UNIQUE (order_id, index)
);
CREATE INDEX links_on_site ON links (site_id, days_to_publish) INCLUDE (status)
  WHERE mode = 'live' AND status <> 'cancelled';
CREATE INDEX links_to_host ON links (account_id, host_path, site_id) WHERE mode <> 'sandbox' AND status <> 'cancelled';
CREATE INDEX links_for_opportunity ON links (opportunity_id)
  WHERE opportunity_id IS NOT NULL AND mode = 'live' AND status <> 'cancelled';
CREATE INDEX links_to_work_on ON links (link_id)
  WHERE mode = 'live' AND status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved');
CREATE UNIQUE INDEX article_linked_once ON links (article_id)
  WHERE article_id IS NOT NULL AND mode = 'live' AND status <> 'cancelled';

CREATE TABLE ledger (
  account_id id NOT NULL REFERENCES accounts,
  entry_id id NOT NULL,
  kind text NOT NULL CHECK (kind IN ('top_up', 'late_payment', 'recredit', 'hold', 'release', 'capture')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  balance_delta_cents bigint NOT NULL,
  held_delta_cents bigint NOT NULL,
  balance_after_cents bigint NOT NULL,
  held_after_cents bigint NOT NULL,
  quote_id id REFERENCES quotes,
  order_id id REFERENCES orders,
  link_id id REFERENCES links,
  hold_id id REFERENCES holds,
  at_ms bigint NOT NULL,
  PRIMARY KEY (account_id, entry_id),
  CONSTRAINT wallet_was_sound CHECK (0 <= held_after_cents AND held_after_cents <= balance_after_cents),
  CONSTRAINT deltas_fit_the_kind CHECK (
    balance_delta_cents = amount_cents * CASE kind WHEN 'capture' THEN -1 WHEN 'hold' THEN 0 WHEN 'release' THEN 0 ELSE 1 END
    AND held_delta_cents = amount_cents * CASE WHEN hold_id IS NULL THEN 0 WHEN kind = 'hold' THEN 1 ELSE -1 END
  ),
  CONSTRAINT hold_is_named CHECK (
    CASE WHEN kind IN ('hold', 'release') THEN hold_id IS NOT NULL ELSE hold_id IS NULL OR kind = 'capture' END
  ),
  CONSTRAINT recredit_names_its_link CHECK ((link_id IS NOT NULL) = (kind = 'recredit'))
);
CREATE UNIQUE INDEX hold_begins_once ON ledger (hold_id) WHERE kind = 'hold';
CREATE UNIQUE INDEX hold_ends_once ON ledger (hold_id) WHERE kind IN ('release', 'capture');
CREATE UNIQUE INDEX recredit_once ON ledger (link_id) WHERE kind = 'recredit';
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON ledger
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER ledger_is_never_emptied BEFORE TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

CREATE TABLE events (
  event_id id PRIMARY KEY,
  type text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  key_id id NOT NULL,
  account_id id NOT NULL,
  order_id id NOT NULL REFERENCES orders,
  link_id id,
  body text NOT NULL,
  at_ms bigint NOT NULL
);
CREATE UNIQUE INDEX event_once ON events (order_id, type, (coalesce(link_id, '')));

ALTER TABLE ledger ADD COLUMN reference id;
ALTER TABLE ledger ADD CONSTRAINT reference_is_of_a_top_up CHECK (reference IS NULL OR kind = 'top_up');
CREATE UNIQUE INDEX topped_up_once ON ledger (account_id, reference) WHERE reference IS NOT NULL;

CREATE INDEX ledger_credited ON ledger (entry_id) WHERE kind IN ('top_up', 'late_payment', 'recredit');

ALTER TABLE quotes ADD COLUMN abandoned_at_ms bigint;
CREATE INDEX quotes_abandoned ON quotes (abandoned_at_ms, quote_id) WHERE abandoned_at_ms IS NOT NULL;

CREATE FUNCTION note_abandonment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.abandoned_at_ms = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER abandonment_is_noted BEFORE UPDATE ON quotes
  FOR EACH ROW WHEN (NEW.status = 'abandoned' AND OLD.status <> 'abandoned') EXECUTE FUNCTION note_abandonment();

DROP INDEX quotes_by_token;
CREATE UNIQUE INDEX quotes_by_token ON quotes (payment_token) WHERE card_cents > 0;

DROP INDEX quotes_alike;
CREATE INDEX quotes_alike ON quotes (key_id, left(items_digest, 16), created_at_ms) WHERE status <> 'abandoned';

DROP INDEX quotes_alike;
CREATE INDEX quotes_alike ON quotes ((created_at_ms / 600000), key_id, left(items_digest, 16), created_at_ms)
  WHERE status <> 'abandoned';

DROP INDEX orders_of_key;

ALTER TABLE ledger DROP CONSTRAINT ledger_kind_check, DROP CONSTRAINT deltas_fit_the_kind,
  DROP CONSTRAINT reference_is_of_a_top_up;
ALTER TABLE ledger
  ADD CONSTRAINT ledger_kind_check
    CHECK (kind IN ('top_up', 'late_payment', 'recredit', 'adjustment', 'hold', 'release', 'capture')),
  ADD CONSTRAINT deltas_fit_the_kind CHECK (
    balance_delta_cents = amount_cents * CASE kind
      WHEN 'capture' THEN -1 WHEN 'adjustment' THEN -1 WHEN 'hold' THEN 0 WHEN 'release' THEN 0 ELSE 1 END
    AND held_delta_cents = amount_cents * CASE WHEN hold_id IS NULL THEN 0 WHEN kind = 'hold' THEN 1 ELSE -1 END
  ),
  ADD CONSTRAINT reference_is_of_a_top_up CHECK (
    reference IS NULL OR kind IN ('top_up', 'adjustment')
  );

DROP INDEX topped_up_once;
CREATE UNIQUE INDEX topped_up_once ON ledger (account_id, reference, kind) WHERE reference IS NOT NULL;

DROP INDEX ledger_credited;
CREATE INDEX ledger_credited ON ledger (entry_id) WHERE kind IN ('top_up', 'late_payment', 'recredit', 'adjustment');

DROP INDEX event_once;
CREATE UNIQUE INDEX event_once ON events (
  order_id, type, (coalesce(link_id, '')), (CASE WHEN type = 'order.updated' THEN event_id ELSE '' END)
);
