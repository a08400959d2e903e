// The search that a catalogue query asks for: its filter, and its place, which a cursor binds to filter and sort.
import { Result, Schema } from "effect"
import type { PageStart, SiteFilter, Sort, SortKey } from "#core/domain/catalogue/Catalogue.ts"
import type { CursorInvalid } from "#core/domain/shared/RequestRefusal.ts"
import { centsOfEur } from "../schema/Amount.ts"
import { hostOf } from "../schema/DomainName.ts"
import { PAGE_SIZE, pageCursor } from "../schema/Paging.ts"
import type { CatalogQuery } from "./Catalog.ts"

const siteCursor = pageCursor<SortKey, unknown>("sites", Schema.Struct({ rank: Schema.Finite, siteId: Schema.Int }))

/** Without order and repetition, which change nothing, so that a cursor stays good. */
const asSet = <Value extends string>(values: ReadonlyArray<Value>): ReadonlyArray<Value> => [...new Set(values)].sort()

const readFilter = (query: CatalogQuery): SiteFilter => ({
  ...(query.niche === undefined ? {} : { niches: asSet(query.niche) }),
  ...(query.shelf === undefined ? {} : { shelves: asSet(query.shelf) }),
  ...(query.query === undefined ? {} : { query: query.query }),
  ...(query.language === undefined ? {} : { languages: asSet(query.language) }),
  ...(query.link_rel === undefined ? {} : { linkRel: query.link_rel }),
  ...(query.min_tf === undefined ? {} : { minTf: query.min_tf }),
  ...(query.min_traffic === undefined ? {} : { minTraffic: query.min_traffic }),
  ...(query.max_price_eur === undefined ? {} : { maxPriceCents: centsOfEur(query.max_price_eur) })
})

/** What a cursor is bound to. */
const filtersOf = (filter: SiteFilter, notLinkingTo: string | undefined, sort: string) => ({
  filter: { ...filter, ...(notLinkingTo === undefined ? {} : { notLinkingTo }) },
  sort
})

const readStart = (
  { cursor, offset }: CatalogQuery,
  filters: ReturnType<typeof filtersOf>
): Result.Result<PageStart, CursorInvalid> =>
  cursor === undefined
    ? Result.succeed({ kind: "offset", offset: offset ?? 0 })
    : Result.map(siteCursor.read(filters, cursor), (sortKey) => ({ kind: "after", sortKey }))

export interface CatalogSearch {
  readonly search: {
    readonly filter: SiteFilter
    readonly sort: Sort
    readonly start: PageStart
    readonly limit: number
  }
  /** `not_linking_to` as the host of a URL. */
  readonly domain: string | undefined
  /** The cursor of the page that begins after this site. */
  readonly cursorOf: (after: SortKey) => string
}

export const readSearch = (query: CatalogQuery): Result.Result<CatalogSearch, CursorInvalid> => {
  const { sort = "id", limit = PAGE_SIZE } = query
  const filter = readFilter(query)
  const domain = query.not_linking_to === undefined ? undefined : hostOf(query.not_linking_to)
  const filters = filtersOf(filter, domain, sort)
  return Result.map(readStart(query, filters), (start) => ({
    search: { filter, sort, start, limit },
    domain,
    cursorOf: (after) => siteCursor.write(filters, after)
  }))
}
