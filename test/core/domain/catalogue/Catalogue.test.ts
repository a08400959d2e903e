// Filters, sort keys, and the availability of articles.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  articleIsFree,
  compareSortKeys,
  foldText,
  type Site,
  type Sort,
  sortKeyOf
} from "#core/domain/catalogue/Catalogue.ts"
import { type SiteFilter, siteMatcher } from "#core/domain/catalogue/SiteFilters.ts"
import { SHELVES, shelfTerms } from "#core/domain/pricing/Shelf.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { anySite, shelf, someSites } from "#test/core/Arbitraries.ts"
import { article, NOON, site } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const prices = { Plancton: 500, Corail: 1_500, Nautilus: 3_000 }

describe("shelves", () => {
  it("are three, cheapest first, with these prices and a criterion each", () => {
    expect(SHELVES.map(({ shelf, priceCents }) => [shelf, priceCents])).toEqual(Object.entries(prices))
    expect(SHELVES.every((one) => one.criterion !== "" && shelfTerms(one.shelf) === one)).toBe(true)
  })
})

describe("foldText", () => {
  it.each([
    ["Santé", "sante"],
    ["ÉCONOMIE", "economie"],
    ["  Voyage ", "voyage"],
    ["e\u0301te\u0301", "ete"],
    ["Łódź", "łodz"],
    ["İstanbul", "istanbul"],
    ["Ελλάδα", "ελλαδα"]
  ])("makes %j %j", (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  property("is idempotent, however letter and accent are encoded", [fc.string({ unit: "grapheme" })], (text) => {
    expect(foldText(foldText(text))).toBe(foldText(text))
    expect(foldText(text.normalize("NFD"))).toBe(foldText(text.normalize("NFC")))
  })

  const accented = fc.string({ unit: fc.constantFrom(..."aàâäeéèêëiîïoôöuùûücçnñ -") })

  property("ignores case and accents", [accented], (text) => {
    expect(foldText(text.toUpperCase())).toBe(foldText(text))
    expect(foldText(text)).toMatch(/^[a-z -]*$/)
  })
})

describe("siteMatcher", () => {
  const travel = site(7, { nicheLabel: "Santé & Bien-être", domain: "Mieux-Vivre.example", language: "fr", tf: 20 })

  it.each<readonly [string, SiteFilter, boolean]>([
    ["nothing asked", {}, true],
    ["the niche without accents and in capitals", { niches: ["SANTE & BIEN-ETRE"] }, true],
    ["part of the niche", { niches: ["Santé"] }, false],
    ["the niche among others", { niches: ["Voyage", "sante & bien-etre"] }, true],
    ["its shelf", { shelves: ["Plancton"] }, true],
    ["its shelf among others", { shelves: ["Corail", "Plancton"] }, true],
    ["other shelves", { shelves: ["Corail", "Nautilus"] }, false],
    ["text of the domain", { query: "mieux" }, true],
    ["text of the niche", { query: "bien-etre" }, true],
    ["text of neither", { query: "crypto" }, false],
    ["its language in capitals", { languages: ["en", "FR"] }, true],
    ["another language", { languages: ["en"] }, false],
    ["just its authority", { minTf: 20 }, true],
    ["more authority", { minTf: 21 }, false],
    ["just its traffic", { minTraffic: 5_000 }, true],
    ["more traffic", { minTraffic: 5_001 }, false],
    ["just its price", { maxPriceCents: 500 }, true],
    ["a lower price", { maxPriceCents: 499 }, false],
    ["all that it has", { niches: ["sante & bien-etre"], shelves: ["Plancton"], languages: ["fr"], minTf: 1 }, true],
    [
      "one thing it has not among others",
      { niches: ["sante & bien-etre"], shelves: ["Plancton"], languages: ["de"] },
      false
    ]
  ])("%s", (_, filter, expected) => {
    expect(siteMatcher(filter)(travel)).toBe(expected)
  })

  it("never matches a closed site", () => {
    expect(siteMatcher({})({ ...travel, open: false })).toBe(false)
  })

  const anyFilter: fc.Arbitrary<SiteFilter> = fc.record(
    {
      niches: fc.subarray(["voyage", "sante", "ECONOMIE", "econ"]),
      shelves: fc.uniqueArray(shelf),
      query: fc.constantFrom("santé", "site1", "O", "zzz", ""),
      languages: fc.subarray(["FR", "en", "de"]),
      minTf: fc.integer({ min: 0, max: 6 }),
      minTraffic: fc.integer({ min: 0, max: 4_000 }),
      maxPriceCents: fc.constantFrom(499, 500, 1_500, 2_999, 3_000)
    },
    { requiredKeys: [] }
  )

  const plain = (text: string): string => text.toLowerCase().replaceAll(/[éèê]/g, "e")

  /** All conditions that a site fails, by their definition. */
  const failed = (filter: SiteFilter, one: Site): ReadonlyArray<string> => {
    const texts = [plain(one.domain), plain(one.nicheLabel)]
    return [
      ...(one.open ? [] : ["open"]),
      ...((filter.niches ?? [one.nicheLabel]).map(plain).includes(plain(one.nicheLabel)) ? [] : ["niche"]),
      ...((filter.shelves ?? [one.shelf]).includes(one.shelf) ? [] : ["shelf"]),
      ...(texts.some((text) => text.includes(plain(filter.query ?? ""))) ? [] : ["query"]),
      ...((filter.languages ?? [one.language]).map(plain).includes(plain(one.language)) ? [] : ["language"]),
      ...((filter.minTf ?? 0) <= one.tf ? [] : ["min_tf"]),
      ...((filter.minTraffic ?? 0) <= one.trafficMonthly ? [] : ["min_traffic"]),
      ...((filter.maxPriceCents ?? 3_000) >= prices[one.shelf] ? [] : ["max_price"])
    ]
  }

  property("matches the sites that fail no condition", [anyFilter, anySite], (filter, one) => {
    expect(siteMatcher(filter)(one)).toBe(failed(filter, one).length === 0)
  })

  property("a further demand never lets more pass", [anyFilter, anyFilter, someSites], (one, other, sites) => {
    const narrow = sites.filter(siteMatcher({ ...other, ...one }))
    const wide = new Set(sites.filter(siteMatcher(one)))
    expect(narrow.every((each) => wide.has(each))).toBe(true)
  })
})

describe("positions", () => {
  const sorts: ReadonlyArray<Sort> = ["id", "price", "-tf", "-traffic"]
  const sort = fc.constantFrom(...sorts)
  const rank: Readonly<Record<Sort, (one: Site) => number>> = {
    id: () => 0,
    price: (one) => prices[one.shelf],
    "-tf": (one) => -one.tf,
    "-traffic": (one) => -one.trafficMonthly
  }
  const compare = (by: Sort) => (a: Site, b: Site) => compareSortKeys(sortKeyOf(by, a), sortKeyOf(by, b))

  property("order by what was asked, then by id", [sort, someSites], (by, sites) => {
    const sorted = sites.toSorted(compare(by))
    sorted.slice(1).forEach((later, index) => {
      const earlier = sorted[index] ?? later
      expect(rank[by](earlier)).toBeLessThanOrEqual(rank[by](later))
      if (rank[by](earlier) === rank[by](later)) expect(earlier.siteId).toBeLessThan(later.siteId)
    })
  })

  property("are a total order: distinct for distinct sites, and antisymmetric", [sort, someSites], (by, sites) => {
    const sorted = sites.toSorted(compare(by))
    expect(sites.toReversed().toSorted(compare(by))).toEqual(sorted)
    for (const a of sites) {
      for (const b of sites) {
        expect(Math.sign(compare(by)(a, b)) + Math.sign(compare(by)(b, a))).toBe(0)
        expect(compare(by)(a, b) === 0).toBe(a === b)
      }
    }
  })

  property(
    "a page continues where the last one ended, without repetition or gap",
    [sort, someSites, fc.integer({ min: 1, max: 7 })],
    (by, sites, limit) => {
      const sorted = sites.toSorted(compare(by))
      const seen: Array<Site> = []
      for (;;) {
        const last = seen.at(-1)
        const after = last === undefined ? sites : sites.filter((one) => compare(by)(last, one) < 0)
        const page = after.toSorted(compare(by)).slice(0, limit)
        if (page.length === 0) break
        seen.push(...page)
      }
      expect(seen).toEqual(sorted)
    }
  )
})

describe("an article", () => {
  const reserved = (untilMs: number) =>
    article(1, { sale: { state: "reserved", quoteId: QuoteId.make("q_1"), untilMs } })

  it.each([
    ["free", article(1), undefined, true],
    ["reserved by an open quote", reserved(NOON + 1), undefined, false],
    ["reserved by another open quote", reserved(NOON + 1), QuoteId.make("q_2"), false],
    ["reserved by this very quote", reserved(NOON + 1), QuoteId.make("q_1"), true],
    ["reserved by a quote that has expired", reserved(NOON), QuoteId.make("q_2"), true],
    ["sold", article(1, { sale: { state: "sold", quoteId: QuoteId.make("q_1") } }), undefined, false],
    [
      "sold to this very quote",
      article(1, { sale: { state: "sold", quoteId: QuoteId.make("q_1") } }),
      QuoteId.make("q_1"),
      false
    ]
  ])("%s", (_, one, quoteId, expected) => {
    expect(articleIsFree(one, NOON, quoteId)).toBe(expected)
  })
})
