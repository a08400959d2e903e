// The domain of a site: one site has it, it changes on purpose only once the site was ordered, and the audit log says from what to what.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { emptyListing, faultsOf, list, type SiteListing } from "#core/decisions/catalogue/Listings.ts"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import { given, site } from "#test/core/Given.ts"
import { refused, when } from "#test/core/RunDecision.ts"

const siteListing = ({ updatedAtMs: _, ...listing }: Site): SiteListing => listing

describe("the domain of a site", () => {
  const inShop = (ordered: ReadonlyArray<number> = []): Books => ({
    ...given(),
    siteDomains: {
      bySite: new Map([...HashMap.values(given().sites)].map(({ siteId, domain }) => [siteId, domain])),
      ordered: new Set(ordered),
      stem: ""
    }
  })
  const moved = (siteId: number, domain: string) => siteListing(site(siteId, { domain }))
  const faults = (sites: ReadonlyArray<SiteListing>, books = inShop(), changeDomain = false) =>
    faultsOf(books, { ...emptyListing, sites }, changeDomain).map(({ index, member, fault }) => [index, member, fault])

  it("is that of one site, however it is spelled", () => {
    for (const domain of ["site2.example", "SITE2.example", "ｓｉｔｅ２.example", "site2.example."]) {
      expect(faults([moved(7, domain)])).toEqual([[0, "domain", { heldBy: 2 }]])
      expect(faults([moved(1, domain)])).toEqual([[0, "domain", { heldBy: 2 }]])
    }
    expect(faults([moved(7, "bücher.example"), moved(8, "xn--bcher-kva.example")])).toEqual([
      [1, "domain", { sameAs: 0 }]
    ])
    expect(faults([moved(7, "site7.example"), siteListing(site(1))])).toEqual([])
  })

  it("may be exchanged by one listing", () => {
    expect(faults([moved(1, "site2.example"), moved(2, "site1.example")])).toEqual([])
    expect(faults([moved(7, "site2.example"), moved(2, "new.example")])).toEqual([])
  })

  it("may stay where two sites have had it before", () => {
    const books = {
      ...inShop(),
      siteDomains: {
        ...inShop().siteDomains,
        bySite: new Map([
          [1, "a.example"],
          [2, "a.example"]
        ])
      }
    }
    expect(faults([moved(1, "a.example"), moved(2, "a.example")], books)).toEqual([])
    expect(faults([moved(7, "A.example"), moved(1, "a.example")], books)).toEqual([[0, "domain", { sameAs: 1 }]])
    expect(faults([moved(7, "A.example")], books)).toMatchObject([[0, "domain", {}]])
  })

  it("changes on purpose only, once the site was ordered", () => {
    const refusal = [[0, "domain", { orderedAs: "site1.example" }]]
    expect(faults([moved(1, "other.example")], inShop([1]))).toEqual(refusal)
    expect(faults([moved(1, "other.example")], inShop([1]), true)).toEqual([])
    expect(faults([moved(1, "other.example")])).toEqual([])
    expect(faults([moved(1, "SITE1.example")], inShop([1]))).toEqual([])
    const listing = { ...emptyListing, sites: [moved(1, "other.example")] }
    expect(refused(inShop([1]), list(listing, "olga"))).toMatchObject({ _tag: "ListingRefused" })
    const { books } = when(inShop([1]), list(listing, "olga", true))
    const records = [...HashMap.values(books.audit)].toSorted((one, other) => (one.action < other.action ? -1 : 1))
    expect(records).toMatchObject([
      { action: "catalogue.list", details: { sites: 1, site_ids: "1" } },
      {
        actor: "olga",
        action: "site.replace",
        subject: "1",
        details: { before: '{"domain":"site1.example"}', after: '{"domain":"other.example"}' }
      }
    ])
  })
})
