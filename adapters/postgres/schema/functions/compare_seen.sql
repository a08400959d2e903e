-- Compares the versions of rows that decisions looked at and did not change. `seen` has ids and versions for each
-- table; each id is looked up by itself, however large the table.
CREATE OR REPLACE FUNCTION compare_seen(seen jsonb) RETURNS void LANGUAGE plpgsql AS $$
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
