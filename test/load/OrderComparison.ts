// The contest of orders, by many accounts or by one: each is a single link, paid from credit at a discount by promo code, under an
// idempotency key of its own.
import { randomUUID } from "node:crypto"
import { fileURLToPath } from "node:url"
import { Console, Effect, type Redacted } from "effect"
import { besidePeers, missedBy, type Peers } from "./PeerComparison.ts"
import type { Contender } from "./Contender.ts"
import { databaseServer } from "./DatabaseServer.ts"
import type { Call } from "./HttpConnection.ts"
import type { Options } from "./Options.ts"
import { placeBefore } from "./PastOrders.ts"
import { instances, peer } from "./Servers.ts"
import { BRANDS, peerKey, SITES_TO_ORDER_FROM, stockOrders, stockPeers } from "./SeedData.ts"

export interface OrderContest {
  readonly name: string
  /** Who order, in turn. */
  readonly accounts: number
  readonly pgbenchClients: number
  /** What the ratios must at least be. */
  readonly floors: Readonly<Record<string, number>>
}

/** The first brands are those of `PastOrders`: these begin half way round. */
const FIRST_BRAND = BRANDS / 2

/** A single link, at a discount by promo code. An account links to a brand once from each site, then to the next brand. */
export const order = (key: string, account: number, nth: number): Call => ({
  method: "POST",
  path: "/api/v1/agent/orders",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": randomUUID() },
  body: JSON.stringify({
    promo_code: "TEN",
    items: [
      {
        site_id: 1 + ((account + nth) % SITES_TO_ORDER_FROM),
        target_url: `https://brand${(FIRST_BRAND + account + Math.floor(nth / SITES_TO_ORDER_FROM)) % BRANDS}.example/page`,
        anchor_text: "a good read",
        anchor_type: "partial"
      }
    ]
  })
})

/**
 * The accounts in turn, on from where the round before left off, so that nobody orders the same link twice: the service looks for that
 * and warns of it, its peers do not.
 */
const inTurn = (accounts: number, keyOf: (account: number) => string): Contender["call"] => {
  let ordered = 0
  return () => {
    const account = ordered % accounts
    const nth = Math.floor(ordered++ / accounts)
    return order(keyOf(account), account, nth)
  }
}

const scriptFile = fileURLToPath(new URL("./peers/Order.sql", import.meta.url))

/** A shop where so many orders stand when the service begins to sell from it. */
export const openShop = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  accounts: number,
  { before, instances: count }: Options
) {
  const keys = yield* stockOrders(url, accounts)
  yield* placeBefore(url, before)
  return {
    servers: yield* instances(count, url),
    expected: 201,
    call: inTurn(accounts, (account) => keys[account] ?? "")
  } satisfies Contender
})

/** The same shop once more, and who sells from it. */
const openPeers = Effect.fnUntraced(function* (url: Redacted.Redacted, kind: OrderContest, before: number) {
  const { accounts, pgbenchClients } = kind
  yield* stockPeers(url, accounts)
  yield* placeBefore(url, before)
  return {
    handwritten: {
      servers: [yield* peer("Handwritten", url)],
      expected: 201,
      call: inTurn(accounts, (account) => peerKey(1 + account))
    },
    script: { url, file: scriptFile, statements: 1, variables: { accounts }, clients: pgbenchClients }
  } satisfies Peers
})

export const orderContest = Effect.fnUntraced(function* (kind: OrderContest, options: Options) {
  const { name, accounts, floors } = kind
  const { alone, before } = options
  const database = yield* databaseServer
  const peers = alone ? null : yield* openPeers(yield* database("peers"), kind, before)
  const url = yield* database("service")
  const service = yield* openShop(url, accounts, options)
  if (before > 0) yield* Console.log(`${before} orders stand in each shop before anybody calls`)
  const summary = yield* besidePeers({ name, url, service, peers }, options)
  return { summary, missed: missedBy(summary, floors) }
}, Effect.scoped)
