-- What makes an order cheaper: promotion codes and the welcome offer. The view `promo_uses` has the uses of codes.

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
COMMENT ON TABLE promos IS 'Promotion codes. The version changes with the definition alone.';
COMMENT ON COLUMN promos.code IS 'Upper case; codes ignore case.';
COMMENT ON COLUMN promos.reduction_value IS 'Basis points of a "percent", cents of a "fixed" reduction.';
COMMENT ON COLUMN promos.minimum_cents IS 'The least that an order must cost; null means no minimum.';
COMMENT ON COLUMN promos.starts_at_ms IS 'Null means always.';
COMMENT ON COLUMN promos.ends_at_ms IS 'Null means never.';
COMMENT ON COLUMN promos.max_redemptions IS 'Over all accounts; null means unlimited.';
COMMENT ON COLUMN promos.redeemed IS 'Redemptions spent by orders. Counted only while they are limited, so that orders share the row of an unlimited code.';

CREATE TABLE welcome_uses (
  host_path id NOT NULL,
  account_id id NOT NULL,
  quote_id id NOT NULL,
  until_ms bigint,
  registrable boolean,
  PRIMARY KEY (host_path, account_id)
);
CREATE INDEX welcome_uses_of_account ON welcome_uses (account_id);
COMMENT ON TABLE welcome_uses IS 'Target domains for which accounts have or had the welcome offer: a self-opened account gets it only where no other account has spent it.';
COMMENT ON COLUMN welcome_uses.host_path IS 'The target''s registrable domain, or its host without "www." before a domain, like links.host_path.';
COMMENT ON COLUMN welcome_uses.account_id IS 'Refers to accounts.account_id.';
COMMENT ON COLUMN welcome_uses.quote_id IS 'Refers to quotes.quote_id.';
COMMENT ON COLUMN welcome_uses.registrable IS 'True where host_path is the registrable domain, by the public suffix list of that time; null in uses from before step 057, which are hosts.';
COMMENT ON COLUMN welcome_uses.until_ms IS 'The end of the reservation; null once an order has spent it, 0 once it was given back.';

CREATE TABLE sheets (
  sheet_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  member_id id NOT NULL REFERENCES members,
  name text NOT NULL,
  created_at_ms bigint NOT NULL,
  revision integer NOT NULL,
  promo_code text,
  orders integer NOT NULL CHECK (orders >= 0)
);
CREATE INDEX sheets_of_account ON sheets (account_id, created_at_ms);
CREATE INDEX sheets_by_creation ON sheets (created_at_ms);
COMMENT ON TABLE sheets IS 'Sheets of links that members uploaded to the Shop, kept for 90 days.';
COMMENT ON COLUMN sheets.sheet_id IS 'Random bytes in base64url. The idempotency keys of its orders begin with it.';
COMMENT ON COLUMN sheets.member_id IS 'Who uploaded it.';
COMMENT ON COLUMN sheets.name IS 'Of the file, or what the member called it.';
COMMENT ON COLUMN sheets.revision IS 'Rises with each change of what is chosen.';
COMMENT ON COLUMN sheets.promo_code IS 'What the member typed, for the first order; null if nothing.';
COMMENT ON COLUMN sheets.orders IS 'How many orders its rows are marked with.';

CREATE TABLE sheet_rows (
  sheet_id id NOT NULL REFERENCES sheets ON DELETE CASCADE,
  number integer NOT NULL,
  line integer NOT NULL,
  item jsonb,
  cells jsonb NOT NULL,
  faults jsonb NOT NULL,
  chosen boolean NOT NULL,
  chosen_at_ms bigint NOT NULL,
  order_id id,
  PRIMARY KEY (sheet_id, number),
  CONSTRAINT faulty_rows_are_not_bought CHECK (item IS NOT NULL OR (order_id IS NULL AND NOT chosen))
);
COMMENT ON TABLE sheet_rows IS 'The rows of sheets, each a link to buy or what is wrong with it.';
COMMENT ON COLUMN sheet_rows.number IS 'Position among the rows, from 1.';
COMMENT ON COLUMN sheet_rows.line IS 'Where the row begins in the uploaded text, from 1.';
COMMENT ON COLUMN sheet_rows.item IS 'The link, as an order takes it; null where the row has faults.';
COMMENT ON COLUMN sheet_rows.cells IS 'The cells by the names of their columns, as they were written.';
COMMENT ON COLUMN sheet_rows.faults IS 'Array of {column, message}.';
COMMENT ON COLUMN sheet_rows.chosen IS 'Whether the next orders buy it; of no meaning once it is bought.';
COMMENT ON COLUMN sheet_rows.chosen_at_ms IS 'When it was last ticked or unticked, or uploaded. An order of the same link that is newer leaves the row out.';
COMMENT ON COLUMN sheet_rows.order_id IS 'Refers to quotes.order_id: the order that bought it. Null until then.';
