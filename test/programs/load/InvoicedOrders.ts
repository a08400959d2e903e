// Orders while invoices are issued beside the same orders without: one service, in rounds that alternate. While the numberer's lock is
// held here, no instance issues; what is due then is issued before the next round, so that each round pays for its own documents.
import { Console, Effect, Redacted } from "effect"
import { Client } from "pg"
import { ADVISORY_LOCKS } from "#adapters/postgres/database/AdvisoryLocks.ts"
import { SELLER } from "#test/scenarios/InvoiceSteps.ts"
import { checkpoint, costedRound, pidsOf, round, show, WARM_UP_SECONDS } from "./Contender.ts"
import { costPerCall, describeCost, withCost } from "./Costs.ts"
import { databaseServer, queryOne } from "./DatabaseServer.ts"
import { figuresOf } from "./Drive.ts"
import { rounded, type Summary } from "./Load.ts"
import type { Options } from "./Options.ts"
import { startOrderService } from "./OrderComparison.ts"
import { missedFloors } from "./PeerComparison.ts"

const ACCOUNTS = 1_000

/** The least share of the speed without invoices. */
const FLOORS = { invoices: 0.97 }

/** A pass begins every five seconds: within this, one is under way. */
const ISSUING_WARM_UP_SECONDS = 6

/** The lock without which no instance issues invoices, for a session that ends with the scope. */
const numbererLock = (url: Redacted.Redacted) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client(Redacted.value(url))
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end())
    ),
    (client) => {
      const call = (lock: string) => Effect.promise(() => client.query(`SELECT ${lock}(${ADVISORY_LOCKS.invoices})`))
      return { hold: call("pg_advisory_lock"), release: call("pg_advisory_unlock") }
    }
  )

/** No instance issues invoices until the scope closes. */
export const withoutInvoices = (url: Redacted.Redacted) => Effect.flatMap(numbererLock(url), ({ hold }) => hold)

const missing = (url: Redacted.Redacted) =>
  queryOne(
    url,
    "SELECT (SELECT count(*) FROM orders)::int - (SELECT count(*) FROM invoices WHERE kind = 'invoice')::int AS count",
    async ({ count }) => Number(count)
  )

const untilIssued = (url: Redacted.Redacted) =>
  Effect.repeat(Effect.delay(missing(url), "1 second"), { until: (count) => count === 0 })

export const compareInvoices = Effect.fnUntraced(function* (options: Options) {
  const { connections, seconds, rounds } = options
  const url = yield* (yield* databaseServer)("service")
  const service = yield* startOrderService(url, ACCOUNTS, { ...options, before: 0 }, undefined, SELLER)
  const { hold, release } = yield* numbererLock(url)
  const each = Math.max(1, Math.round(seconds / rounds))
  const measure = Effect.fnUntraced(function* (warmUpSeconds: number) {
    yield* round(service, connections, warmUpSeconds)
    yield* checkpoint(url)
    return yield* costedRound(service, url, connections, each)
  })
  const oneRound = Effect.gen(function* () {
    const issuing = yield* measure(ISSUING_WARM_UP_SECONDS)
    const late = yield* missing(url)
    yield* untilIssued(url)
    yield* hold
    const without = yield* measure(WARM_UP_SECONDS)
    const due = yield* missing(url)
    const alone = yield* withCost(Effect.andThen(release, untilIssued(url)), url, pidsOf(service), () => due)
    return { issuing, without, alone, late }
  })
  yield* round(service, connections, WARM_UP_SECONDS)
  yield* untilIssued(url)
  const measured = yield* Effect.forEach(Array.from({ length: rounds }), () => oneRound)
  const issuing = figuresOf(measured.map((one) => one.issuing.result))
  const without = figuresOf(measured.map((one) => one.without.result))
  yield* show("without", without)
  yield* show("issuing", issuing)
  const costs = {
    without: costPerCall(measured.map((one) => one.without.cost)),
    issuing: costPerCall(measured.map((one) => one.issuing.cost)),
    // The invoices of the rounds without, issued afterwards.
    alone: costPerCall(measured.map((one) => one.alone.cost))
  }
  for (const [name, cost] of Object.entries(costs)) yield* Console.log(`${name}: ${describeCost(cost)}`)
  yield* Console.log(`orders without invoice at the end of each round: ${measured.map(({ late }) => late).join(", ")}`)
  const summary: Summary = {
    name: "orders",
    per_second: Math.round(issuing.perSecond),
    p50_ms: rounded(issuing.p50Ms),
    p99_ms: rounded(issuing.p99Ms),
    ratios: { invoices: rounded(issuing.perSecond / without.perSecond, 3) }
  }
  yield* Console.log(`with invoices beside without ${summary.ratios["invoices"]}`)
  return { summary, missed: missedFloors(summary, FLOORS) }
}, Effect.scoped)
