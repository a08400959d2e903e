// The data of the services under load, created by the operator's use cases.
import { readFileSync } from "node:fs"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { emptyListing, type PromoListing, type SiteListing } from "#core/decisions/catalogue/Listings.ts"
import { ALL_SCOPES, noLimits } from "#core/domain/access/ApiKey.ts"
import { SHELVES, type Shelf } from "#core/domain/pricing/Shelf.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { execute } from "./DatabaseServer.ts"

/** More than any load spends. */
const CREDIT_CENTS = 1_000_000_000_000

/** The number of sites for orders, all on the cheapest shelf, numbered from 1. */
export const SITES_TO_ORDER_FROM = 300

/** The number of brands that a large agency links to. */
export const BRANDS = 500

const PROMO: PromoListing = {
  code: "TEN",
  reduction: { kind: "percent", basisPoints: 1_000 },
  minimumCents: null,
  startsAtMs: null,
  endsAtMs: null,
  maxRedemptions: null,
  oncePerAccount: false
}

/** A code with a limit that no load reaches. */
export const LIMITED_CODE = "LIMITED"

const NICHES = 200
const LANGUAGES = ["en", "fr", "de", "es"] as const

/** Sites on a better shelf have better metrics. */
const STRENGTH: Readonly<Record<Shelf, { readonly tf: number; readonly traffic: number }>> = {
  Plancton: { tf: 5, traffic: 0 },
  Corail: { tf: 25, traffic: 8_000 },
  Nautilus: { tf: 45, traffic: 40_000 }
}

/** Sites that differ in every filter and sort key, with many ties. */
const site = (siteId: number, shelf: Shelf): SiteListing => ({
  siteId,
  domain: `site${siteId}.example`,
  nicheLabel: `Niche ${siteId % NICHES}`,
  language: LANGUAGES[(siteId * 7) % LANGUAGES.length] ?? "en",
  tf: STRENGTH[shelf].tf + ((siteId * 31) % 41),
  cf: 25,
  rd: 300,
  mozDa: 30,
  rankedKeywords: 1_000,
  trafficMonthly: STRENGTH[shelf].traffic + ((siteId * 7_919) % 20_011),
  shelf,
  linkRel: "dofollow",
  open: true
})

const useCases = (url: Redacted.Redacted) =>
  Layer.mergeAll(ManageAccounts.layer, Credentials.layer, UpdateCatalogue.layer).pipe(
    Layer.provide(PostgresStore.layer({ url })),
    Layer.provide(NodeCrypto.layerDigest),
    Layer.provide(SecureRandom.layerWebCrypto)
  )

const by = "load"

const createBuyer = Effect.fnUntraced(function* (name: string) {
  const { accountId } = yield* (yield* ManageAccounts).open({ name, email: `${name}@brand.example` }, by)
  yield* (yield* ManageAccounts).topUp({ accountId, cents: CREDIT_CENTS, reference: "load" }, by)
  const order = { accountId, mode: "live" as const, label: name, scopes: ALL_SCOPES, limits: noLimits }
  const { text } = yield* (yield* Credentials).issue(order, by)
  return Redacted.value(text)
})

/** Sites in one update. */
const LISTED_AT_ONCE = 1_000

const listSites = Effect.fnUntraced(function* (count: number, shelfOf: (siteId: number) => Shelf) {
  const catalogue = yield* UpdateCatalogue
  for (let first = 1; first <= count; first += LISTED_AT_ONCE) {
    const length = Math.min(LISTED_AT_ONCE, count - first + 1)
    const sites = Array.from({ length }, (_, index) => site(first + index, shelfOf(first + index)))
    yield* catalogue.update({ ...emptyListing, sites }, by)
  }
})

/**
 * Gathers the statistics that autovacuum would have gathered by now. Only for filled tables: statistics of an empty table make plans for
 * an empty table.
 */
export const analyzeTables = (url: Redacted.Redacted, ...tables: ReadonlyArray<string>) =>
  execute(url, ...tables.map((table) => `VACUUM ANALYZE ${table}`))

/** Data for orders. Returns the keys of the accounts. */
export const seedOrders = Effect.fnUntraced(function* (url: Redacted.Redacted, accounts: number) {
  const keys = yield* Effect.gen(function* () {
    yield* listSites(SITES_TO_ORDER_FROM, () => "Plancton")
    yield* (yield* UpdateCatalogue).update(
      { ...emptyListing, promos: [PROMO, { ...PROMO, code: LIMITED_CODE, maxRedemptions: 1_000_000_000 }] },
      by
    )
    const names = Array.from({ length: accounts }, (_, index) => `buyer${index}`)
    return yield* Effect.forEach(names, createBuyer, { concurrency: 32 })
  }).pipe(Effect.provide(useCases(url)))
  yield* analyzeTables(url, "sites", "promos", "accounts", "keys")
  return keys
})

/** Articles from 1 on, each on the site of the order with that number of `accounts` in turn. */
export const seedArticles = Effect.fnUntraced(function* (url: Redacted.Redacted, accounts: number, count: number) {
  yield* execute(
    url,
    `INSERT INTO articles (article_id, version, site_id, title, url, published_at_ms, keywords, sale_state)
     SELECT n + 1, '', 1 + (n % ${accounts} + n / ${accounts}) % ${SITES_TO_ORDER_FROM}, 'Article ' || n,
       'https://site.example/' || n, 0, '[]', 'free'
     FROM generate_series(0, ${count - 1}) n`
  )
  yield* analyzeTables(url, "articles")
})

/** A catalogue. Returns the key of the only account. */
export const seedCatalogue = Effect.fnUntraced(function* (url: Redacted.Redacted, sites: number) {
  const key = yield* Effect.gen(function* () {
    yield* listSites(sites, (siteId) => SHELVES[siteId % SHELVES.length]?.shelf ?? "Plancton")
    return yield* createBuyer("reader")
  }).pipe(Effect.provide(useCases(url)))
  yield* analyzeTables(url, "sites", "accounts", "keys")
  return key
})

/** The peers' keys, from 1. `Order.sql` computes them too. */
export const peerKey = (account: number): string => `key-${account}`

const plainTables = readFileSync(new URL("./peers/PlainTables.sql", import.meta.url), "utf8")

/** The same database, with the peers' tables first. */
const withPlainTables = (url: Redacted.Redacted): Redacted.Redacted => {
  const plain = new URL(Redacted.value(url))
  // Not by searchParams, which write a space as "+".
  plain.search = "?options=-c%20search_path%3Dplain"
  return Redacted.make(plain.href)
}

/** What the peers' orders read, with the keys of `peerKey`. The ids sort before those of their orders. */
const peerRows = (accounts: number): ReadonlyArray<string> => [
  `INSERT INTO sites
   SELECT n, '01', NULL, 'site' || n || '.example', 'Niche ' || n % ${NICHES}, 'en', 5, 25, 300, 30, 1000, 0, 'Plancton', 'dofollow',
     true, 0, 500, 'site' || n || '.example', 'niche ' || n % ${NICHES}, 'en'
   FROM generate_series(1, ${SITES_TO_ORDER_FROM}) n`,
  "INSERT INTO promos VALUES ('TEN', '01', NULL, 'percent', 1000, NULL, NULL, NULL, NULL, false, 0)",
  `INSERT INTO accounts
   SELECT 'acc_01' || lpad(n::text, 26, '0'), '01', NULL, 'buyer' || n, 'buyer' || n || '@brand.example', ${CREDIT_CENTS}, 0,
     'available', NULL, NULL, 0
   FROM generate_series(1, ${accounts}) n`,
  `INSERT INTO keys
   SELECT 'key_01' || lpad(n::text, 26, '0'), 'acc_01' || lpad(n::text, 26, '0'), 'live', 'buyer' || n, ARRAY['read', 'order'],
     encode(sha256(convert_to('key-' || n, 'UTF8')), 'hex'), 'sn_live_', 'wxyz', NULL, NULL, NULL, NULL, 0, NULL
   FROM generate_series(1, ${accounts}) n`,
  `INSERT INTO ledger (account_id, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents, balance_after_cents,
     held_after_cents, at_ms)
   SELECT account_id, replace(account_id, 'acc_', 'led_'), 'top_up', balance_cents, balance_cents, 0, balance_cents, 0, 0
   FROM accounts`
]

/** The tables of the peers with their data. Returns the address under which they are the first. */
export const seedPeers = Effect.fnUntraced(function* (url: Redacted.Redacted, accounts: number) {
  yield* execute(url, plainTables)
  const plain = withPlainTables(url)
  yield* execute(plain, ...peerRows(accounts))
  yield* analyzeTables(plain, "sites", "promos", "accounts", "keys")
  return plain
})
