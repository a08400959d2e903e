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
