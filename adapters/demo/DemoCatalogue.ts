// The demo catalogue: a small network of invented sites, some with articles, two promo codes and one AI-visibility project. It is the
// same at every start, so that examples work as pasted. All domains end in `.example`, which is reserved.
import {
  type ArticleListing,
  emptyListing,
  type Listing,
  type SiteListing
} from "#core/decisions/catalogue/Listings.ts"
import type { Opportunity } from "#core/domain/catalogue/Visibility.ts"
import { SHELVES, type Shelf } from "#core/domain/pricing/Shelf.ts"
import { type AccountId, OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"

const NICHES = [
  "Gardening",
  "Travel",
  "Cooking",
  "Technology",
  "Finance",
  "Health",
  "Home Décor",
  "Outdoor Sports"
] as const

const LANGUAGES = ["en", "fr", "de", "es"] as const

const NAMES = [
  "copperleaf",
  "northwind",
  "saltandfig",
  "quietcircuit",
  "pennytrail",
  "morningpulse",
  "linenroom",
  "ridgeline",
  "mossgate",
  "farharbour",
  "tastevin",
  "signalbox",
  "ledgerwood",
  "goodbreath",
  "palehouse",
  "highpass",
  "rosenhag",
  "wanderpfad",
  "feinkost",
  "schaltplan",
  "zinsblick",
  "gesundweg",
  "wohnlicht",
  "gipfelbuch",
  "huertaviva",
  "rumboclaro",
  "cocinalenta",
  "redabierta",
  "cuentajusta",
  "vidaserena"
] as const

/** Lowest authority and traffic of a shelf's sites, and the suffix of their names. */
const STRENGTH: Readonly<Record<Shelf, { readonly suffix: string; readonly base: number; readonly traffic: number }>> =
  {
    Plancton: { suffix: "notes", base: 8, traffic: 400 },
    Corail: { suffix: "journal", base: 22, traffic: 6_000 },
    Nautilus: { suffix: "review", base: 40, traffic: 45_000 }
  }

/** Sites 1, 4, 7 … are Plancton, 2, 5, 8 … Corail, 3, 6, 9 … Nautilus. */
const siteAt = (name: string, row: number, shelf: Shelf, column: number): SiteListing => {
  const { suffix, base, traffic } = STRENGTH[shelf]
  const spread = (row * 7) % 13
  return {
    siteId: row * SHELVES.length + column + 1,
    domain: `${name}-${suffix}.example`,
    nicheLabel: NICHES[row % NICHES.length] ?? NICHES[0],
    language: LANGUAGES[Math.floor(row / NICHES.length)] ?? LANGUAGES[0],
    tf: base + spread,
    cf: base + ((row * 5) % 11),
    rd: (base + spread) * 9,
    mozDa: base + ((row * 3) % 10),
    rankedKeywords: base * 12 + spread * 31,
    trafficMonthly: traffic + spread * Math.round(traffic / 9),
    shelf,
    linkRel: "dofollow",
    open: true
  }
}

const sites: ReadonlyArray<SiteListing> = NAMES.flatMap((name, row) =>
  SHELVES.map(({ shelf }, column) => siteAt(name, row, shelf, column))
)

const FIRST_ARTICLE_ID = 1_001
const FIRST_PUBLISHED_MS = Date.UTC(2024, 0, 15)
const WEEK_MS = 7 * 86_400_000

const TOPICS = ["A beginner's guide", "Ten mistakes to avoid", "What it really costs"] as const

/** Three articles; the last one has its own price. */
const articlesOf = (site: SiteListing, index: number): ReadonlyArray<ArticleListing> =>
  TOPICS.map((topic, nth) => {
    const ordinal = index * TOPICS.length + nth
    const subject = site.nicheLabel.toLowerCase()
    const slug = `${topic} ${subject}`.toLowerCase().replace(/[^a-z]+/g, "-")
    return {
      articleId: FIRST_ARTICLE_ID + ordinal,
      siteId: site.siteId,
      title: `${topic}: ${subject}`,
      url: `https://${site.domain}/${slug}`,
      publishedAtMs: FIRST_PUBLISHED_MS + ordinal * WEEK_MS,
      keywords: [
        { query: `${subject} for beginners`, position: 4 + nth, impressions: 900 - ordinal * 5 },
        { query: `${subject} tips`, position: 8 + nth, impressions: 600 - ordinal * 3 },
        { query: `best ${subject} sites`, position: 14 + nth, impressions: 320 - ordinal }
      ],
      priceCents: nth === 2 ? 1_200 : null
    }
  })

const PROJECT_ID = ProjectId.make("prj_demo")
const PROJECT_DOMAIN = "willow-and-spade.example"

const PROMPTS: ReadonlyArray<readonly [prompt: string, engine: string, niche: string, page: string, anchor: string]> = [
  ["Where can I buy long-lasting garden tools?", "ChatGPT", "Gardening", "tools", "garden tools that last"],
  ["Which gifts suit someone who loves plants?", "Perplexity", "Home Décor", "gifts", "gifts for plant lovers"],
  ["How do I start a kitchen herb garden?", "Gemini", "Cooking", "herbs", "kitchen herb kits"],
  ["What gear do I need for balcony gardening?", "ChatGPT", "Gardening", "balcony", "balcony gardening sets"],
  ["Is gardening good for stress?", "Claude", "Health", "wellbeing", "gardening for wellbeing"]
]

const opportunities: ReadonlyArray<Opportunity> = PROMPTS.map(
  ([prompt, engine, niche, page, anchorText], position) => ({
    opportunityId: OpportunityId.make(`opp_demo${position + 1}`),
    projectId: PROJECT_ID,
    prompt,
    engine,
    niche,
    targetUrl: `https://${PROJECT_DOMAIN}/${page}`,
    anchorText,
    position
  })
)

const always = { startsAtMs: null, endsAtMs: null, maxRedemptions: null, oncePerAccount: false }

/** `accountId` owns the project. */
export const demoCatalogue = (accountId: AccountId): Listing => ({
  ...emptyListing,
  sites,
  articles: sites.filter(({ siteId }) => siteId % 4 === 1).flatMap(articlesOf),
  promos: [
    { code: "TEN", reduction: { kind: "percent", basisPoints: 1_000 }, minimumCents: null, ...always },
    { code: "FIVER", reduction: { kind: "fixed", cents: 500 }, minimumCents: 2_000, ...always }
  ],
  projects: [{ projectId: PROJECT_ID, accountId, name: "Willow & Spade", domain: PROJECT_DOMAIN, language: "en" }],
  opportunities
})
