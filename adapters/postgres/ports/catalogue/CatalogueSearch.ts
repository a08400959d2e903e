// Statements of a catalogue search: one page by the index of its order, and the total. The filters mean the same as `siteMatcher`, over
// columns that were case-folded when the site was written.
import { foldText, MAX_PAGE_SIZE, type Sort, type SortKey } from "#core/domain/catalogue/Catalogue.ts"
import { conditionsOf, type SiteCondition } from "#core/domain/catalogue/SiteFilters.ts"
import type { SiteSearch } from "#core/ports/catalogue/Catalogue.ts"
import { bigintArray } from "../../database/Queries.ts"
import { isFreeAt, searchedColumn, sites } from "../../rows/CatalogueRows.ts"
import { columnOf } from "../../rows/Table.ts"

export interface Statement {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

/** The sort key of each order; `null` for the order by id. */
const SORT_KEYS: { readonly [Order in Sort]: string | null } = {
  id: null,
  price: "price_cents",
  "-tf": "(-tf)",
  "-traffic": "(-traffic_monthly)"
}

/** A LIKE pattern for text anywhere inside another. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

type Param = string | number | ReadonlyArray<string>

const distinct = <Value extends string>(values: ReadonlyArray<Value>): ReadonlyArray<Value> =>
  [...new Set(values)].sort()

/** Conditions joined by AND, with their parameters numbered in order. */
class Conditions {
  readonly params: Array<Param> = []
  readonly #clauses: Array<string> = ["open"]

  /** Adds a parameter and returns its placeholder. */
  param(value: Param): string {
    this.params.push(value)
    return `$${this.params.length}`
  }

  add(clause: string): void {
    this.#clauses.push(clause)
  }

  get sql(): string {
    return this.#clauses.join(" AND ")
  }
}

/** A single value is compared by itself, so that an index that begins with the column has its sites in order. */
const anyOf = (conditions: Conditions, column: string, values: ReadonlyArray<string>): string => {
  const [value, ...others] = distinct(values)
  return value !== undefined && others.length === 0
    ? `${column} = ${conditions.param(value)}`
    : `${column} = ANY (${conditions.param(distinct(values))}::text[])`
}

/** A condition on the sort key refers to it as the order does, so that the scan of its index ends at the last match. */
const atLeast = (column: string, bound: string, sortKey: string | null): string =>
  sortKey === `(-${column})` ? `${sortKey} <= -${bound}::bigint` : `${column} >= ${bound}`

const clauseOf = (conditions: Conditions, condition: SiteCondition, sortKey: string | null): string => {
  switch (condition.kind) {
    case "any_of":
      return anyOf(conditions, searchedColumn(condition.field), condition.values)
    case "none_of": {
      // A subquery is hashed, a list would be gone through for each site.
      const values = conditions.param(bigintArray(condition.values))
      return `${columnOf(condition.field)} NOT IN (SELECT unnest(${values}::bigint[]))`
    }
    case "equal":
      return `${searchedColumn(condition.field)} = ${conditions.param(condition.value)}`
    case "contained": {
      const pattern = conditions.param(containing(condition.text))
      return `(${condition.fields.map((field) => `${searchedColumn(field)} LIKE ${pattern}`).join(" OR ")})`
    }
    case "at_least":
      return atLeast(columnOf(condition.field), conditions.param(condition.bound), sortKey)
    case "at_most":
      return `${columnOf(condition.field)} <= ${conditions.param(condition.bound)}`
    case "at_most_or_on": {
      const column = columnOf(condition.field)
      const bound = conditions.param(condition.bound)
      const shelves = conditions.param(distinct(condition.shelves))
      return `(${column} <= ${bound} OR ${column} IS NULL AND shelf = ANY (${shelves}::text[]))`
    }
  }
}

/** A shorter text has no trigram: the index by keyword would be gone through whole, which takes longer than all articles. */
const SHORTEST_INDEXED = 3

/**
 * On a page, IS keeps the planner from joining the articles, for which it would go through all of them first: whether a site has any is
 * looked up for each one until the page is full. A count joins them. The articles of a keyword are found by their index, once.
 */
const addArticles = (conditions: Conditions, articles: NonNullable<SiteSearch["articles"]>, isPage: boolean): void => {
  const { hasArticles, articleQuery, nowMs } = articles
  const free = isFreeAt(conditions.param(nowMs))
  if (hasArticles !== undefined) {
    const exists = `EXISTS (SELECT FROM articles r WHERE r.site_id = sites.site_id AND ${free})`
    conditions.add(`${hasArticles ? "" : "NOT "}${exists}${isPage ? " IS TRUE" : ""}`)
  }
  if (articleQuery !== undefined) {
    const text = foldText(articleQuery)
    const keywords = [...text].length < SHORTEST_INDEXED ? "(r.keywords_folded || '')" : "r.keywords_folded"
    const ranks = `SELECT r.site_id FROM articles r WHERE ${free} AND ${keywords} LIKE ${conditions.param(containing(text))}`
    conditions.add(`(site_id IN (${ranks})) IS TRUE`)
  }
}

type Searched = Pick<SiteSearch, "filter" | "articles">

/** `sort`: of a page; without it, for a count. */
const clausesOf = ({ filter, articles }: Searched, sort?: Sort): Conditions => {
  const conditions = new Conditions()
  for (const condition of conditionsOf(filter)) conditions.add(clauseOf(conditions, condition, SORT_KEYS[sort ?? "id"]))
  if (articles !== undefined) addArticles(conditions, articles, sort !== undefined)
  return conditions
}

const counted = ({ sql, params }: Conditions): Statement => ({
  sql: `SELECT count(*)::int AS total FROM sites WHERE ${sql}`,
  params
})

export const countOf = (searched: Searched): Statement => counted(clausesOf(searched))

/** The matches among `exceptSiteIds`. */
export const countExcepted = ({ filter: { exceptSiteIds = [], ...filter }, ...searched }: Searched): Statement => {
  const conditions = clausesOf({ ...searched, filter })
  conditions.add(`site_id = ANY (${conditions.param(bigintArray(exceptSiteIds))}::bigint[])`)
  return counted(conditions)
}

/** Sort keys are integers, but the cursor of a client may contain any number. */
const toInteger = (value: number): number =>
  Math.min(Math.max(Math.floor(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)

/** Before every site, in every order. */
const BEFORE_ALL: SortKey = { rank: Number.MIN_SAFE_INTEGER, siteId: Number.MIN_SAFE_INTEGER }

const afterPosition = (conditions: Conditions, column: string | null, position: SortKey): void => {
  if (column === null) conditions.add(`site_id > ${conditions.param(position.siteId)}`)
  else {
    const key = conditions.param(toInteger(position.rank))
    conditions.add(`(${column}, site_id) > (${key}::bigint, ${conditions.param(position.siteId)}::bigint)`)
  }
}

/** One more than the largest page, to see whether another follows. */
const MAX_ROWS = MAX_PAGE_SIZE + 1

interface PageWindow {
  /** The page's ids with their sort keys, one more than the limit if there is one. */
  readonly ids: string
  /** The order of `ids`. */
  readonly order: string
  readonly params: ReadonlyArray<unknown>
}

/**
 * All pages of a list are the same statement with a constant upper limit, so that the database prefers one generic plan to planning each
 * page. Only pages by offset are another statement. Of several shelves, the first sites of each are looked up by the index of its order,
 * because in an order of strength all sites of another shelf may come before them.
 */
const windowOf = ({ filter, sort, start, limit, ...searched }: SiteSearch): PageWindow => {
  const { shelves = [], ...others } = filter
  const isMerged = distinct(shelves).length > 1
  const conditions = clausesOf({ ...searched, filter: isMerged ? others : filter }, sort)
  const column = SORT_KEYS[sort]
  const skipped = start.kind === "offset" ? start.offset : 0
  if (skipped === 0) afterPosition(conditions, column, start.kind === "after" ? start.sortKey : BEFORE_ALL)
  const order = column === null ? "site_id" : "rank, site_id"
  const columns = column === null ? "site_id" : `${column} AS rank, site_id`
  const size = conditions.param(limit + 1)
  const skip = skipped === 0 ? undefined : conditions.param(skipped)
  const matching = `FROM sites WHERE ${conditions.sql}`
  const window = `ORDER BY ${order} LIMIT ${MAX_ROWS}${skip === undefined ? "" : ` OFFSET ${skip}`}`
  const ahead = isMerged
    ? `SELECT firsts.* FROM unnest(${conditions.param(distinct(shelves))}::text[]) AS asked (shelf) CROSS JOIN LATERAL (
      SELECT ${columns} ${matching} AND shelf = asked.shelf
      ORDER BY ${order} LIMIT ${skip === undefined ? MAX_ROWS : `${MAX_ROWS} + ${skip}`}
    ) firsts ${window}`
    : `SELECT ${columns} ${matching} ${window}`
  return { ids: `SELECT * FROM (${ahead}) ahead ORDER BY ${order} LIMIT ${size}`, order, params: conditions.params }
}

const siteList = sites.list("s")

/** One row: the version of the catalogue, and the sites in order, one more than the limit if there is one. */
export const pageOf = (page: SiteSearch): Statement => {
  const { ids, order, params } = windowOf(page)
  return {
    sql: `SELECT shop.catalogue, (
      SELECT coalesce(json_agg(${siteList} ORDER BY ${order}), '[]') FROM (${ids}) page JOIN sites s USING (site_id)
    ) AS sites FROM shop`,
    params
  }
}

/** The same with ids in the place of the sites, which costs the database half as much or less. */
export const idsOf = (page: SiteSearch): Statement => {
  const { ids, order, params } = windowOf(page)
  return {
    sql: `SELECT shop.catalogue, (SELECT coalesce(json_agg(site_id ORDER BY ${order}), '[]') FROM (${ids}) page) AS ids FROM shop`,
    params
  }
}
