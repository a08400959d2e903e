-- The peers' shop, as one would write it by hand: what an order needs and nothing else, with the keys and checks that keep it sound.

CREATE TABLE accounts (
  account_id bigint PRIMARY KEY,
  balance_cents bigint NOT NULL CHECK (balance_cents >= 0)
) WITH (fillfactor = 60);

CREATE TABLE keys (
  key_id bigint PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  hash text NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  revoked boolean NOT NULL
);

-- Orders of a key on a day.
CREATE TABLE tallies (
  key_id bigint REFERENCES keys,
  day date,
  orders bigint NOT NULL,
  PRIMARY KEY (key_id, day)
) WITH (fillfactor = 60);

CREATE TABLE sites (
  site_id bigint PRIMARY KEY,
  domain text NOT NULL,
  shelf text NOT NULL,
  price_cents bigint NOT NULL,
  open boolean NOT NULL
);

CREATE TABLE promos (
  code text PRIMARY KEY,
  basis_points bigint NOT NULL
);

CREATE TABLE quotes (
  quote_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key_id bigint NOT NULL REFERENCES keys,
  lines jsonb NOT NULL,
  code text,
  gross_cents bigint NOT NULL,
  total_cents bigint NOT NULL CHECK (total_cents BETWEEN 0 AND gross_cents),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE orders (
  order_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  quote_id bigint NOT NULL UNIQUE REFERENCES quotes,
  key_id bigint NOT NULL REFERENCES keys,
  total_cents bigint NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX orders_of_key ON orders (key_id, order_id);

CREATE TABLE links (
  link_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES orders,
  site_id bigint NOT NULL REFERENCES sites,
  target_url text NOT NULL,
  anchor_text text NOT NULL,
  anchor_type text NOT NULL,
  net_cents bigint NOT NULL,
  status text NOT NULL
);
CREATE INDEX links_of_order ON links (order_id);

CREATE TABLE ledger (
  entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  order_id bigint REFERENCES orders,
  amount_cents bigint NOT NULL,
  balance_after_cents bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ledger_of_account ON ledger (account_id, entry_id);

-- The outbox of webhooks.
CREATE TABLE events (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES orders,
  type text NOT NULL,
  body text NOT NULL
);

CREATE TABLE bindings (
  key_id bigint REFERENCES keys,
  idempotency_key text,
  fingerprint text NOT NULL,
  quote_id bigint NOT NULL REFERENCES quotes,
  answer text NOT NULL,
  PRIMARY KEY (key_id, idempotency_key)
);
