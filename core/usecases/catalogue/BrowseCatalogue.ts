// Searches sites and lists articles. The catalogue is the same for every caller.
import { Clock, Context, Effect, Layer } from "effect"
import { hintFor, type SearchHint, similarNames } from "#core/domain/catalogue/CatalogueFacets.ts"
import { SiteNotFound } from "#core/domain/catalogue/CatalogueRefusal.ts"
import type { ArticleFilter, SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"
import { type ShelfTurnaround, turnaroundWithin } from "#core/domain/catalogue/Turnaround.ts"
import type { Tier2Prices } from "#core/domain/pricing/Pricing.ts"
import {
  type ArticlePage,
  Catalogue,
  type LinksInto,
  type SiteDetails,
  type SitePage,
  type SiteSearch
} from "#core/ports/catalogue/Catalogue.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"

export class BrowseCatalogue extends Context.Service<
  BrowseCatalogue,
  {
    /** The prices of tier-2 packs: the same on every site. */
    readonly tier2PricesCents: Tier2Prices
    /** Days to a link online, on sites without their own number. */
    readonly turnaroundDays: ShelfTurnaround
    readonly version: Catalogue["Service"]["version"]
    /** Leaves out the sites of `notLinking`, and those that take more days, if these are given. */
    readonly search: (
      query: Omit<SiteSearch, "articles"> & {
        readonly articles?: ArticleFilter
        readonly notLinking?: LinksInto
        readonly maxTurnaroundDays?: number
      }
    ) => Effect.Effect<SitePage, StoreUnavailable>
    readonly facets: Catalogue["Service"]["facets"]
    /** For a search without a hit: the names that come nearest to what it asked for, then common ones. */
    readonly hint: (filter: SiteFilter) => Effect.Effect<SearchHint, StoreUnavailable>
    /** The same without names that are only common. */
    readonly similarNames: (filter: SiteFilter) => Effect.Effect<SearchHint, StoreUnavailable>
    /** Open or closed. A closed site has no available articles, because it takes no orders. */
    readonly site: (siteId: number) => Effect.Effect<SiteDetails, SiteNotFound | StoreUnavailable>
    readonly sites: Catalogue["Service"]["sites"]
    /** The available articles, with their site for its shelf price. */
    readonly articles: (query: {
      readonly siteId: number
      readonly limit: number
      readonly afterId: number | null
    }) => Effect.Effect<ArticlePage & SiteDetails, SiteNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/catalogue/BrowseCatalogue") {
  static readonly layer = Layer.effect(
    BrowseCatalogue,
    Effect.gen(function* () {
      const catalogue = yield* Catalogue
      const { settings } = yield* ServiceContext

      const withTurnaround = (filter: SiteFilter, days: number): SiteFilter => ({
        ...filter,
        turnaround: turnaroundWithin(days, settings.turnaroundDays)
      })

      const site = Effect.fn("BrowseCatalogue.site")(function* (siteId: number) {
        const found = yield* catalogue.site(siteId, yield* Clock.currentTimeMillis)
        if (found === null) return yield* new SiteNotFound({ siteId })
        return found.site.open ? found : { ...found, articlesAvailable: 0 }
      })

      return BrowseCatalogue.of({
        tier2PricesCents: settings.tier2PricesCents,
        turnaroundDays: settings.turnaroundDays,
        version: catalogue.version,
        search: Effect.fnUntraced(function* ({ notLinking, maxTurnaroundDays, articles, ...asked }) {
          const nowMs = yield* Clock.currentTimeMillis
          const query = {
            ...asked,
            ...(maxTurnaroundDays === undefined ? {} : { filter: withTurnaround(asked.filter, maxTurnaroundDays) }),
            ...(articles === undefined ? {} : { articles: { ...articles, nowMs } })
          }
          if (notLinking === undefined) return yield* catalogue.search(query)
          const linking = yield* catalogue.linkingTo({ ...notLinking, nowMs })
          const filter = linking.size === 0 ? query.filter : { ...query.filter, exceptSiteIds: [...linking] }
          return yield* catalogue.search({ ...query, filter })
        }),
        facets: catalogue.facets,
        hint: (filter) => Effect.map(catalogue.facets, (facets) => hintFor(filter, facets)),
        similarNames: (filter) => Effect.map(catalogue.facets, (facets) => similarNames(filter, facets)),
        site,
        sites: catalogue.sites,
        articles: Effect.fn("BrowseCatalogue.articles")(function* (query) {
          const details = yield* site(query.siteId)
          if (!details.site.open) return { ...details, articles: [], nextAfterId: null }
          const page = yield* catalogue.articles({ ...query, nowMs: yield* Clock.currentTimeMillis })
          return { ...details, ...page }
        })
      })
    })
  )
}
