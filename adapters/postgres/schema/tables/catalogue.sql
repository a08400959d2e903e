-- What is on offer: the shop as a whole, sites, articles, AI-visibility projects.

CREATE TABLE shop (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version id NOT NULL,
  previous id,
  fulfilment text CHECK (fulfilment IN ('auto', 'manual')),
  catalogue id NOT NULL,
  keys id NOT NULL,
  bound_before boolean NOT NULL DEFAULT false,
  events_since_ms bigint
);
INSERT INTO shop (version, catalogue, keys) VALUES ('', '', '');
COMMENT ON TABLE shop IS 'What belongs to the shop as a whole: one row.';
COMMENT ON COLUMN shop.fulfilment IS 'The operator''s switch; null means the service''s setting.';
COMMENT ON COLUMN shop.catalogue IS 'The stem of the last listing of sites: results computed under it still hold.';
COMMENT ON COLUMN shop.keys IS 'The stem of the last change of any key: keys read under it still hold.';
COMMENT ON COLUMN shop.events_since_ms IS 'Since when events that were not raised follow from their orders: when step 065 ran. Null in a database that began later: always.';
COMMENT ON COLUMN shop.bound_before IS 'Whether the database is from before step 056, so that quotes may be bound in their credential by keys of callers.';

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
  language_folded id NOT NULL,
  turnaround_days bigint CHECK (turnaround_days >= 0)
);

-- One index for each order of the list, with all columns that filters look at: neither counting nor skipping pages reads
-- the sites themselves.
CREATE INDEX sites_by_id ON sites (site_id)
  INCLUDE (shelf, language_folded, tf, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_price ON sites (price_cents, site_id)
  INCLUDE (shelf, language_folded, tf, traffic_monthly, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_tf ON sites ((-tf), site_id)
  INCLUDE (tf, shelf, language_folded, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_by_traffic ON sites ((-traffic_monthly), site_id)
  INCLUDE (traffic_monthly, shelf, language_folded, tf, price_cents, niche_folded, domain_folded) WHERE open;

-- The same within a shelf. A site's strength goes with its shelf: a walk through all shelves in such an order would pass
-- through another shelf first.
CREATE INDEX sites_of_shelf_by_id ON sites (shelf, site_id)
  INCLUDE (language_folded, tf, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_price ON sites (shelf, price_cents, site_id)
  INCLUDE (language_folded, tf, traffic_monthly, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_tf ON sites (shelf, (-tf), site_id)
  INCLUDE (tf, language_folded, traffic_monthly, price_cents, niche_folded, domain_folded) WHERE open;
CREATE INDEX sites_of_shelf_by_traffic ON sites (shelf, (-traffic_monthly), site_id)
  INCLUDE (traffic_monthly, language_folded, tf, price_cents, niche_folded, domain_folded) WHERE open;

-- A niche's strongest sites first: for plans, and for lists narrowed to a niche.
CREATE INDEX sites_of_niche ON sites (niche_folded, language_folded, tf DESC, traffic_monthly DESC, site_id) WHERE open;
CREATE INDEX sites_by_text ON sites USING gin (domain_folded gin_trgm_ops, niche_folded gin_trgm_ops) WHERE open;
-- Not unique: two sites may have had one domain before listings refused that.
CREATE INDEX sites_by_domain ON sites (domain);
COMMENT ON TABLE sites IS 'Sites that sell links.';
COMMENT ON COLUMN sites.niche_label IS 'The niche as it is shown.';
COMMENT ON COLUMN sites.language IS 'ISO 639-1.';
COMMENT ON COLUMN sites.tf IS 'Trust Flow, 0 to 100.';
COMMENT ON COLUMN sites.cf IS 'Citation Flow, 0 to 100.';
COMMENT ON COLUMN sites.rd IS 'Referring domains.';
COMMENT ON COLUMN sites.moz_da IS 'Moz Domain Authority, 0 to 100.';
COMMENT ON COLUMN sites.ranked_keywords IS 'Queries for which the site ranks.';
COMMENT ON COLUMN sites.traffic_monthly IS 'Estimated organic visits in a month.';
COMMENT ON COLUMN sites.shelf IS 'The price class, such as "Plancton".';
COMMENT ON COLUMN sites.open IS 'Whether the site takes orders. A closed site is found by id alone.';
COMMENT ON COLUMN sites.price_cents IS 'The price of the shelf, for lists and filters. Updated at the start of a version with other prices, for a closed site when it opens.';
COMMENT ON COLUMN sites.domain_folded IS 'The domain as searches compare it.';
COMMENT ON COLUMN sites.niche_folded IS 'The niche as filters compare it.';
COMMENT ON COLUMN sites.language_folded IS 'The language as filters compare it.';
COMMENT ON COLUMN sites.turnaround_days IS 'Days from an order to its link online; null means those of the shelf, which are a setting.';

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
  -- One place for one sale or one reservation: two quotes never have one article.
  sale_state text NOT NULL CHECK (sale_state IN ('free', 'reserved', 'sold')),
  sale_quote_id id,
  sale_until_ms bigint,
  keywords_folded text,
  CONSTRAINT sale_is_whole CHECK (
    (sale_quote_id IS NOT NULL) = (sale_state <> 'free')
    AND (sale_until_ms IS NOT NULL) = (sale_state = 'reserved')
  )
);
CREATE INDEX articles_unsold ON articles (site_id, article_id) WHERE sale_state <> 'sold';
CREATE INDEX articles_by_keyword ON articles USING gin (keywords_folded gin_trgm_ops) WHERE sale_state <> 'sold';
-- Written by a version from before step 061.
CREATE INDEX articles_unfolded ON articles (article_id) WHERE keywords_folded IS NULL;
COMMENT ON TABLE articles IS 'Published articles into which one link can be inserted, once.';
COMMENT ON COLUMN articles.keywords IS 'Array of {query, position, impressions} in search results.';
COMMENT ON COLUMN articles.price_cents IS 'Null means the price of the site''s shelf.';
COMMENT ON COLUMN articles.sale_quote_id IS 'Refers to quotes.quote_id: the quote that reserves or has bought the article. Null while it is free.';
COMMENT ON COLUMN articles.sale_until_ms IS 'The end of the reservation; null unless the article is reserved.';
COMMENT ON COLUMN articles.keywords_folded IS 'The keywords as searches compare them, one a line. Null until the next start, if a version from before step 061 listed the article.';

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
COMMENT ON TABLE projects IS 'AI-visibility projects of accounts.';
COMMENT ON COLUMN projects.language IS 'ISO 639-1.';

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
COMMENT ON TABLE opportunities IS 'Questions to assistants whose answers did not mention a project, each with a link that may change this.';
COMMENT ON COLUMN opportunities.prompt IS 'The question.';
COMMENT ON COLUMN opportunities.engine IS 'The assistant whose answer it was.';
COMMENT ON COLUMN opportunities.niche IS 'Where a plan looks for sites.';
COMMENT ON COLUMN opportunities.position IS 'The place in the project''s list.';
