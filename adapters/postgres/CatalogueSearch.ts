// The statements of a catalogue search, for whatever is filtered by: one page of ids from the index of its order, the sites for
// them, and the count of all. Filters mean what `siteMatcher` means, over the columns that were folded when a site was listed.
import { fold, type PageStart, type SiteFilter, type Sort } from "#core/domain/Catalogue.ts"
import { sites } from "./rows/OfferRows.ts"

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

const conditionsOf = (filter: SiteFilter): Conditions => {
  const conditions = new Conditions()
  const { niche, shelf, query, language, minTf, minTraffic, maxPriceCents } = filter
  conditions.add(niche === undefined ? undefined : fold(niche), (p) => `niche_folded = ${p}`)
  conditions.add(shelf, (p) => `shelf = ${p}`)
  conditions.add(query === undefined ? undefined : containing(fold(query)), (p) => {
    return `(domain_folded LIKE ${p} OR niche_folded LIKE ${p})`
  })
  conditions.add(language?.toLowerCase(), (p) => `language_folded = ${p}`)
  conditions.add(minTf, (p) => `tf >= ${p}`)
  conditions.add(minTraffic, (p) => `traffic_monthly >= ${p}`)
  conditions.add(maxPriceCents, (p) => `price_cents <= ${p}`)
  return conditions
}

/** With the version of the catalogue under which it is the count. */
export const countOf = (filter: SiteFilter): Statement => {
  const { sql, params } = conditionsOf(filter)
  return {
    sql: `SELECT (SELECT count(*) FROM sites WHERE ${sql})::int AS total, catalogue FROM shop`,
    params
  }
}

/** Ranks are whole numbers; a position that somebody made up may have any. */
const whole = (rank: number): number =>
  Math.min(Math.max(Math.floor(rank), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)

const afterPosition = (conditions: Conditions, rank: string | null, start: PageStart): void => {
  if (start.kind === "offset") return
  const { position } = start
  if (rank === null) conditions.add(position.siteId, (p) => `site_id > ${p}`)
  else {
    conditions.params.push(whole(position.rank))
    const ranked = `$${conditions.params.length}`
    conditions.add(position.siteId, (p) => `(${rank}, site_id) > (${ranked}::bigint, ${p}::bigint)`)
  }
}

/** One row, with the version of the catalogue; the sites are in order, one more than asked for where there is one. */
export const pageOf = (filter: SiteFilter, sort: Sort, start: PageStart, limit: number): Statement => {
  const conditions = conditionsOf(filter)
  const rank = RANKS[sort]
  afterPosition(conditions, rank, start)
  const order = rank === null ? "site_id" : `${rank}, site_id`
  const offset = start.kind === "offset" ? start.offset : 0
  const params = [...conditions.params, limit + 1, offset]
  const ids = `SELECT site_id, row_number() OVER () AS place FROM (
    SELECT site_id FROM sites WHERE ${conditions.sql} ORDER BY ${order} LIMIT $${params.length - 1} OFFSET $${params.length}
  ) page`
  return {
    sql: `SELECT shop.catalogue, (
      SELECT json_agg(${sites.json("s")} ORDER BY ids.place) FROM (${ids}) ids JOIN sites s USING (site_id)
    ) AS sites FROM shop`,
    params
  }
}
