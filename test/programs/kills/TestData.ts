// The data of a deployment: sites, articles in short supply, promo codes that run out, and customers with much, some or no credit.
import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import { emptyListing } from "#core/decisions/catalogue/Listings.ts"
import { ALL_SCOPES, noLimits } from "#core/domain/access/ApiKey.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import * as Given from "#test/core/Given.ts"

export const by = "kills"

export const SITES = 30

/** Credit of the accounts, in turn. The cheapest link costs 5.00 EUR, so that some orders fit into the credit and some do not. */
const CREDITS_CENTS = [10_000_000, 20_000, 1_700, 0]

export interface Customer {
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly key: string
}

export interface TestData {
  readonly customers: readonly [Customer, ...ReadonlyArray<Customer>]
  /** Fewer than are ordered. */
  readonly articles: ReadonlyArray<{ readonly articleId: number; readonly siteId: number }>
  /** Some are used more often than they may be. */
  readonly codes: readonly [string, ...ReadonlyArray<string>]
}

/** Codes and the most redemptions of each. */
export const CODES = { TEN: null, LAST: 40, ONCE: null } as const

const catalogueOf = (articles: number) => {
  const sites = Array.from({ length: SITES }, (_, index) => Given.site(index + 1))
  const inventory = Array.from({ length: articles }, (_, index) =>
    Given.article(index + 1, { siteId: (index % SITES) + 1 })
  )
  const promos = Object.entries(CODES).map(([code, maxRedemptions]) =>
    Given.promo(code, { maxRedemptions, oncePerAccount: code === "ONCE" })
  )
  return { ...emptyListing, sites, articles: inventory, promos }
}

export const issueKey = Effect.fnUntraced(function* (accountId: AccountId, dailyOrderCap: number | null = null) {
  const keys = yield* Credentials
  const limits = { ...noLimits, dailyOrderCap }
  const order = { accountId, mode: "live" as const, label: "kills", scopes: ALL_SCOPES, limits }
  const { key, text } = yield* keys.issue(order, by)
  return { accountId, keyId: key.keyId, key: Redacted.value(text) } satisfies Customer
})

export const openAccount = Effect.fnUntraced(function* (creditCents: number) {
  const accounts = yield* ManageAccounts
  const { accountId } = yield* accounts.open({ name: "Ada", email: `${randomUUID()}@brand.example` }, by)
  if (creditCents > 0) yield* accounts.topUp({ accountId, cents: creditCents, reference: "kills" }, by)
  return accountId
})

/** More than any run spends. */
const RICH_CENTS = 2_000_000_000

/** Customers whose credit pays for all that they order, and orders that are never refused. */
export const createUnlimitedData = Effect.fnUntraced(function* (accounts: number) {
  const [first, ...others] = yield* Effect.forEach(Array.from({ length: accounts }), () =>
    Effect.flatMap(openAccount(RICH_CENTS), (accountId) => issueKey(accountId))
  )
  if (first === undefined) return yield* Effect.die("at least one account is opened")
  return { customers: [first, ...others], articles: [], codes: ["TEN"] } satisfies TestData
})

/** Two keys for each account, so that their orders compete for one wallet. */
export const createTestData = Effect.fnUntraced(function* (size: {
  readonly accounts: number
  readonly articles: number
}) {
  const catalogue = yield* UpdateCatalogue
  const listing = catalogueOf(size.articles)
  yield* catalogue.update(listing, by)
  const customers: Array<Customer> = []
  for (let n = 0; n < size.accounts; n++) {
    const accountId = yield* openAccount(CREDITS_CENTS[n % CREDITS_CENTS.length] ?? 0)
    customers.push(yield* issueKey(accountId), yield* issueKey(accountId))
  }
  const [first, ...others] = customers
  if (first === undefined) return yield* Effect.die("a testData has at least one account")
  return {
    customers: [first, ...others],
    articles: listing.articles,
    codes: ["TEN", "LAST", "ONCE"]
  } satisfies TestData
})
