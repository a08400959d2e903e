// The statements of a catalogue search, for whatever is filtered by: one page of ids from the index of its order, the sites for
// them, and the count of all. Filters mean what `siteMatcher` means, over the columns that were folded when a site was listed.
import {
  foldText,
  MAX_PAGE_SIZE,
  type PageStart,
  type SiteFilter,
  type Sort,
  type SortKey
} from "#core/domain/Catalogue.ts"
import { sites } from "./rows/CatalogueRows.ts"

export interface Statement {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

/** What ranks a site in each order, as `positionOf` does; by id alone where nothing else does. */
const RANKS: { readonly [Order in Sort]: string | null } = {
  id: null,
  price: "price_cents",
  "-tf": "(-tf)",
  "-traffic": "(-traffic_monthly)"
}

/** Text to be found anywhere inside another: what LIKE takes for signs of its own is only itself. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/** Numbers its parameters as they come. */
class Conditions {
  readonly params: Array<unknown> = []
  readonly #clauses: Array<string> = ["open"]

  add(param: string | number | undefined, clause: (placeholder: string) => string): void {
    if (param === undefined) return
    this.params.push(param)
    this.#clauses.push(clause(`$${this.params.length}`))
  }

  get sql(): string {
    return this.#clauses.join(" AND ")
  }
}

/** In terms of what `sort` ranks by, so that the index of an order is left where its last match is. */
const conditionsOf = (filter: SiteFilter, sort: Sort = "id"): Conditions => {
  const conditions = new Conditions()
  const { niche, shelf, query, language, minTf, minTraffic, maxPriceCents } = filter
  conditions.add(niche === undefined ? undefined : foldText(niche), (p) => `niche_folded = ${p}`)
  conditions.add(shelf, (p) => `shelf = ${p}`)
  conditions.add(query === undefined ? undefined : containing(foldText(query)), (p) => {
    return `(domain_folded LIKE ${p} OR niche_folded LIKE ${p})`
  })
  conditions.add(language?.toLowerCase(), (p) => `language_folded = ${p}`)
  conditions.add(minTf, (p) => (sort === "-tf" ? `(-tf) <= -${p}::bigint` : `tf >= ${p}`))
  conditions.add(minTraffic, (p) =>
    sort === "-traffic" ? `(-traffic_monthly) <= -${p}::bigint` : `traffic_monthly >= ${p}`
  )
  conditions.add(maxPriceCents, (p) => `price_cents <= ${p}`)
  return conditions
}

export const countOf = (filter: SiteFilter): Statement => {
  const { sql, params } = conditionsOf(filter)
  return { sql: `SELECT count(*)::int AS total FROM sites WHERE ${sql}`, params }
}

/** Ranks are whole numbers; a position that somebody made up may have any. */
const whole = (rank: number): number =>
  Math.min(Math.max(Math.floor(rank), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)

/** Before every site, in every order. */
const BEFORE_ALL: SortKey = { rank: Number.MIN_SAFE_INTEGER, siteId: Number.MIN_SAFE_INTEGER }

const afterPosition = (conditions: Conditions, rank: string | null, position: SortKey): void => {
  if (rank === null) conditions.add(position.siteId, (p) => `site_id > ${p}`)
  else {
    conditions.params.push(whole(position.rank))
    const ranked = `$${conditions.params.length}`
    conditions.add(position.siteId, (p) => `(${rank}, site_id) > (${ranked}::bigint, ${p}::bigint)`)
  }
}

/** What the largest page asks for: one more, to see whether another follows. */
const AT_MOST = MAX_PAGE_SIZE + 1

/**
 * One row, with the version of the catalogue; the sites are in order, one more than asked for where there is one. Pages of one
 * list are one statement wherever they begin, and it says how few rows it can come to: so the database keeps one plan for all of
 * them, because it sees that planning each anew would not pay. Only for skipped pages it looks again.
 */
export const pageOf = (filter: SiteFilter, sort: Sort, start: PageStart, limit: number): Statement => {
  const conditions = conditionsOf(filter, sort)
  const rank = RANKS[sort]
  const skipped = start.kind === "offset" ? start.offset : 0
  if (skipped === 0) afterPosition(conditions, rank, start.kind === "after" ? start.sortKey : BEFORE_ALL)
  const order = rank === null ? "site_id" : `${rank}, site_id`
  const params = [...conditions.params, limit + 1, ...(skipped === 0 ? [] : [skipped])]
  const size = conditions.params.length + 1
  const ids = `SELECT site_id FROM (
    SELECT site_id FROM sites WHERE ${conditions.sql} ORDER BY ${order} LIMIT ${AT_MOST}${skipped === 0 ? "" : ` OFFSET $${size + 1}`}
  ) ahead LIMIT $${size}`
  return {
    sql: `SELECT shop.catalogue, (
      SELECT json_agg(${sites.list("s")} ORDER BY ${order}) FROM (${ids}) page JOIN sites s USING (site_id)
    ) AS sites FROM shop`,
    params
  }
}
