-- The lines of an order, from its links.
CREATE OR REPLACE FUNCTION lines_of(asked id) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'item', jsonb_build_object(
      'siteId', site_id, 'targetUrl', target_url, 'anchorText', anchor_text, 'anchorType', anchor_type, 'format', format,
      'articleId', article_id, 'tier2Links', tier2_links, 'projectId', project_id, 'opportunityId', opportunity_id, 'brief', brief,
      'reference', reference
    ),
    'domain', domain, 'shelf', shelf, 'priceCents', price_cents, 'netCents', net_cents, 'turnaroundDays', turnaround_days
  )) ORDER BY index) FROM links WHERE order_id = asked
$$;
