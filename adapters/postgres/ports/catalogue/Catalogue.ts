// Catalogue searches, sites and their articles. Totals are cached per filter and version of the catalogue, so a search costs one page.
import { Effect, Layer, Schema } from "effect"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import { type Measured, sortKeyOf } from "#core/domain/catalogue/Catalogue.ts"
import { FacetCount, type Facets, facetsOfCounts } from "#core/domain/catalogue/CatalogueFacets.ts"
import { OrderItem, sitesLinkingTo } from "#core/domain/pricing/Cart.ts"
import { Catalogue, type SiteSearch } from "#core/ports/catalogue/Catalogue.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Database } from "../../database/Database.ts"
import { bigintArray, decodeRows, first, query, queryValues, select, takePage } from "../../database/Queries.ts"
import { SharedRuns } from "../../database/SharedRuns.ts"
import { accountNo } from "../../rows/AccountRows.ts"
import { articles, isFreeAt, sites } from "../../rows/CatalogueRows.ts"
import { OPEN } from "../../rows/QuoteRows.ts"
import { Integer, Text } from "../../rows/Table.ts"
import { countExcepted, countOf, idsOf, pageOf, type Statement } from "./CatalogueSearch.ts"
import { CatalogueVersion } from "./CatalogueVersion.ts"
import { KeptSites } from "./KeptSites.ts"
import { linkedSites } from "./LinkedSites.ts"

const siteWithDetails = `
SELECT ${sites.list("s")} AS site,
  (SELECT count(*) FROM articles r WHERE r.site_id = s.site_id AND ${isFreeAt("$2")})::int AS articles,
  m.orders, o.published, m.verified, o.median
FROM sites s CROSS JOIN LATERAL (
  SELECT count(*)::int AS orders, count(*) FILTER (WHERE l.status = 'verified')::int AS verified
  FROM links l WHERE l.site_id = s.site_id AND l.mode = 'live' AND l.status <> 'cancelled'
) m CROSS JOIN LATERAL (
  SELECT count(*)::int AS published, percentile_cont(0.5) WITHIN GROUP (ORDER BY l.days_to_publish) AS median
  FROM links l
  WHERE l.site_id = s.site_id AND l.mode = 'live' AND l.status <> 'cancelled' AND l.days_to_publish IS NOT NULL
) o
WHERE s.site_id = $1`

const freeArticles = `articles r
WHERE r.site_id = $1 AND ${isFreeAt("$2")} AND r.article_id > $3
ORDER BY r.article_id LIMIT $4`

const openSites = "SELECT to_json(site_id) AS value FROM sites WHERE open AND site_id = ANY ($1::bigint[])"

/** The last one of a domain counts. */
const sitesOfDomains = `
SELECT json_build_array(s.domain, s.site_id) AS value FROM sites s WHERE s.domain = ANY ($1::text[]) ORDER BY s.open, s.site_id DESC`

/** The items of open quotes. */
const openItems = `
SELECT line -> 'item' AS value FROM quotes q CROSS JOIN LATERAL jsonb_array_elements(q.lines) line
WHERE q.account_no = ${accountNo("$1")} AND q.status IN ${OPEN} AND q.expires_at_ms > $2 AND q.mode = $3`

const Details = Schema.Struct({
  site: sites.schema,
  articles: Integer,
  orders: Integer,
  published: Integer,
  verified: Integer,
  median: Schema.NullOr(Schema.Finite)
})

const measuredOf = ({ orders, published, verified, median }: typeof Details.Type): Measured | null =>
  orders === 0
    ? null
    : { orders, medianDaysToPublish: median, stillLiveRatio: verified === 0 ? null : verified / published }

const readPage = decodeRows(Schema.Struct({ catalogue: Text, sites: Schema.Array(sites.schema) }))
const readIds = decodeRows(Schema.Struct({ catalogue: Text, ids: Schema.Array(Integer) }))
const readCount = decodeRows(Schema.Struct({ total: Integer }))

/**
 * The names of each facet with their sites. Of several spellings the first in code point order is shown, so that every store shows
 * the same.
 */
const facetCounts = `
SELECT CASE WHEN grouping(niche_folded) = 0 THEN 'niche' WHEN grouping(language_folded) = 0 THEN 'language'
    WHEN grouping(shelf) = 0 THEN 'shelf' ELSE 'linkRel' END AS facet,
  coalesce(niche_folded, language_folded, shelf, link_rel) AS folded,
  CASE WHEN grouping(niche_folded) = 0 THEN min(niche_label COLLATE "C")
    ELSE coalesce(language_folded, shelf, link_rel) END AS name,
  count(*)::int AS sites
FROM sites WHERE open GROUP BY GROUPING SETS ((niche_folded), (language_folded), (shelf), (link_rel))`

/** The latest ones. */
const KEPT_TOTALS = 1_000

/** Before every article. */
const FIRST_ARTICLE = Number.MIN_SAFE_INTEGER

export const layer: Layer.Layer<Catalogue, never, Database | CatalogueVersion> = Layer.effect(
  Catalogue,
  Effect.gen(function* () {
    const database = yield* Database
    const version = yield* CatalogueVersion
    const details = first(query(database.search, Details, siteWithDetails))
    const siteIdsOf = queryValues(database.read, Schema.Tuple([Text, Integer]), sitesOfDomains)
    const openAmong = queryValues(database.read, Integer, openSites)
    const named = select(database.search, sites, "sites s WHERE s.site_id = ANY ($1::bigint[])")
    const linked = linkedSites(database.search)
    const waiting = queryValues(database.search, OrderItem, openItems)
    const articlesOn = select(database.search, articles, freeArticles)

    const kept = new KeptSites()

    /** The sites of a page by their ids, if all are known; `undefined` if not. */
    const readByIds = Effect.fnUntraced(function* (page: SiteSearch) {
      const { sql, params } = idsOf(page)
      const [found] = readIds(yield* database.search(sql, params))
      const { catalogue = "", ids = [] } = found ?? {}
      const sites = kept.find(catalogue, ids)
      return sites === undefined ? undefined : { catalogue, sites }
    })

    const readSites = Effect.fnUntraced(function* (page: SiteSearch) {
      const { sql, params } = pageOf(page)
      const [found] = readPage(yield* database.search(sql, params))
      const { catalogue = "", sites = [] } = found ?? {}
      kept.keep(catalogue, sites)
      return { catalogue, sites }
    })

    /**
     * A page and its version. Equal searches of one account share one statement while it runs or waits. Those of another account do not:
     * it would wait for the turns of the first one. Nor do those after a change by this instance, which the statement may not see.
     */
    const pages = new SharedRuns<Effect.Success<ReturnType<typeof readSites>>, StoreUnavailable>()

    const readPageOf = (page: SiteSearch) =>
      kept.areLikelyKnown
        ? Effect.flatMap(readByIds(page), (known) => (known === undefined ? readSites(page) : Effect.succeed(known)))
        : readSites(page)

    const count = ({ sql, params }: Statement) =>
      Effect.map(database.search(sql, params), (rows) => readCount(rows)[0]?.total ?? 0)

    const totals = new SharedRuns<number, StoreUnavailable>(KEPT_TOTALS)

    /** The number of matching sites, with those that are left out. It holds for a version, unless articles are sold meanwhile. */
    const totalOf = (catalogue: string, { filter: { exceptSiteIds: _, ...filter }, articles }: SiteSearch) =>
      articles === undefined
        ? totals.get(JSON.stringify([catalogue, filter]), () => count(countOf({ filter })))
        : count(countOf({ filter, articles }))

    /** The facets of the current version of the catalogue. */
    const facets = new SharedRuns<Facets, StoreUnavailable>(1)
    const countFacets = query(database.search, FacetCount, facetCounts)

    return Catalogue.of({
      search: Effect.fnUntraced(function* (page) {
        const account = yield* CallingAccount
        const { filter, sort, limit } = page
        const key = JSON.stringify([account, version.ownChanges(), page])
        const { catalogue, sites } = yield* pages.get(key, () => readPageOf(page))
        const { rows, next } = takePage(sites, limit, (site) => sortKeyOf(sort, site))
        const total = yield* totalOf(catalogue, page)
        const excepted = filter.exceptSiteIds === undefined ? 0 : yield* count(countExcepted(page))
        // Sites that are opened between the two counts are in the second one alone.
        return { sites: rows, total: Math.max(0, total - excepted), next }
      }),
      version: version.current,
      facets: Effect.flatMap(version.current, (catalogue) =>
        facets.get(catalogue, () => Effect.map(countFacets(), facetsOfCounts))
      ),
      site: (siteId, nowMs) =>
        Effect.map(details(siteId, nowMs), (row) =>
          row === null ? null : { site: row.site, articlesAvailable: row.articles, measured: measuredOf(row) }
        ),
      linkingTo: Effect.fnUntraced(function* ({ accountId, mode, domain, nowMs }) {
        const [links, open] = yield* Effect.all([linked(accountId, mode, domain), waiting(accountId, nowMs, mode)], {
          concurrency: 2
        })
        return new Set([...links, ...sitesLinkingTo(open, domain)])
      }),
      sites: (siteIds) => named(bigintArray(siteIds)),
      openOf: (siteIds) => Effect.map(openAmong(siteIds), (open) => new Set(open)),
      siteIdsOf: (domains) => Effect.map(siteIdsOf(domains), (found) => new Map(found)),
      articles: ({ siteId, limit, afterId, nowMs }) =>
        Effect.map(articlesOn(siteId, nowMs, afterId ?? FIRST_ARTICLE, limit + 1), (found) => {
          const { rows, next } = takePage(found, limit, ({ articleId }) => articleId)
          return { articles: rows, nextAfterId: next }
        })
    })
  })
)
