-- From quote to published link, and the money on its way. What must happen once has a unique key here, as a second line of
-- defence behind the guard of its account.

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

-- Reserved by an open quote, or spent by its order. What is given back is deleted.
CREATE TABLE promo_uses (
  code id NOT NULL REFERENCES promos,
  quote_id id NOT NULL REFERENCES quotes,
  account_id id NOT NULL,
  -- Until when it is reserved; null once it is spent.
  until_ms bigint,
  -- By account first, so that what an account has used is found among all that others have.
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

CREATE TABLE payments (
  payment_id id PRIMARY KEY,
  quote_id id NOT NULL REFERENCES quotes,
  amount_cents bigint NOT NULL,
  currency text NOT NULL
);
CREATE INDEX payments_of_quote ON payments (quote_id);

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
  -- Derived from the links, and written with every move of one.
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
  -- The target's host, largest part first and each closed by a dot, so that a domain is a prefix of all below it.
  host_path id NOT NULL,
  -- From order to publication; null until it is online.
  days_to_publish double precision,
  UNIQUE (order_id, index)
);
CREATE INDEX links_on_site ON links (site_id, days_to_publish) INCLUDE (status)
  WHERE mode = 'live' AND status <> 'cancelled';
-- What is live is said in other words than in the index by site: while there are few links the two look equally good to the planner,
-- and a look-up by account that it made with the other one would go through all links of a site for ever.
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
    AND held_delta_cents = amount_cents * CASE kind WHEN 'hold' THEN 1 WHEN 'release' THEN -1 WHEN 'capture' THEN -1 ELSE 0 END
  ),
  CONSTRAINT hold_is_named CHECK ((hold_id IS NOT NULL) = (kind IN ('hold', 'release', 'capture'))),
  CONSTRAINT recredit_names_its_link CHECK ((link_id IS NOT NULL) = (kind = 'recredit'))
);
CREATE UNIQUE INDEX hold_begins_once ON ledger (hold_id) WHERE kind = 'hold';
CREATE UNIQUE INDEX hold_ends_once ON ledger (hold_id) WHERE kind IN ('release', 'capture');
CREATE UNIQUE INDEX recredit_once ON ledger (link_id) WHERE kind = 'recredit';
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON ledger
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER ledger_is_never_emptied BEFORE TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

-- The outbox: written with whatever happened, delivered later.
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
