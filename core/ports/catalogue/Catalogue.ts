// Reads sites and articles. They are listed, reserved and sold through the order book.
import { Context, type Effect } from "effect"
import type { Article, Measured, PageStart, Site, Sort, SortKey } from "#core/domain/catalogue/Catalogue.ts"
import type { Facets } from "#core/domain/catalogue/CatalogueFacets.ts"
import type { ArticleFilter, SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"
import type { Millis, Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface SiteSearch {
  readonly filter: SiteFilter
  /** Which articles take a link follows from the time. */
  readonly articles?: ArticleFilter & { readonly nowMs: Millis }
  readonly sort: Sort
  readonly start: PageStart
  /** 1 to `MAX_PAGE_SIZE`. */
  readonly limit: number
}

export interface SitePage {
  readonly sites: ReadonlyArray<Site>
  /** The number of matches over all pages. */
  readonly total: number
  readonly next: SortKey | null
}

/** An account's links of one mode into a domain, which is a host name in lower case. */
export interface LinksInto {
  readonly accountId: AccountId
  readonly mode: Mode
  readonly domain: string
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
    /**
     * Changes whenever sites are listed: at once after a listing by this instance, within a second after another's. What is read after
     * it is at least as new.
     */
    readonly version: Effect.Effect<string, StoreUnavailable>
    /** Open sites that match, in the order of `sort` (ties by id). */
    readonly search: (query: SiteSearch) => Effect.Effect<SitePage, StoreUnavailable>
    /** What the open sites can be filtered by. */
    readonly facets: Effect.Effect<Facets, StoreUnavailable>
    /** A site by id, open or not; `null` if there is none. */
    readonly site: (siteId: number, nowMs: Millis) => Effect.Effect<SiteDetails | null, StoreUnavailable>
    /**
     * The sites on which the account has, in this mode, a link to the domain or a subdomain of it that is not cancelled, or has
     * asked for one in a quote that can still be paid.
     */
    readonly linkingTo: (
      query: LinksInto & { readonly nowMs: Millis }
    ) => Effect.Effect<ReadonlySet<number>, StoreUnavailable>
    /** Those that there are of these ids, open or not, in any order. */
    readonly sites: (siteIds: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Site>, StoreUnavailable>
    /** Those of the sites that take orders. */
    readonly openOf: (siteIds: ReadonlyArray<number>) => Effect.Effect<ReadonlySet<number>, StoreUnavailable>
    /** The ids of sites by their domains, which are host names in lower case; of an open one where several have a domain. */
    readonly siteIdsOf: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, StoreUnavailable>
    readonly articles: (query: {
      readonly siteId: number
      readonly limit: number
      readonly afterId: number | null
      readonly nowMs: Millis
    }) => Effect.Effect<ArticlePage, StoreUnavailable>
  }
>()("backlinks/ports/catalogue/Catalogue") {}
