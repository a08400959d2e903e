// The comparison for orders, by many accounts or one: each order is a single link, paid from credit, with a promo code, under its
// own idempotency key.
import { randomUUID } from "node:crypto"
import { fileURLToPath } from "node:url"
import { Console, Effect, type Redacted } from "effect"
import type { Contender } from "./Contender.ts"
import { databaseServer } from "./DatabaseServer.ts"
import type { Call } from "./HttpConnection.ts"
import type { Options } from "./Options.ts"
import { insertPastOrders } from "./PastOrders.ts"
import { compareWithPeers, missedFloors, type Peers } from "./PeerComparison.ts"
import { BRANDS, peerKey, SITES_TO_ORDER_FROM, seedOrders, seedPeers } from "./SeedData.ts"
import { instances, peer } from "./Servers.ts"

export interface OrderComparison {
  readonly name: string
  /** The number of ordering accounts. */
  readonly accounts: number
  readonly pgbenchClients: number
  /** The least ratios. */
  readonly floors: Readonly<Record<string, number>>
}

/** `PastOrders` uses the first brands, so these begin halfway. */
const FIRST_BRAND = BRANDS / 2

/** What the links are ordered with. */
export interface OrderedThings {
  readonly code: string
  /** Into the article of `seedArticles` that has the order's number. */
  readonly isInsertion?: boolean
}

const PLAIN: OrderedThings = { code: "TEN" }

/** A single link with a promo code. An account links to a brand once from each site, then to the next brand. */
export const order = (key: string, account: number, nth: number, things = PLAIN, articleId = 0): Call => ({
  method: "POST",
  path: "/api/v1/agent/orders",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": randomUUID() },
  body: JSON.stringify({
    promo_code: things.code,
    items: [
      {
        site_id: 1 + ((account + nth) % SITES_TO_ORDER_FROM),
        target_url: `https://brand${(FIRST_BRAND + account + Math.floor(nth / SITES_TO_ORDER_FROM)) % BRANDS}.example/page`,
        anchor_text: "a good read",
        anchor_type: "partial",
        ...(things.isInsertion === true ? { format: "insertion", article_id: articleId } : {})
      }
    ]
  })
})

/**
 * The accounts in turn, continued from round to round, so that no link is ordered twice: the service looks for such orders and adds a
 * warning, its peers do not.
 */
const inTurn = (
  accounts: number,
  keyOf: (account: number) => string,
  things: () => OrderedThings = () => PLAIN
): Contender["call"] => {
  let ordered = 0
  return () => {
    const account = ordered % accounts
    const nth = Math.floor(ordered++ / accounts)
    return order(keyOf(account), account, nth, things(), ordered)
  }
}

const scriptFile = (name: string): string => fileURLToPath(new URL(`./peers/${name}.sql`, import.meta.url))

/** The service on seeded data with past orders. */
export const startOrderService = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  accounts: number,
  { before, instances: count }: Pick<Options, "before" | "instances">,
  things?: () => OrderedThings,
  settings?: Readonly<Record<string, string>>
) {
  const keys = yield* seedOrders(url, accounts)
  yield* insertPastOrders(url, before)
  return {
    servers: yield* instances(count, url, settings),
    expected: 201,
    call: inTurn(accounts, (account) => keys[account] ?? "", things)
  } satisfies Contender
})

/** The peers, on separate plain tables that do not change with the service's. */
const startPeers = Effect.fnUntraced(function* (database: Redacted.Redacted, kind: OrderComparison, before: number) {
  const { accounts, pgbenchClients } = kind
  const url = yield* seedPeers(database, accounts)
  yield* insertPastOrders(url, before, "plain")
  return {
    handwritten: {
      servers: [yield* peer("Handwritten", url)],
      expected: 201,
      call: inTurn(accounts, (account) => peerKey(1 + account))
    },
    script: { url, file: scriptFile("Order"), statements: 1, variables: { accounts }, clients: pgbenchClients }
  } satisfies Peers
})

export const compareOrders = Effect.fnUntraced(function* (kind: OrderComparison, options: Options) {
  const { name, accounts, floors } = kind
  const { alone, before } = options
  const database = yield* databaseServer
  const peers = alone ? null : yield* startPeers(yield* database("peers"), kind, before)
  const url = yield* database("service")
  const service = yield* startOrderService(url, accounts, options)
  if (before > 0) yield* Console.log(`${before} past orders are in each database`)
  const summary = yield* compareWithPeers({ name, url, service, peers }, options)
  return { summary, missed: missedFloors(summary, floors) }
}, Effect.scoped)
