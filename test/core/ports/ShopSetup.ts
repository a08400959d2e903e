// Buyers, catalogue items and orders for the conformance suites, created by decisions given to `transact`, as the service does.
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { registrableDomain } from "#adapters/contract/schema/TargetUrl.ts"
import { type IssueKey, issueKey } from "#core/decisions/access/Keys.ts"
import { emptyListing, type Listing, list } from "#core/decisions/catalogue/Listings.ts"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { type PlaceOrder, type PlaceOrderReply, placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import { ALL_SCOPES, type ApiKey, type Caller, callerOf, noLimits } from "#core/domain/access/ApiKey.ts"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import type { Account } from "#core/domain/members/Account.ts"
import { linkTarget, type OrderItem, type OrderRequest, targetHost } from "#core/domain/pricing/Cart.ts"
import { defaultShopSettings, type ShopSettings } from "#core/domain/ShopSettings.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { Placement } from "#core/domain/webhooks/Rendering.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import * as Given from "#test/core/Given.ts"
import { catalogueItems } from "./catalogue/CatalogueItems.ts"
import { UniqueNumbers } from "./StoreSuite.ts"

export const actor = "conformance"

/** Settings without welcome offer and daily cap, which only their own tests need. */
export const plainSettings: ShopSettings = { ...defaultShopSettings, welcomeBasisPoints: 0, dailyOrderCap: 0 }

/** Quotes under these settings have expired when they are made. */
export const expiredQuoteSettings: ShopSettings = { ...plainSettings, quoteTtlMs: -60_000 }

export interface Buyer {
  readonly account: Account
  readonly key: ApiKey
  readonly caller: Caller
}

const distinct = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> => [
  ...new Set(values.filter((value) => value !== undefined))
]

export const issueKeyTo = Effect.fnUntraced(function* (over: Partial<IssueKey> & Pick<IssueKey, "accountId">) {
  const book = yield* OrderBook
  const { next } = yield* UniqueNumbers
  const mode = over.mode ?? "live"
  const hash = `hash-${yield* next}`
  const prefix = mode === "live" ? "sn_live_" : "sn_test_"
  const wish = { mode, label: "test", scopes: ALL_SCOPES, limits: noLimits, hash, prefix, lastFour: "wxyz", actor }
  return yield* book.transact({ _tag: "ForAccount", accountId: over.accountId }, issueKey({ ...wish, ...over }))
})

export const topUpAccount = Effect.fnUntraced(function* (accountId: AccountId, cents: number) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForAccount", accountId }, topUp({ accountId, cents, reference: "test", actor }))
})

/** An account with this much credit and one key. */
export const buyer = Effect.fnUntraced(function* (creditCents = 0, key: Partial<IssueKey> = {}) {
  const book = yield* OrderBook
  const email = `${randomUUID()}@example.com`
  const account = yield* book.transact({ _tag: "ForEmail", email }, openAccount({ name: "Ada", email, actor }))
  const { accountId } = account
  if (creditCents > 0) yield* topUpAccount(accountId, creditCents)
  const issued = yield* issueKeyTo({ ...key, accountId })
  return { account, key: issued, caller: callerOf(issued) } satisfies Buyer
})

export const listInCatalogue = Effect.fnUntraced(function* (items: Partial<Listing>, changeDomain = false) {
  const book = yield* OrderBook
  const listing = { ...emptyListing, ...items }
  const { sites, articles, promos, projects, opportunities } = listing
  const reads = {
    _tag: "ForListing" as const,
    siteIds: distinct([...sites, ...articles].map(({ siteId }) => siteId)),
    articleIds: articles.map(({ articleId }) => articleId),
    promoCodes: promos.map(({ code }) => code),
    projectIds: distinct([...projects, ...opportunities].map(({ projectId }) => projectId)),
    opportunityIds: opportunities.map(({ opportunityId }) => opportunityId),
    accountIds: distinct(projects.map(({ accountId }) => accountId)),
    ...(sites.length === 0 ? {} : { listedSites: sites.map(({ siteId, domain }) => ({ siteId, domain })) })
  }
  yield* book.transact(reads, list(listing, actor, changeDomain))
})

export const { listSite, listArticle, definePromo, createProject, createOpportunity } = catalogueItems(listInCatalogue)

/** A new article on each of the sites. */
export const linksOn = (...sites: ReadonlyArray<Site>): ReadonlyArray<OrderItem> =>
  sites.map(({ siteId }) => Given.item({ siteId }))

export const insertionInto = ({ siteId, articleId }: Article): OrderItem => Given.insertion(articleId, { siteId })

export interface OrderParams extends Partial<Omit<PlaceOrder, "caller" | "request">>, Partial<OrderRequest> {
  readonly items: ReadonlyArray<OrderItem>
}

/** Submits the order as the use case does, and returns the decision's reply. */
export const submitOrder = Effect.fnUntraced(function* (caller: Caller, wish: OrderParams) {
  const book = yield* OrderBook
  const { items, promoCode, reference, maxTotalCents, sandboxCreditCents, dryRun = false, ...over } = wish
  const targetDomains = distinct(items.map((one) => registrableDomain(targetHost(one))))
  const request: OrderRequest = {
    items,
    dryRun,
    targetDomains,
    ...(promoCode === undefined ? {} : { promoCode }),
    ...(reference === undefined ? {} : { reference }),
    ...(maxTotalCents === undefined ? {} : { maxTotalCents }),
    ...(sandboxCreditCents === undefined ? {} : { sandboxCreditCents })
  }
  const reads = {
    _tag: "ForPlacement" as const,
    keyId: caller.keyId,
    accountId: caller.accountId,
    mode: caller.mode,
    siteIds: distinct(items.map(({ siteId }) => siteId)),
    articleIds: distinct(items.map(({ articleId }) => articleId)),
    projectIds: distinct(items.map(({ projectId }) => projectId)),
    opportunityIds: distinct(items.map(({ opportunityId }) => opportunityId)),
    targets: items.map(linkTarget),
    welcomeDomains: targetDomains,
    promoCode: promoCode ?? null,
    idempotencyKey: wish.idempotency?.key ?? null
  }
  const usual = {
    settings: plainSettings,
    render: Given.render,
    itemsDigest: JSON.stringify(items),
    lookAlike: null,
    idempotency: null,
    sandboxPage: (paymentToken: string) => `https://shop.example/pay/${paymentToken}`
  }
  return yield* book.transact(reads, placeOrder({ ...usual, ...over, caller, request }))
})

export const placementOf = (reply: PlaceOrderReply): Placement => {
  if (reply.kind === "placed") return reply.placement
  throw new Error(`expected a quote, got a ${reply.kind}`)
}

/** Submits an order that is expected to make a quote. */
export const order = (caller: Caller, wish: OrderParams) => Effect.map(submitOrder(caller, wish), placementOf)
