// Lists sites, articles, promotion codes and AI-visibility projects: all of a listing or none of it.
import { Context, Effect, Layer } from "effect"
import { emptyListing, judge, type Listing, list } from "#core/decisions/catalogue/Listings.ts"
import { missingOf, type References } from "#core/decisions/catalogue/MissingReferences.ts"
import type { ListingRefused, RowFault } from "#core/domain/catalogue/CatalogueRefusal.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { normaliseCode } from "#core/domain/pricing/Promo.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

const readsFor = ({ sites, articles, promos, projects, opportunities }: Listing) => ({
  _tag: "ForListing" as const,
  siteIds: [...new Set([...sites, ...articles].map(({ siteId }) => siteId))],
  articleIds: articles.map(({ articleId }) => articleId),
  promoCodes: promos.map(({ code }) => normaliseCode(code)),
  projectIds: [...new Set([...projects, ...opportunities].map(({ projectId }) => projectId))],
  opportunityIds: opportunities.map(({ opportunityId }) => opportunityId),
  accountIds: [...new Set(projects.map(({ accountId }) => accountId))],
  ...(sites.length === 0 ? {} : { listedSites: sites.map(({ siteId, domain }) => ({ siteId, domain })) })
})

export class UpdateCatalogue extends Context.Service<
  UpdateCatalogue,
  {
    /** Returns what was listed. `changeDomain`: a site that was ordered may get another domain. */
    readonly update: (
      rows: Partial<Listing>,
      actor: Actor,
      changeDomain?: boolean
    ) => Effect.Effect<Listing, ListingRefused | StoreUnavailable>
    /** Why `update` would refuse the listing now; empty if it would not. */
    readonly judge: (
      rows: Partial<Listing>,
      changeDomain?: boolean
    ) => Effect.Effect<ReadonlyArray<RowFault>, StoreUnavailable>
    /** The ids that do not exist. */
    readonly missing: (references: References) => Effect.Effect<References, StoreUnavailable>
  }
>()("backlinks/usecases/catalogue/UpdateCatalogue") {
  static readonly layer = Layer.effect(
    UpdateCatalogue,
    Effect.gen(function* () {
      const book = yield* OrderBook

      return UpdateCatalogue.of({
        update: Effect.fn("UpdateCatalogue.update")((rows, actor, changeDomain) => {
          const listing = { ...emptyListing, ...rows }
          return book.transact(readsFor(listing), list(listing, actor, changeDomain))
        }),
        judge: Effect.fn("UpdateCatalogue.judge")((rows, changeDomain) => {
          const listing = { ...emptyListing, ...rows }
          return book.transact(readsFor(listing), judge(listing, changeDomain))
        }),
        missing: Effect.fn("UpdateCatalogue.missing")((references) =>
          book.transact({ ...readsFor(emptyListing), ...references }, missingOf(references))
        )
      })
    })
  )
}
