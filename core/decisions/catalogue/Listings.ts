// Lists sites, articles, promotion codes and AI-visibility projects. Listing an item again replaces its description and keeps its sales
// state.
import { Array, HashMap, HashSet, Result } from "effect"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import { ListingRefused, type RowFault } from "#core/domain/catalogue/CatalogueRefusal.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { normaliseCode, type Promo } from "#core/domain/pricing/Promo.ts"
import type { AccountId, ProjectId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"

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

type Member = RowFault["member"]

/** Rows whose id an earlier row of the list has; which of them counts would be left open. */
const repeated = (
  list: keyof Listing,
  member: Member,
  ids: ReadonlyArray<string | number>
): ReadonlyArray<RowFault> => {
  const firstOf = new Map<string | number, number>()
  return ids.flatMap((id, index) => {
    const sameAs = firstOf.get(id)
    if (sameAs !== undefined) return [{ list, index, member, fault: { sameAs } }]
    firstOf.set(id, index)
    return []
  })
}

/** Rows that refer to nothing. */
const missing = (list: keyof Listing, member: Member, areThere: ReadonlyArray<boolean>): ReadonlyArray<RowFault> =>
  areThere.flatMap((isThere, index) => (isThere ? [] : [{ list, index, member, fault: "missing" }]))

/** All rows that cannot be listed: a listing is refused as a whole, so the operator learns of each of them at once. */
export const faultsOf = (books: Books, listing: Listing): ReadonlyArray<RowFault> => {
  const { sites, articles, promos, projects, opportunities } = listing
  const listedSites = new Set(sites.map(({ siteId }) => siteId))
  const listedProjects = new Set(projects.map(({ projectId }) => projectId))
  const hasSite = (id: number): boolean => listedSites.has(id) || HashMap.has(books.sites, id)
  const hasProject = (id: ProjectId): boolean => listedProjects.has(id) || HashMap.has(books.projects, id)
  const hasAccount = (id: AccountId): boolean => HashMap.has(books.accounts, id)
  return [
    ...repeated(
      "sites",
      "siteId",
      sites.map(({ siteId }) => siteId)
    ),
    ...repeated(
      "articles",
      "articleId",
      articles.map(({ articleId }) => articleId)
    ),
    ...repeated(
      "promos",
      "code",
      promos.map(({ code }) => normaliseCode(code))
    ),
    ...repeated(
      "projects",
      "projectId",
      projects.map(({ projectId }) => projectId)
    ),
    ...repeated(
      "opportunities",
      "opportunityId",
      opportunities.map(({ opportunityId }) => opportunityId)
    ),
    ...missing(
      "articles",
      "siteId",
      articles.map(({ siteId }) => hasSite(siteId))
    ),
    ...missing(
      "projects",
      "accountId",
      projects.map(({ accountId }) => hasAccount(accountId))
    ),
    ...missing(
      "opportunities",
      "projectId",
      opportunities.map(({ projectId }) => hasProject(projectId))
    )
  ]
}

/** Judges a listing without writing it. */
export const judge =
  (listing: Listing): Decide<ReadonlyArray<RowFault>, never> =>
  (books) =>
    Result.succeed(unchanged(faultsOf(books, listing)))

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
  (listing: Listing, actor: Actor | null): Decide<Listing, ListingRefused> =>
  (books, context) =>
    Result.gen(function* () {
      const faults = faultsOf(books, listing)
      if (Array.isReadonlyArrayNonEmpty(faults)) return yield* Result.fail(new ListingRefused({ faults }))
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
