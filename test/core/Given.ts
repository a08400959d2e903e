// The books that examples begin with: accounts with and without credit, sites, articles, codes. Builders fill in what is not given.
import { HashMap, HashSet } from "effect"
import { type Books, emptyBooks } from "#core/decisions/Books.ts"
import type { PlaceOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import type { FulfilmentRules } from "#core/decisions/ordering/SettleQuote.ts"
import { ALL_SCOPES, type ApiKey, callerOf, noLimits } from "#core/domain/access/ApiKey.ts"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import type { Account } from "#core/domain/members/Account.ts"
import { firstOwner } from "#core/domain/members/Member.ts"
import type { OrderItem, OrderRequest } from "#core/domain/pricing/Cart.ts"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { defaultShopSettings } from "#core/domain/ShopSettings.ts"
import { AccountId, KeyId, OpportunityId, ProjectId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { healthy } from "#core/domain/webhooks/EndpointHealth.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"

/** A Monday, twelve hours from both ends of its UTC day. */
export const NOON = Date.UTC(2026, 4, 4, 12)
export const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000] as const
export const QUOTE_TTL_MS = defaultShopSettings.quoteTtlMs

/** Renders enough that two responses are equal only for the same state of the same quote. */
export const render: Rendering = {
  response: ({ quote, order, links, dryRun }) => ({
    status: 201,
    body: JSON.stringify([dryRun, quote.quoteId, quote.status, quote.paymentUrl, order?.orderId ?? null, links.length])
  }),
  withWarning: ({ status, body }, { code }) => ({ status, body: JSON.stringify([JSON.parse(body), code]) }),
  event: ({ eventId, type, order, quote, links, link }) =>
    JSON.stringify([
      eventId,
      type,
      order.orderId,
      quote.status,
      links.map(({ status }) => status),
      link?.linkId ?? null
    ]),
  quoteEvent: ({ eventId, type, quote }) => JSON.stringify([eventId, type, quote.quoteId, quote.status]),
  test: ({ eventId, webhookId }) => JSON.stringify([eventId, "webhook.test", webhookId])
}

export const rules: FulfilmentRules = { settings: defaultShopSettings, render }

export const site = (siteId: number, over: Partial<Site> = {}): Site => ({
  siteId,
  domain: `site${siteId}.example`,
  nicheLabel: "Travel",
  language: "en",
  tf: 20,
  cf: 25,
  rd: 300,
  mozDa: 30,
  rankedKeywords: 1_000,
  trafficMonthly: 5_000,
  shelf: "Plancton",
  linkRel: "dofollow",
  open: true,
  updatedAtMs: NOON,
  ...over
})

export const article = (articleId: number, over: Partial<Article> = {}): Article => ({
  articleId,
  siteId: 1,
  title: `Article ${articleId}`,
  url: `https://site1.example/${articleId}`,
  publishedAtMs: NOON,
  keywords: [],
  priceCents: null,
  sale: { state: "free" },
  ...over
})

export const promo = (code: string, over: Partial<Promo> = {}): Promo => ({
  code,
  reduction: { kind: "percent", basisPoints: 1_000 },
  minimumCents: null,
  startsAtMs: null,
  endsAtMs: null,
  maxRedemptions: null,
  oncePerAccount: false,
  redeemed: 0,
  redeemedBy: HashSet.empty(),
  reservations: [],
  ...over
})

export const account = (accountId: string, balanceCents: number, over: Partial<Account> = {}): Account => ({
  accountId: AccountId.make(accountId),
  name: accountId,
  email: `${accountId}@example.com`,
  wallet: { balanceCents, heldCents: 0 },
  welcome: { state: "available" },
  createdAtMs: NOON,
  ...over
})

/** The welcome offer after an earlier order. */
export const welcomeSpent = { welcome: { state: "spent" as const, quoteId: QuoteId.make("q_long_ago") } }

export const key = (keyId: string, accountId: string, over: Partial<ApiKey> = {}): ApiKey => ({
  keyId: KeyId.make(keyId),
  accountId: AccountId.make(accountId),
  mode: "live",
  label: keyId,
  scopes: ALL_SCOPES,
  hash: `hash of ${keyId}`,
  prefix: over.mode === "sandbox" ? "sn_test_" : "sn_live_",
  lastFour: "wxyz",
  limits: noLimits,
  createdAtMs: NOON,
  revokedAtMs: null,
  ...over
})

export const project = (projectId: string, accountId: string, over: Partial<Project> = {}): Project => ({
  projectId: ProjectId.make(projectId),
  accountId: AccountId.make(accountId),
  name: projectId,
  domain: "brand.example",
  language: "en",
  updatedAtMs: NOON,
  ...over
})

export const opportunity = (opportunityId: string, over: Partial<Opportunity> = {}): Opportunity => ({
  opportunityId: OpportunityId.make(opportunityId),
  projectId: ProjectId.make("prj_rich"),
  prompt: "Which hotel in Lisbon?",
  engine: "an assistant",
  niche: "Travel",
  targetUrl: "https://brand.example/hotels",
  anchorText: "hotels in Lisbon",
  position: 1,
  ...over
})

export const subscription = (webhookId: string, over: Partial<Subscription> = {}): Subscription => ({
  webhookId: WebhookId.make(webhookId),
  accountId: AccountId.make("acc_rich"),
  keyId: KeyId.make("key_rich"),
  mode: "live",
  url: "https://hooks.example/in",
  events: ["order.accepted"],
  sealedSigningKey: "sealed",
  previousKeys: [],
  health: healthy,
  createdAtMs: NOON,
  revokedAtMs: null,
  ...over
})

export interface Stock {
  readonly accounts: ReadonlyArray<Account>
  readonly keys: ReadonlyArray<ApiKey>
  readonly sites: ReadonlyArray<Site>
  readonly articles: ReadonlyArray<Article>
  readonly promos: ReadonlyArray<Promo>
  readonly projects: ReadonlyArray<Project>
  readonly opportunities: ReadonlyArray<Opportunity>
  readonly subscriptions: ReadonlyArray<Subscription>
}

const tableOf = <K, A>(things: ReadonlyArray<A>, name: (thing: A) => K) =>
  HashMap.fromIterable(things.map((thing) => [name(thing), thing] as const))

export const booksOf = (stock: Stock): Books => ({
  ...emptyBooks,
  accounts: tableOf(stock.accounts, (one) => one.accountId),
  members: tableOf(stock.accounts.map(firstOwner), (one) => one.memberId),
  keys: tableOf(stock.keys, (one) => one.keyId),
  sites: tableOf(stock.sites, (one) => one.siteId),
  articles: tableOf(stock.articles, (one) => one.articleId),
  promos: tableOf(stock.promos, (one) => one.code),
  projects: tableOf(stock.projects, (one) => one.projectId),
  opportunities: tableOf(stock.opportunities, (one) => one.opportunityId),
  subscriptions: tableOf(stock.subscriptions, (one) => one.webhookId)
})

/** `acc_rich` has 100.00 EUR and has used the welcome offer; `acc_poor` has no credit and no order. Sites 1, 2, 3: one per shelf. */
export const stock: Stock = {
  accounts: [account("acc_rich", 10_000, welcomeSpent), account("acc_poor", 0)],
  keys: [
    key("key_rich", "acc_rich"),
    key("key_poor", "acc_poor"),
    key("key_rich_test", "acc_rich", { mode: "sandbox" }),
    key("key_poor_test", "acc_poor", { mode: "sandbox" })
  ],
  sites: [
    site(1),
    site(2, { shelf: "Corail" }),
    site(3, { shelf: "Nautilus" }),
    site(4, { open: false, domain: "paused.example" })
  ],
  articles: [
    article(11),
    article(12, { priceCents: 777 }),
    article(13, { priceCents: 20 }),
    article(41, { siteId: 4 })
  ],
  promos: [
    promo("TEN"),
    promo("FIVER", { reduction: { kind: "fixed", cents: 500 }, minimumCents: 2_000 }),
    promo("LAST", { maxRedemptions: 1 }),
    promo("ONCE", { oncePerAccount: true }),
    promo("GONE", { endsAtMs: NOON - HOUR_MS }),
    promo("SOON", { startsAtMs: NOON + HOUR_MS }),
    promo("ALL", { reduction: { kind: "percent", basisPoints: 10_000 } })
  ],
  projects: [project("prj_rich", "acc_rich"), project("prj_poor", "acc_poor")],
  opportunities: [opportunity("opp_rich"), opportunity("opp_poor", { projectId: ProjectId.make("prj_poor") })],
  subscriptions: []
}

/** The books of `stock`, with some parts replaced. */
export const given = (over: Partial<Stock> = {}): Books => booksOf({ ...stock, ...over })

export const item = (over: Partial<OrderItem> = {}): OrderItem => ({
  siteId: 1,
  targetUrl: "https://brand.example/page",
  anchorText: "a fine page",
  anchorType: "partial",
  format: "new_article",
  tier2Links: 0,
  ...over
})

export const insertion = (articleId: number, over: Partial<OrderItem> = {}): OrderItem =>
  item({ format: "insertion", articleId, ...over })

export const request = (over: Partial<OrderRequest> = {}): OrderRequest => ({ items: [item()], dryRun: false, ...over })

const callers = HashMap.fromIterable(stock.keys.map((one) => [String(one.keyId), callerOf(one)] as const))

/** An order by the key of `stock` with this id. */
export const orderBy = (id: string, asked: Partial<OrderRequest> = {}, over: Partial<PlaceOrder> = {}): PlaceOrder => ({
  ...rules,
  caller: HashMap.getUnsafe(callers, id),
  request: request(asked),
  itemsDigest: "digest of the items",
  lookAlike: null,
  idempotency: null,
  sandboxPage: (paymentToken) => `https://shop.example/pay/${paymentToken}`,
  ...over
})
