// Lists sites, articles, promotion codes and AI-visibility projects. Listing an item again replaces its description and keeps its sales
// state.
import { HashSet, Result } from "effect"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import { ProjectNotFound, SiteNotFound } from "#core/domain/catalogue/CatalogueRefusal.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { normaliseCode, type Promo } from "#core/domain/pricing/Promo.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft } from "../Draft.ts"

export type SiteListing = Omit<Site, "updatedAtMs">
export type ArticleListing = Omit<Article, "sale">
export type PromoListing = Omit<Promo, "redeemed" | "redeemedBy" | "reservations">
export type ProjectListing = Omit<Project, "updatedAtMs">

export interface Listing {
  readonly sites: ReadonlyArray<SiteListing>
  readonly articles: ReadonlyArray<ArticleListing>
  readonly promos: ReadonlyArray<PromoListing>
  readonly projects: ReadonlyArray<ProjectListing>
  readonly opportunities: ReadonlyArray<Opportunity>
}

export const emptyListing: Listing = { sites: [], articles: [], promos: [], projects: [], opportunities: [] }

const checkReferences = (
  books: Books,
  listing: Listing
): Result.Result<void, SiteNotFound | AccountNotFound | ProjectNotFound> => {
  const listed = new Set(listing.sites.map(({ siteId }) => siteId))
  for (const { siteId } of listing.articles) {
    if (!listed.has(siteId) && find(books.sites, siteId) === undefined) return Result.fail(new SiteNotFound({ siteId }))
  }
  for (const { accountId } of listing.projects) {
    if (find(books.accounts, accountId) === undefined) return Result.fail(new AccountNotFound({ accountId }))
  }
  const projects = new Set(listing.projects.map(({ projectId }) => projectId))
  for (const { projectId } of listing.opportunities) {
    if (!projects.has(projectId) && find(books.projects, projectId) === undefined) {
      return Result.fail(new ProjectNotFound({ projectId }))
    }
  }
  return Result.void
}

const listForSale = (draft: Draft, { sites, articles, promos }: Listing): void => {
  for (const site of sites) draft.record({ _tag: "SiteListed", site: { ...site, updatedAtMs: draft.context.nowMs } })
  for (const article of articles) {
    const sale = find(draft.books.articles, article.articleId)?.sale ?? { state: "free" as const }
    draft.record({ _tag: "ArticleListed", article: { ...article, sale } })
  }
  for (const promo of promos) {
    const code = normaliseCode(promo.code)
    const known = find(draft.books.promos, code)
    const use = {
      redeemed: known?.redeemed ?? 0,
      redeemedBy: known?.redeemedBy ?? HashSet.empty<string>(),
      reservations: known?.reservations ?? []
    }
    draft.record({ _tag: "PromoDefined", promo: { ...promo, code, ...use } })
  }
}

export const list =
  (listing: Listing, actor: Actor | null): Decide<Listing, SiteNotFound | AccountNotFound | ProjectNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      yield* checkReferences(books, listing)
      const draft = new Draft(books, context)
      listForSale(draft, listing)
      for (const project of listing.projects) {
        draft.record({ _tag: "ProjectSaved", project: { ...project, updatedAtMs: context.nowMs } })
      }
      for (const opportunity of listing.opportunities) draft.record({ _tag: "OpportunitySaved", opportunity })
      const { sites, articles, promos, projects, opportunities } = listing
      const details = {
        sites: sites.length,
        articles: articles.length,
        promos: promos.length,
        projects: projects.length,
        opportunities: opportunities.length
      }
      audit(draft, actor, { action: "catalogue.list", subject: "catalogue", accountId: null, details })
      return draft.decided(listing)
    })
