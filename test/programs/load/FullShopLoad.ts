// The rate of orders with a million past orders, in rounds that alternate with an empty database on the same PostgreSQL. No invoices are
// issued: those of the orders of one round would be issued beside the next, which is the other shop's.
import { Console, Effect } from "effect"
import { checkpoint, costedRound, round, show, showCost, WARM_UP_SECONDS } from "./Contender.ts"
import { costPerCall } from "./Costs.ts"
import { databaseServer } from "./DatabaseServer.ts"
import { figuresOf } from "./Drive.ts"
import { withoutInvoices } from "./InvoicedOrders.ts"
import { type Load, rounded, type Summary } from "./Load.ts"
import { type Options, optionsFrom } from "./Options.ts"
import { startOrderService } from "./OrderComparison.ts"
import { missedFloors } from "./PeerComparison.ts"

const ACCOUNTS = 1_000
const DEFAULTS = ["--before", "1000000", "--seconds", "60", "--rounds", "15"]
const FLOOR = { "an empty shop": 0.9 }

/** The geometric mean of ratios and its standard error. */
const meanRatio = (ratios: ReadonlyArray<number>) => {
  const logs = ratios.map(Math.log)
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const spread = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / Math.max(1, logs.length - 1)
  return { mean: rounded(Math.exp(mean), 3), standardError: rounded(Math.sqrt(spread / logs.length), 3) }
}

const compare = Effect.fnUntraced(function* (options: Options) {
  const { connections, seconds, rounds, before } = options
  const database = yield* databaseServer
  const shop = Effect.fnUntraced(function* (name: string, orders: number) {
    const url = yield* database(name)
    const contender = yield* startOrderService(url, ACCOUNTS, { ...options, before: orders })
    yield* withoutInvoices(url)
    yield* round(contender, connections, WARM_UP_SECONDS)
    return Effect.andThen(checkpoint(url), costedRound(contender, url, connections, seconds / rounds))
  })
  const full = yield* shop("full", before)
  const empty = yield* shop("empty", 0)
  yield* Console.log(`${before} past orders are in the full database`)
  const pairs = yield* Effect.forEach(Array.from({ length: rounds }), () => Effect.all({ full, empty }))
  for (const [name, measured] of [
    ["full shop", pairs.map(({ full }) => full)],
    ["empty shop", pairs.map(({ empty }) => empty)]
  ] as const) {
    yield* show(name, figuresOf(measured.map(({ result }) => result)))
    yield* showCost(name, costPerCall(measured.map(({ cost }) => cost)))
  }
  const ofFull = figuresOf(pairs.map(({ full }) => full.result))
  const ratios = pairs.map((pair) => figuresOf([pair.full.result]).perSecond / figuresOf([pair.empty.result]).perSecond)
  const { mean, standardError } = meanRatio(ratios)
  const inOrder = ratios.map((ratio) => rounded(ratio, 3)).join(", ")
  yield* Console.log(`full beside empty ${mean} (± ${standardError}), in pairs of rounds ${inOrder}`)
  const summary: Summary = {
    name: "full-shop",
    per_second: Math.round(ofFull.perSecond),
    p50_ms: rounded(ofFull.p50Ms),
    p99_ms: rounded(ofFull.p99Ms),
    ratios: { "an empty shop": mean }
  }
  return { summary, missed: missedFloors(summary, FLOOR) }
}, Effect.scoped)

export const load: Load = (args) => Effect.flatMap(optionsFrom([...DEFAULTS, ...args]), compare)
