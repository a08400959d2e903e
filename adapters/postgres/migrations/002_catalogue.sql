-- What is on offer: sites, articles, promotion codes, AI-visibility projects. The folded columns, prices and ranks are worked
-- out by the service when something is listed, so that the database compares exactly as the service does.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

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

-- One index for each order of the list. They carry all that filters look at, so that neither counting nor skipping pages
-- reads the sites themselves.
CREATE INDEX sites_by_id ON sites (site_id)
  INCLUDE (shelf, language_folded, tf, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_price ON sites (price_cents, site_id)
  INCLUDE (shelf, language_folded, tf, traffic_monthly, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_tf ON sites ((-tf), site_id)
  INCLUDE (tf, shelf, language_folded, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_traffic ON sites ((-traffic_monthly), site_id)
  INCLUDE (traffic_monthly, shelf, language_folded, tf, price_cents, niche_folded, domain_folded) WHERE open;
-- The same within a shelf: how strong a site is goes with its shelf, so that whoever walked through all shelves in such an order
-- would walk through another shelf first.
CREATE INDEX sites_of_shelf_by_id ON sites (shelf, site_id)
  INCLUDE (language_folded, tf, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_price ON sites (shelf, price_cents, site_id)
  INCLUDE (language_folded, tf, traffic_monthly, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_tf ON sites (shelf, (-tf), site_id)
  INCLUDE (tf, language_folded, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_traffic ON sites (shelf, (-traffic_monthly), site_id)
  INCLUDE (traffic_monthly, language_folded, tf, price_cents, niche_folded, domain_folded) WHERE open;
-- A niche's strongest sites first: plans, and lists narrowed to a niche.
CREATE INDEX sites_of_niche ON sites (niche_folded, language_folded, tf DESC, traffic_monthly DESC, site_id) WHERE open;
CREATE INDEX sites_by_text ON sites USING gin (domain_folded gin_trgm_ops, niche_folded gin_trgm_ops) WHERE open;

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
  -- One place for one sale or one reservation: an article cannot be in two hands.
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
  -- Basis points or cents.
  reduction_value bigint NOT NULL CHECK (reduction_value >= 0),
  minimum_cents bigint,
  starts_at_ms bigint,
  ends_at_ms bigint,
  max_redemptions bigint,
  once_per_account boolean NOT NULL,
  -- Counted only while redemptions are limited: an unlimited code has no row that all its users must write.
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
