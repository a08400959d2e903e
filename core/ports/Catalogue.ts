// Reads sites and articles. They are listed, reserved and sold through the order book.
import { Context, type Effect } from "effect"
import type { Article, Measured, PageStart, Site, SiteFilter, Sort, SortKey } from "#core/domain/Catalogue.ts"
import type { Facets } from "#core/domain/CatalogueFacets.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export interface SitePage {
  readonly sites: ReadonlyArray<Site>
  /** The number of matches over all pages. */
  readonly total: number
  readonly next: SortKey | null
}

export interface SiteDetails {
  readonly site: Site
  /** Articles that are neither sold nor reserved by an open quote. */
  readonly articlesAvailable: number
  readonly measured: Measured | null
}

export interface ArticlePage {
  /** Free articles only, by id. */
  readonly articles: ReadonlyArray<Article>
  readonly nextAfterId: number | null
}

export class Catalogue extends Context.Service<
  Catalogue,
  {
    /** Open sites that match, in the order of `sort` (ties by id). `limit` is 1 to `MAX_PAGE_SIZE`. */
    readonly search: (query: {
      readonly filter: SiteFilter
      readonly sort: Sort
      readonly start: PageStart
      readonly limit: number
    }) => Effect.Effect<SitePage, StoreUnavailable>
    /** What the open sites can be filtered by. */
    readonly facets: Effect.Effect<Facets, StoreUnavailable>
    /** A site by id, open or not; `null` if there is none. */
    readonly site: (siteId: number, nowMs: Millis) => Effect.Effect<SiteDetails | null, StoreUnavailable>
    /** Those of the sites that take orders. */
    readonly openOf: (siteIds: ReadonlyArray<number>) => Effect.Effect<ReadonlySet<number>, StoreUnavailable>
    readonly articles: (query: {
      readonly siteId: number
      readonly limit: number
      readonly afterId: number | null
      readonly nowMs: Millis
    }) => Effect.Effect<ArticlePage, StoreUnavailable>
  }
>()("backlinks/ports/Catalogue") {}
