-- Compares the versions of rows that decisions looked at and did not change. `seen` has ids and versions for each
-- table; each id is looked up by itself, however large the table.
CREATE OR REPLACE FUNCTION compare_seen(seen jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  stale text;
BEGIN
  SELECT what INTO stale FROM (
    SELECT 'the shop' AS what FROM jsonb_array_elements_text(seen -> 'shop') s WHERE s <> (SELECT version FROM shop)
    UNION ALL
    SELECT 'a site' FROM jsonb_to_recordset(seen -> 'sites') AS s (site_id bigint, version id)
    WHERE s.version <> (SELECT x.version FROM sites x WHERE x.site_id = s.site_id)
    UNION ALL
    SELECT 'a promotion' FROM jsonb_to_recordset(seen -> 'promos') AS s (code id, version id)
    WHERE s.version <> (SELECT x.version FROM promos x WHERE x.code = s.code)
    UNION ALL
    SELECT 'an article' FROM jsonb_to_recordset(seen -> 'articles') AS s (article_id bigint, version id)
    WHERE s.version <> (SELECT x.version FROM articles x WHERE x.article_id = s.article_id)
    UNION ALL
    SELECT 'a project' FROM jsonb_to_recordset(seen -> 'projects') AS s (project_id id, version id)
    WHERE s.version <> (SELECT x.version FROM projects x WHERE x.project_id = s.project_id)
    UNION ALL
    SELECT 'an opportunity' FROM jsonb_to_recordset(seen -> 'opportunities') AS s (opportunity_id id, version id)
    WHERE s.version <> (SELECT x.version FROM opportunities x WHERE x.opportunity_id = s.opportunity_id)
    UNION ALL
    SELECT 'a subscription' FROM jsonb_to_recordset(seen -> 'subscriptions') AS s (webhook_id id, version id)
    WHERE s.version <> (SELECT x.version FROM subscriptions x WHERE x.webhook_id = s.webhook_id)
  ) compared LIMIT 1;
  IF FOUND THEN PERFORM refuse_stale(stale); END IF;
END $$;
