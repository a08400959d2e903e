// The operator lists items for sale. Listing an item again changes its description and keeps its sales state.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { emptyBooks, find } from "#core/decisions/Books.ts"
import {
  type ArticleListing,
  emptyListing,
  judge,
  type Listing,
  list,
  type PromoListing,
  type SiteListing
} from "#core/decisions/catalogue/Listings.ts"
import { missingOf } from "#core/decisions/catalogue/MissingReferences.ts"
import { switchFulfilment } from "#core/decisions/operations/SwitchFulfilment.ts"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { AccountId, OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import {
  article,
  given,
  HOUR_MS,
  insertion,
  NOON,
  opportunity,
  orderBy,
  project,
  promo,
  site
} from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const siteListing = ({ updatedAtMs: _, ...listing }: Site): SiteListing => listing
const articleListing = ({ sale: _, ...listing }: Article): ArticleListing => listing
const promoListing = ({ redeemed: _, redeemedBy: __, reservations: ___, ...listing }: Promo): PromoListing => listing

const listed = (listing: Partial<Listing>, books = given(), atMs = NOON) =>
  when(books, list({ ...emptyListing, ...listing }, "olga"), atMs)

describe("a listing", () => {
  it("adds sites, articles and codes", () => {
    const { books, written } = listed(
      {
        sites: [siteListing(site(7))],
        articles: [articleListing(article(70, { siteId: 7 }))],
        promos: [promoListing(promo("new"))]
      },
      emptyBooks
    )
    expect(find(books.sites, 7)).toEqual(site(7))
    expect(find(books.articles, 70)).toEqual(article(70, { siteId: 7 }))
    expect(find(books.promos, "NEW")).toEqual(promo("NEW"))
    expect(written).toEqual(["SiteListed", "ArticleListed", "PromoDefined", "AuditRecorded"])
  })

  it("adds projects and their opportunities", () => {
    const { updatedAtMs: _, ...one } = project("prj_new", "acc_rich")
    const { books, written } = listed({
      projects: [one],
      opportunities: [opportunity("opp_new", { projectId: ProjectId.make("prj_new") })]
    })
    expect(find(books.projects, ProjectId.make("prj_new"))).toEqual(project("prj_new", "acc_rich"))
    expect(find(books.opportunities, OpportunityId.make("opp_new"))).toEqual(
      opportunity("opp_new", { projectId: ProjectId.make("prj_new") })
    )
    expect(written).toEqual(["ProjectSaved", "OpportunitySaved", "AuditRecorded"])
  })

  it("is dated, returned unchanged, and audited with its counts and ids", () => {
    const listing = { ...emptyListing, sites: [siteListing(site(7)), siteListing(site(8))] }
    const { books, reply } = listed(listing, emptyBooks, NOON + HOUR_MS)
    expect(find(books.sites, 7)?.updatedAtMs).toBe(NOON + HOUR_MS)
    expect(reply).toEqual(listing)
    expect([...HashMap.values(books.audit)]).toMatchObject([
      {
        actor: "olga",
        action: "catalogue.list",
        details: { sites: 2, articles: 0, promos: 0, projects: 0, opportunities: 0, site_ids: "7, 8" }
      }
    ])
  })
})

describe("listing again", () => {
  it("replaces the description", () => {
    const { books } = listed({ sites: [siteListing(site(1, { shelf: "Corail", tf: 77, open: false }))] })
    expect(find(books.sites, 1)).toMatchObject({ shelf: "Corail", tf: 77, open: false })
    expect(HashMap.size(books.sites)).toBe(HashMap.size(given().sites))
  })

  it("keeps reserved and sold articles so", () => {
    const again = { articles: [articleListing(article(11, { priceCents: 999 }))] }
    const reserved = placed(given(), orderBy("key_poor", { items: [insertion(11)] }))
    const sold = placed(given(), orderBy("key_rich", { items: [insertion(11)] }))
    for (const { books, quoteId } of [reserved, sold]) {
      const after = known(listed(again, books).books.articles, 11)
      expect(after).toEqual({ ...known(books.articles, 11), priceCents: 999 })
      expect(after.sale).toMatchObject({ quoteId })
    }
  })

  it("keeps the redemptions of a code, in any letter case", () => {
    const used = placed(given(), orderBy("key_rich", { promoCode: "LAST" }))
    const { books } = listed({ promos: [promoListing(promo("last", { maxRedemptions: 2 }))] }, used.books)
    expect(known(books.promos, "LAST")).toEqual({ ...known(used.books.promos, "LAST"), maxRedemptions: 2 })
    expect(known(books.promos, "LAST").redeemed).toBe(1)
    expect(find(books.promos, "last")).toBeUndefined()
  })

  it("does not change the price of an open quote", () => {
    const open = placed(given(), orderBy("key_poor"))
    const { books } = listed({ sites: [siteListing(site(1, { shelf: "Nautilus" }))] }, open.books)
    expect(known(books.quotes, open.quoteId)).toEqual(open.reply.quote)
  })
})

describe("a listing is refused", () => {
  it("for an article of an unknown site", () => {
    const listing = { ...emptyListing, articles: [articleListing(article(70, { siteId: 99 }))] }
    expect(refused(given(), list(listing, null))).toMatchObject({
      _tag: "ListingRefused",
      faults: [{ list: "articles", index: 0, member: "siteId", fault: "missing" }]
    })
  })

  it("naming every row at fault, without writing", () => {
    const { updatedAtMs: _, ...one } = project("prj_new", "acc_none")
    const listing = {
      ...emptyListing,
      articles: [70, 71, 70].map((id) => articleListing(article(id, { siteId: id === 71 ? 1 : 99 }))),
      projects: [one],
      promos: [promoListing(promo("ten")), promoListing(promo("TEN"))]
    }
    const { reply, written } = when(given(), judge(listing))
    expect(reply).toEqual([
      { list: "articles", index: 2, member: "articleId", fault: { sameAs: 0 } },
      { list: "promos", index: 1, member: "code", fault: { sameAs: 0 } },
      { list: "articles", index: 0, member: "siteId", fault: "missing" },
      { list: "articles", index: 2, member: "siteId", fault: "missing" },
      { list: "projects", index: 0, member: "accountId", fault: "missing" }
    ])
    expect(written).toEqual([])
    expect(refused(given(), list(listing, null))).toMatchObject({ _tag: "ListingRefused", faults: reply })
  })

  it("but not for an article of a site in the same listing", () => {
    const { books } = listed({
      sites: [siteListing(site(99))],
      articles: [articleListing(article(70, { siteId: 99 }))]
    })
    expect(find(books.articles, 70)?.siteId).toBe(99)
  })

  it("for a project of an unknown account", () => {
    const { updatedAtMs: _, ...one } = project("prj_new", "acc_none")
    expect(refused(given(), list({ ...emptyListing, projects: [one] }, null))).toMatchObject({
      _tag: "ListingRefused",
      faults: [{ list: "projects", index: 0, member: "accountId", fault: "missing" }]
    })
  })
})

it("reports the unknown ids that a listing refers to, and changes nothing", () => {
  const books = given({ projects: [project("prj_1", "acc_rich")] })
  const all = {
    siteIds: [1, 77],
    accountIds: [AccountId.make("acc_none"), AccountId.make("acc_rich")],
    projectIds: [ProjectId.make("prj_1"), ProjectId.make("prj_2")]
  }
  const { reply, written } = when(books, missingOf(all))
  expect(reply).toEqual({ siteIds: [77], accountIds: ["acc_none"], projectIds: ["prj_2"] })
  expect(written).toEqual([])
})

describe("the fulfilment switch", () => {
  it("stays as set, and is audited", () => {
    const { reply, books } = when(given(), switchFulfilment("manual", "olga"))
    expect([reply, books.fulfilment]).toEqual(["manual", "manual"])
    expect([...HashMap.values(books.audit)]).toMatchObject([
      { action: "fulfilment.switch", details: { fulfilment: "manual" } }
    ])
    expect(when(books, switchFulfilment("auto", null)).books.fulfilment).toBe("auto")
  })
})
