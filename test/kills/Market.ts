// What is traded under fire: sites, articles that many want, codes that run out, and buyers with more, some or no credit. All of
// it is put there before the first kill.
import { Effect, Redacted } from "effect"
import { emptyListing } from "#core/decisions/Listings.ts"
import { ALL_SCOPES, noLimits } from "#core/domain/ApiKey.ts"
import { ListGoods } from "#core/usecases/ListGoods.ts"
import { ManageAccounts } from "#core/usecases/ManageAccounts.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import * as Given from "#test/core/Given.ts"

export const by = { actor: "kills" }

export const SITES = 30

/** Of each, the first shelf's price is 5.00 EUR: some orders fit into what is left, some do not. */
const CREDITS_CENTS = [10_000_000, 20_000, 1_700, 0]

export interface Shopper {
  readonly accountId: string
  readonly keyId: string
  readonly key: string
}

export interface Market {
  readonly shoppers: readonly [Shopper, ...ReadonlyArray<Shopper>]
  /** Many more are after them than there are. */
  readonly articles: ReadonlyArray<{ readonly articleId: number; readonly siteId: number }>
}

/** Codes and how often each may be used. */
export const CODES = { TEN: null, LAST: 40, ONCE: null } as const

const goods = (articles: number) => {
  const sites = Array.from({ length: SITES }, (_, index) => Given.site(index + 1))
  const inventory = Array.from({ length: articles }, (_, index) =>
    Given.article(index + 1, { siteId: (index % SITES) + 1 })
  )
  const promos = Object.entries(CODES).map(([code, maxRedemptions]) =>
    Given.promo(code, { maxRedemptions, oncePerAccount: code === "ONCE" })
  )
  return { ...emptyListing, sites, articles: inventory, promos }
}

export const issue = Effect.fnUntraced(function* (accountId: string, dailyOrderCap: number | null = null) {
  const keys = yield* ManageKeys
  const limits = { ...noLimits, dailyOrderCap }
  const order = { accountId, mode: "live" as const, label: "kills", scopes: ALL_SCOPES, limits }
  const { key, text } = yield* keys.issue(order, by)
  return { accountId, keyId: key.keyId, key: Redacted.value(text) } satisfies Shopper
})

export const openAccount = Effect.fnUntraced(function* (creditCents: number) {
  const accounts = yield* ManageAccounts
  const { accountId } = yield* accounts.open({ name: "Ada", email: "ada@brand.example" }, by)
  if (creditCents > 0) yield* accounts.topUp({ accountId, cents: creditCents, reference: "kills" }, by)
  return accountId
})

/** Two keys for each account, so that their orders meet in one wallet. */
export const openMarket = Effect.fnUntraced(function* (size: { readonly accounts: number; readonly articles: number }) {
  const catalogue = yield* ListGoods
  const listing = goods(size.articles)
  yield* catalogue.list(listing, by)
  const shoppers: Array<Shopper> = []
  for (let n = 0; n < size.accounts; n++) {
    const accountId = yield* openAccount(CREDITS_CENTS[n % CREDITS_CENTS.length] ?? 0)
    shoppers.push(yield* issue(accountId), yield* issue(accountId))
  }
  const [first, ...others] = shoppers
  if (first === undefined) return yield* Effect.die("a market has at least one account")
  return { shoppers: [first, ...others], articles: listing.articles } satisfies Market
})
