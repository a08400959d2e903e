// The contest of orders, by many accounts or by one: each is a single link, paid from credit at a discount by promo code, under an
// idempotency key of its own.
import { randomUUID } from "node:crypto"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { besidePeers, missedBy, type Options } from "./BesidePeers.ts"
import { databaseServer } from "./DatabaseServer.ts"
import type { Call } from "./Line.ts"
import { instances, peer } from "./Servers.ts"
import { peerKey, SITES_TO_ORDER_FROM, stockOrders, stockPeers } from "./Stock.ts"

export interface OrderContest {
  readonly name: string
  /** Who order, in turn. */
  readonly accounts: number
  readonly pgbenchClients: number
  /** What the ratios must at least be. */
  readonly floors: Readonly<Record<string, number>>
}

/** As many brands as a large agency links to. */
const BRANDS = 500

const order = (key: string, n: number): Call => ({
  method: "POST",
  path: "/api/v1/agent/orders",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": randomUUID() },
  body: JSON.stringify({
    promo_code: "TEN",
    items: [
      {
        site_id: 1 + (n % SITES_TO_ORDER_FROM),
        target_url: `https://brand${n % BRANDS}.example/page`,
        anchor_text: "a good read",
        anchor_type: "partial"
      }
    ]
  })
})

const scriptFile = fileURLToPath(new URL("./peers/Order.sql", import.meta.url))

export const orderContest = Effect.fnUntraced(function* (kind: OrderContest, options: Options) {
  const { name, accounts, floors } = kind
  const database = yield* databaseServer
  const [ours, theirs] = [yield* database("service"), yield* database("peers")]
  const keys = yield* stockOrders(ours, accounts)
  yield* stockPeers(theirs, accounts)
  const { summary } = yield* besidePeers(
    {
      name,
      service: {
        baseUrls: yield* instances(options.instances, ours),
        expected: 201,
        call: (n) => order(keys[n % accounts] ?? "", n)
      },
      handwritten: {
        baseUrls: [yield* peer("Handwritten", theirs)],
        expected: 201,
        call: (n) => order(peerKey(1 + (n % accounts)), n)
      },
      script: { url: theirs, file: scriptFile, statements: 1, variables: { accounts }, clients: kind.pgbenchClients }
    },
    options
  )
  return { summary, missed: missedBy(summary, floors) }
}, Effect.scoped)
