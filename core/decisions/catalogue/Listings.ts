// Lists sites, articles, promotion codes and AI-visibility projects. Listing an item again replaces its description and keeps its sales
// state.
import { Array, HashMap, HashSet, Result } from "effect"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import { ListingRefused, type RowFault } from "#core/domain/catalogue/CatalogueRefusal.ts"
import { domainKey } from "#core/domain/catalogue/SiteDomain.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { normaliseCode, type Promo } from "#core/domain/pricing/Promo.ts"
import { type Books, find } from "../Books.ts"
import { type Decide, Draft, unchanged } from "../Draft.ts"
import { auditListing } from "./ListingAudit.ts"

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
const repeated = <Name extends Member>(
  list: keyof Listing,
  member: Name,
  rows: ReadonlyArray<{ readonly [Of in Name]: string | number }>
): ReadonlyArray<RowFault> => {
  const firstOf = new Map<string | number, number>()
  return rows.flatMap(({ [member]: id }, index) => {
    const sameAs = firstOf.get(id)
    if (sameAs !== undefined) return [{ list, index, member, fault: { sameAs } }]
    firstOf.set(id, index)
    return []
  })
}

/** Rows that refer to nothing. */
const missing = <Name extends Member, Row extends { readonly [Of in Name]: unknown }>(
  list: keyof Listing,
  member: Name,
  rows: ReadonlyArray<Row>,
  isThere: (id: Row[Name]) => boolean
): ReadonlyArray<RowFault> =>
  rows.flatMap((row, index) => (isThere(row[member]) ? [] : [{ list, index, member, fault: "missing" }]))

/**
 * Rows that give a site a domain which another has, or another domain although it was ordered. A domain that two sites have had before this
 * rule may stay where it is.
 */
const domainFaults = (
  { siteDomains: { bySite, ordered } }: Books,
  sites: ReadonlyArray<SiteListing>,
  changeDomain: boolean
): ReadonlyArray<RowFault> => {
  const keys = sites.map(({ domain }) => domainKey(domain))
  const listed = new Set(sites.map(({ siteId }) => siteId))
  const heldBy = new Map(
    [...bySite].flatMap(([id, domain]) => (listed.has(id) ? [] : [[domainKey(domain), id] as const]))
  )
  const isTaken = sites.map(({ siteId }, index) => {
    const before = bySite.get(siteId)
    return before === undefined || domainKey(before) !== keys[index]
  })
  return sites.flatMap(({ siteId }, index): ReadonlyArray<RowFault> => {
    if (!isTaken[index]) return []
    const fault = (why: Exclude<RowFault["fault"], "missing">) => ({
      list: "sites" as const,
      index,
      member: "domain" as const,
      fault: why
    })
    const key = keys[index] ?? ""
    const sameAs = keys.findIndex(
      (other, at) => other === key && at !== index && (at < index || !isTaken[at]) && sites[at]?.siteId !== siteId
    )
    if (sameAs !== -1) return [fault({ sameAs })]
    const holder = heldBy.get(key)
    if (holder !== undefined) return [fault({ heldBy: holder })]
    return ordered.has(siteId) && !changeDomain ? [fault({ orderedAs: bySite.get(siteId) ?? "" })] : []
  })
}

/** All rows that cannot be listed: a listing is refused as a whole, so the operator learns of each of them at once. */
export const faultsOf = (books: Books, listing: Listing, changeDomain: boolean): ReadonlyArray<RowFault> => {
  const { sites, articles, promos, projects, opportunities } = listing
  const listedSites = new Set(sites.map(({ siteId }) => siteId))
  const listedProjects = new Set(projects.map(({ projectId }) => projectId))
  const codes = promos.map(({ code }) => ({ code: normaliseCode(code) }))
  return [
    ...repeated("sites", "siteId", sites),
    ...repeated("articles", "articleId", articles),
    ...repeated("promos", "code", codes),
    ...repeated("projects", "projectId", projects),
    ...repeated("opportunities", "opportunityId", opportunities),
    ...missing("articles", "siteId", articles, (id) => listedSites.has(id) || HashMap.has(books.sites, id)),
    ...missing("projects", "accountId", projects, (id) => HashMap.has(books.accounts, id)),
    ...missing("opportunities", "projectId", opportunities, (id) => {
      return listedProjects.has(id) || HashMap.has(books.projects, id)
    }),
    ...domainFaults(books, sites, changeDomain)
  ]
}

/** Judges a listing without writing it. */
export const judge =
  (listing: Listing, changeDomain = false): Decide<ReadonlyArray<RowFault>, never> =>
  (books) =>
    Result.succeed(unchanged(faultsOf(books, listing, changeDomain)))

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

/** `changeDomain`: also of sites that were ordered. */
export const list =
  (listing: Listing, actor: Actor | null, changeDomain = false): Decide<Listing, ListingRefused> =>
  (books, context) =>
    Result.gen(function* () {
      const faults = faultsOf(books, listing, changeDomain)
      if (Array.isReadonlyArrayNonEmpty(faults)) return yield* Result.fail(new ListingRefused({ faults }))
      const draft = new Draft(books, context)
      listForSale(draft, listing)
      for (const project of listing.projects) {
        draft.record({ _tag: "ProjectSaved", project: { ...project, updatedAtMs: context.nowMs } })
      }
      for (const opportunity of listing.opportunities) draft.record({ _tag: "OpportunitySaved", opportunity })
      auditListing(draft, actor, books, listing)
      return draft.decided(listing)
    })
