-- Writes sites, articles, projects, opportunities and the shop, each over the version that its decision saw.
CREATE OR REPLACE FUNCTION commit_offer(c jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF c ? 'sites' THEN PERFORM replace_sites(c -> 'sites'); END IF;
  IF c ? 'articles' THEN PERFORM replace_articles(c -> 'articles'); END IF;
  IF c ? 'projects' THEN PERFORM replace_projects(c -> 'projects'); END IF;
  IF c ? 'opportunities' THEN PERFORM replace_opportunities(c -> 'opportunities'); END IF;
  IF c ? 'shop' THEN
    UPDATE shop SET version = s.version, previous = s.previous, fulfilment = s.fulfilment
    FROM jsonb_populate_recordset(NULL::shop, c -> 'shop') s WHERE shop.version = s.previous;
    IF NOT FOUND THEN PERFORM refuse_stale('the shop'); END IF;
  END IF;
  IF c ? 'sites' THEN UPDATE shop SET catalogue = c ->> 'stem'; END IF;
END $$;
