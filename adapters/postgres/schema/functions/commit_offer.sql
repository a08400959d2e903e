-- Writes sites, articles, projects, opportunities and the shop, each over the version that its decision saw.
CREATE OR REPLACE FUNCTION commit_offer(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
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
