-- How the changes of decisions are written, all or none, in one statement, and what they do to what is on offer. The rest is in
-- 006_commit.sql, the whole in 008_rows.sql. Rows come as JSON, those of one decision or of several that do not touch each other.
--
-- A decision was made on rows as they were loaded. Those that it changes are written only over the version that it saw, in one
-- order for everybody: accounts, promotions, sites, articles, projects, opportunities, the shop, subscriptions, deliveries, each
-- by id; so writers wait for each other but never in a circle. Those that it only looked at are compared last, when everything
-- that it changes is locked: at that moment all that it saw is still so. Anything else raises serialization_failure, and nothing
-- was written.

CREATE FUNCTION commit_offer(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
BEGIN
  IF c ? 'sites' THEN
    INSERT INTO sites SELECT * FROM jsonb_populate_recordset(NULL::sites, c -> 'sites') ORDER BY site_id
    ON CONFLICT (site_id) DO UPDATE SET
      version = EXCLUDED.version, previous = EXCLUDED.previous, domain = EXCLUDED.domain,
      niche_label = EXCLUDED.niche_label, language = EXCLUDED.language, tf = EXCLUDED.tf, cf = EXCLUDED.cf, rd = EXCLUDED.rd,
      moz_da = EXCLUDED.moz_da, ranked_keywords = EXCLUDED.ranked_keywords, traffic_monthly = EXCLUDED.traffic_monthly,
      shelf = EXCLUDED.shelf, link_rel = EXCLUDED.link_rel, open = EXCLUDED.open, updated_at_ms = EXCLUDED.updated_at_ms,
      price_cents = EXCLUDED.price_cents, domain_folded = EXCLUDED.domain_folded, niche_folded = EXCLUDED.niche_folded,
      language_folded = EXCLUDED.language_folded
    WHERE sites.version = EXCLUDED.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'sites') THEN PERFORM refuse_stale('a site'); END IF;
  END IF;
  IF c ? 'articles' THEN
    INSERT INTO articles SELECT * FROM jsonb_populate_recordset(NULL::articles, c -> 'articles') ORDER BY article_id
    ON CONFLICT (article_id) DO UPDATE SET
      version = EXCLUDED.version, previous = EXCLUDED.previous, site_id = EXCLUDED.site_id, title = EXCLUDED.title,
      url = EXCLUDED.url, published_at_ms = EXCLUDED.published_at_ms, keywords = EXCLUDED.keywords,
      price_cents = EXCLUDED.price_cents, sale_state = EXCLUDED.sale_state, sale_quote_id = EXCLUDED.sale_quote_id,
      sale_until_ms = EXCLUDED.sale_until_ms
    WHERE articles.version = EXCLUDED.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'articles') THEN PERFORM refuse_stale('an article'); END IF;
  END IF;
  IF c ? 'projects' THEN
    INSERT INTO projects SELECT * FROM jsonb_populate_recordset(NULL::projects, c -> 'projects') ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET
      version = EXCLUDED.version, previous = EXCLUDED.previous, account_id = EXCLUDED.account_id, name = EXCLUDED.name,
      domain = EXCLUDED.domain, language = EXCLUDED.language, updated_at_ms = EXCLUDED.updated_at_ms
    WHERE projects.version = EXCLUDED.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'projects') THEN PERFORM refuse_stale('a project'); END IF;
  END IF;
  IF c ? 'opportunities' THEN
    INSERT INTO opportunities SELECT * FROM jsonb_populate_recordset(NULL::opportunities, c -> 'opportunities')
    ORDER BY opportunity_id
    ON CONFLICT (opportunity_id) DO UPDATE SET
      version = EXCLUDED.version, previous = EXCLUDED.previous, project_id = EXCLUDED.project_id, prompt = EXCLUDED.prompt,
      engine = EXCLUDED.engine, niche = EXCLUDED.niche, target_url = EXCLUDED.target_url, anchor_text = EXCLUDED.anchor_text,
      position = EXCLUDED.position
    WHERE opportunities.version = EXCLUDED.previous;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> jsonb_array_length(c -> 'opportunities') THEN PERFORM refuse_stale('an opportunity'); END IF;
  END IF;
  IF c ? 'shop' THEN
    UPDATE shop SET version = s.version, previous = s.previous, fulfilment = s.fulfilment
    FROM jsonb_populate_recordset(NULL::shop, c -> 'shop') s WHERE shop.version = s.previous;
    IF NOT FOUND THEN PERFORM refuse_stale('the shop'); END IF;
  END IF;
  IF c ? 'sites' THEN UPDATE shop SET catalogue = c ->> 'stem'; END IF;
END $$;

CREATE FUNCTION commit_promos(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written bigint;
  described id[];
BEGIN
  -- A code that is described anew first waits for all who are using it, and keeps new users waiting.
  IF c ? 'recounted' THEN
    described := ARRAY(SELECT jsonb_array_elements_text(c -> 'recounted'));
    PERFORM FROM promos WHERE code = ANY (described) ORDER BY code FOR UPDATE;
  END IF;
  INSERT INTO promos SELECT * FROM jsonb_populate_recordset(NULL::promos, c -> 'promos') ORDER BY code
  ON CONFLICT (code) DO UPDATE SET
    version = EXCLUDED.version, previous = EXCLUDED.previous, reduction_kind = EXCLUDED.reduction_kind,
    reduction_value = EXCLUDED.reduction_value, minimum_cents = EXCLUDED.minimum_cents, starts_at_ms = EXCLUDED.starts_at_ms,
    ends_at_ms = EXCLUDED.ends_at_ms, max_redemptions = EXCLUDED.max_redemptions,
    once_per_account = EXCLUDED.once_per_account, redeemed = EXCLUDED.redeemed
  WHERE promos.version = EXCLUDED.previous;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written <> jsonb_array_length(c -> 'promos') THEN PERFORM refuse_stale('a promotion'); END IF;
  -- One that was unlimited so far has not been counted.
  IF c ? 'recounted' THEN
    UPDATE promos p SET redeemed = (SELECT count(*) FROM promo_uses u WHERE u.code = p.code AND u.until_ms IS NULL)
    WHERE p.code = ANY (described) AND p.max_redemptions IS NOT NULL;
  END IF;
END $$;

-- `seen` has, for each table, the ids and versions that decisions looked at and did not change. Each is looked up by itself,
-- however large the table.
CREATE FUNCTION compare_seen(seen jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM jsonb_array_elements_text(seen -> 'shop') s WHERE s <> (SELECT version FROM shop)
  ) THEN PERFORM refuse_stale('the shop'); END IF;
  IF seen ? 'sites' THEN
    IF EXISTS (
      SELECT FROM jsonb_to_recordset(seen -> 'sites') AS s (site_id bigint, version id)
      WHERE s.version <> (SELECT x.version FROM sites x WHERE x.site_id = s.site_id)
    ) THEN PERFORM refuse_stale('a site'); END IF;
  END IF;
  IF seen ? 'promos' THEN
    IF EXISTS (
      SELECT FROM jsonb_to_recordset(seen -> 'promos') AS s (code id, version id)
      WHERE s.version <> (SELECT x.version FROM promos x WHERE x.code = s.code)
    ) THEN PERFORM refuse_stale('a promotion'); END IF;
  END IF;
  IF seen ? 'articles' THEN
    IF EXISTS (
      SELECT FROM jsonb_to_recordset(seen -> 'articles') AS s (article_id bigint, version id)
      WHERE s.version <> (SELECT x.version FROM articles x WHERE x.article_id = s.article_id)
    ) THEN PERFORM refuse_stale('an article'); END IF;
  END IF;
  IF seen ? 'projects' THEN
    IF EXISTS (
      SELECT FROM jsonb_to_recordset(seen -> 'projects') AS s (project_id id, version id)
      WHERE s.version <> (SELECT x.version FROM projects x WHERE x.project_id = s.project_id)
    ) THEN PERFORM refuse_stale('a project'); END IF;
  END IF;
  IF seen ? 'opportunities' THEN
    IF EXISTS (
      SELECT FROM jsonb_to_recordset(seen -> 'opportunities') AS s (opportunity_id id, version id)
      WHERE s.version <> (SELECT x.version FROM opportunities x WHERE x.opportunity_id = s.opportunity_id)
    ) THEN PERFORM refuse_stale('an opportunity'); END IF;
  END IF;
  IF seen ? 'subscriptions' THEN
    IF EXISTS (
      SELECT FROM jsonb_to_recordset(seen -> 'subscriptions') AS s (webhook_id id, version id)
      WHERE s.version <> (SELECT x.version FROM subscriptions x WHERE x.webhook_id = s.webhook_id)
    ) THEN PERFORM refuse_stale('a subscription'); END IF;
  END IF;
END $$;
