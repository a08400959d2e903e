// Sites, articles, promotion codes and projects for tests, each under its own number, added to the catalogue by `list`.
import { Effect } from "effect"
import type { Listing } from "#core/decisions/catalogue/Listings.ts"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { type AccountId, OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import * as Given from "#test/core/Given.ts"
import { UniqueNumbers } from "../StoreSuite.ts"

const number = Effect.flatMap(UniqueNumbers, ({ next }) => next)

/** An item with a known id replaces the old one. */
export const catalogueItems = <E, R>(list: (items: Partial<Listing>) => Effect.Effect<unknown, E, R>) => ({
  /** A Plancton site (5.00 EUR) by default. */
  listSite: Effect.fnUntraced(function* (over: Partial<Site> = {}) {
    const site = Given.site(over.siteId ?? (yield* number), over)
    yield* list({ sites: [site] })
    return site
  }),
  listArticle: Effect.fnUntraced(function* (siteId: number, over: Partial<Article> = {}) {
    const article = Given.article(over.articleId ?? (yield* number), { siteId, ...over })
    yield* list({ articles: [article] })
    return article
  }),
  /** Ten percent off by default. */
  definePromo: Effect.fnUntraced(function* (over: Partial<Promo> = {}) {
    const promo = Given.promo(over.code ?? `CODE${yield* number}`, over)
    yield* list({ promos: [promo] })
    return promo
  }),
  createProject: Effect.fnUntraced(function* (accountId: AccountId, over: Partial<Project> = {}) {
    const project = Given.project(over.projectId ?? ProjectId.make(`prj_${yield* number}`), accountId, over)
    yield* list({ projects: [project] })
    return project
  }),
  createOpportunity: Effect.fnUntraced(function* (projectId: ProjectId, over: Partial<Opportunity> = {}) {
    const opportunity = Given.opportunity(OpportunityId.make(`opp_${yield* number}`), { projectId, ...over })
    yield* list({ opportunities: [opportunity] })
    return opportunity
  })
})
