// What a scenario puts into the catalogue, by the operator's use case.
import { Effect } from "effect"
import { emptyListing, type Listing } from "#core/decisions/catalogue/Listings.ts"
import type { Article } from "#core/domain/catalogue/Catalogue.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import * as Given from "#test/core/Given.ts"
import { catalogueItems } from "#test/core/ports/catalogue/CatalogueItems.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { by } from "./Buyers.ts"

const update = Effect.fnUntraced(function* (changes: Partial<Listing>) {
  const { update } = yield* UpdateCatalogue
  yield* update({ ...emptyListing, ...changes }, by)
})

export const { listSite, listArticle, definePromo, createProject, createOpportunity } = catalogueItems(update)

/** Any number of articles in one update of the catalogue. */
export const listArticles = Effect.fnUntraced(function* (
  wishes: ReadonlyArray<Pick<Article, "siteId" | "priceCents">>
) {
  const { next } = yield* UniqueNumbers
  const articles = yield* Effect.all(wishes.map((wish) => Effect.map(next, (id) => Given.article(id, wish))))
  if (articles.length > 0) yield* update({ articles })
  return articles
})
