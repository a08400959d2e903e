// The query of what a listing reads: the rows that it replaces, and what their domains exclude.
import type { Reads } from "#core/decisions/Reads.ts"
import { normaliseCode } from "#core/domain/pricing/Promo.ts"
import { bigintArray } from "../database/Queries.ts"
import { jsonRows, selectBooks, tableRows } from "../rows/BookTables.ts"
import { promoInUse } from "../rows/CatalogueRows.ts"
import { OPEN } from "../rows/QuoteRows.ts"

/** A site that has a live link, cancelled or not, or is in an open live quote: `s`, and for orders of the same moment `keep_unsold()`. */
const isOrdered = `EXISTS (SELECT FROM links l WHERE l.site_id = s.site_id AND l.mode = 'live' AND l.status <> 'cancelled')
    OR EXISTS (SELECT FROM links l WHERE l.site_id = s.site_id AND l.mode = 'live' AND l.status = 'cancelled')
    OR EXISTS (
      SELECT FROM quotes q
      WHERE q.status IN ${OPEN} AND q.mode = 'live'
        AND q.lines @> jsonb_build_array(jsonb_build_object('item', jsonb_build_object('siteId', s.site_id))) OFFSET 0
    )`

/** The domains of the listed sites, the sites that have one of the listed domains, and which of the sites that get another one were ordered. */
const siteDomains = `CASE WHEN cardinality($7::bigint[]) > 0 THEN json_build_object(
    'stem', (SELECT catalogue FROM shop),
    'bySite', (
      SELECT json_agg(json_build_array(s.site_id, s.domain)) FROM (
        SELECT o.site_id, o.domain FROM unnest($7::bigint[]) AS u (id) CROSS JOIN LATERAL (SELECT * FROM sites o WHERE o.site_id = u.id OFFSET 0) o
        UNION
        SELECT o.site_id, o.domain FROM unnest($8::text[]) AS u (name) CROSS JOIN LATERAL (SELECT * FROM sites o WHERE o.domain = u.name OFFSET 0) o
      ) s
    ),
    'ordered', (
      SELECT json_agg(s.site_id) FROM (
        SELECT o.site_id FROM unnest($7::bigint[], $8::text[]) AS u (site_id, domain)
        CROSS JOIN LATERAL (SELECT * FROM sites o WHERE o.site_id = u.site_id AND o.domain <> u.domain OFFSET 0) o OFFSET 0
      ) s WHERE ${isOrdered}
    )
  ) END`

export const forListing = selectBooks([
  ["siteDomains", siteDomains],
  tableRows("sites", "sites s WHERE s.site_id = ANY ($1::bigint[])"),
  tableRows("articles", "articles r WHERE r.article_id = ANY ($2::bigint[])"),
  ["promos", jsonRows(promoInUse("''"), "promos p WHERE p.code = ANY ($3::text[])")],
  tableRows("projects", "projects j WHERE j.project_id = ANY ($4::text[])"),
  tableRows("opportunities", "opportunities o WHERE o.opportunity_id = ANY ($5::text[])"),
  tableRows("accounts", "accounts a WHERE a.account_id = ANY ($6::text[])")
])

export const listingParams = ({
  siteIds,
  articleIds,
  promoCodes,
  projectIds,
  opportunityIds,
  accountIds,
  listedSites = []
}: Extract<Reads, { readonly _tag: "ForListing" }>): ReadonlyArray<unknown> => [
  bigintArray(siteIds),
  bigintArray(articleIds),
  promoCodes.map(normaliseCode),
  projectIds,
  opportunityIds,
  accountIds,
  bigintArray(listedSites.map(({ siteId }) => siteId)),
  listedSites.map(({ domain }) => domain)
]
