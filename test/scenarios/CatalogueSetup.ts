// What a scenario puts into the catalogue, each item under a number of its own. An item with a known number replaces the old one.
import { Effect } from "effect"
import { emptyListing, type Listing } from "#core/decisions/Listings.ts"
import type { Article, Site } from "#core/domain/Catalogue.ts"
import type { Promo } from "#core/domain/Promo.ts"
import type { Opportunity, Project } from "#core/domain/Visibility.ts"
import { UpdateCatalogue } from "#core/usecases/UpdateCatalogue.ts"
import * as Given from "#test/core/Given.ts"
import { UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { by } from "./Buyers.ts"

const list = Effect.fnUntraced(function* (changes: Partial<Listing>) {
  const { update: list } = yield* UpdateCatalogue
  yield* list({ ...emptyListing, ...changes }, by)
})

const number = Effect.flatMap(UniqueNumbers, ({ next }) => next)

/** By default a Plancton site (5.00 EUR). */
export const listSite = Effect.fnUntraced(function* (over: Partial<Site> = {}) {
  const site = Given.site(over.siteId ?? (yield* number), over)
  yield* list({ sites: [site] })
  return site
})

const article = Effect.fnUntraced(function* (siteId: number, over: Partial<Article> = {}) {
  return Given.article(over.articleId ?? (yield* number), { siteId, ...over })
})

export const listArticle = Effect.fnUntraced(function* (siteId: number, over: Partial<Article> = {}) {
  const one = yield* article(siteId, over)
  yield* list({ articles: [one] })
  return one
})

/** All in one update of the catalogue. */
export const listArticles = Effect.fnUntraced(function* (
  wishes: ReadonlyArray<Pick<Article, "siteId" | "priceCents">>
) {
  const articles = yield* Effect.all(wishes.map((wish) => article(wish.siteId, wish)))
  if (articles.length > 0) yield* list({ articles })
  return articles
})

/** By default ten percent off. */
export const definePromo = Effect.fnUntraced(function* (over: Partial<Promo> = {}) {
  const promo = Given.promo(over.code ?? `CODE${yield* number}`, over)
  yield* list({ promos: [promo] })
  return promo
})

export const startProject = Effect.fnUntraced(function* (accountId: string, over: Partial<Project> = {}) {
  const project = Given.project(over.projectId ?? `prj_${yield* number}`, accountId, over)
  yield* list({ projects: [project] })
  return project
})

export const findOpportunity = Effect.fnUntraced(function* (projectId: string, over: Partial<Opportunity> = {}) {
  const opportunity = Given.opportunity(`opp_${yield* number}`, { projectId, ...over })
  yield* list({ opportunities: [opportunity] })
  return opportunity
})
