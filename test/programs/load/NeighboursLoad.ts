// Orders of a bystander, one after the other: alone, and beside greedy accounts that keep hundreds of searches in flight. The bystander
// gets no 503, and waits at most twice as long.
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { Console, Effect } from "effect"
import { wholeNumber } from "#test/CommandLineNumber.ts"
import { databaseServer, temporaryFolder } from "./DatabaseServer.ts"
import type { AnsweredSearches, GreedySearches } from "./GreedyClients.ts"
import { HttpConnection } from "./HttpConnection.ts"
import { type Load, type Percentiles, percentiles, rounded } from "./Load.ts"
import { longestPauseMs, pauseMonitorEnv } from "./LongestPause.ts"
import { order } from "./OrderComparison.ts"
import { seedOrders } from "./SeedData.ts"
import { instances } from "./Servers.ts"

const MOST_TIMES_QUIET = 2

/** Enough for the service's code to be compiled. */
const WARM_UP_ORDERS = 300

const NUMBERS = { orders: 1_000, rounds: 3, accounts: 5, searches: 440 } as const

type Options = Readonly<Record<keyof typeof NUMBERS, number>>

const text = { type: "string" } as const

const optionsFrom = (args: ReadonlyArray<string>): Effect.Effect<Options, string> =>
  Effect.try({
    try: () => {
      const { values } = parseArgs({
        args: [...args],
        options: { orders: text, rounds: text, accounts: text, searches: text }
      })
      const numberOf = (name: keyof typeof NUMBERS) =>
        wholeNumber(values[name], name, { unless: NUMBERS[name], least: 1 })
      return {
        orders: numberOf("orders"),
        rounds: numberOf("rounds"),
        accounts: numberOf("accounts"),
        searches: numberOf("searches")
      }
    },
    catch: (error) =>
      `${String(error)}\nOptions: --orders 1000 in each of --rounds 3, --accounts 5 greedy ones, --searches 440 in flight of each`
  })

/** Starts the greedy clients' process, which begins and ends when told so, in each round. */
const startGreedyClients = () => {
  const clients = fork(fileURLToPath(new URL("./GreedyClients.ts", import.meta.url)))
  return {
    begin: (searches: GreedySearches) => clients.send(searches),
    /** How many searches were answered, by status. */
    end: async (): Promise<AnsweredSearches> => {
      const answered = once(clients, "message")
      clients.send("end")
      const [statuses] = await answered
      return statuses
    },
    kill: () => clients.kill()
  }
}

type GreedyClients = ReturnType<typeof startGreedyClients>

interface Orders {
  readonly tookMs: ReadonlyArray<number>
  /** Answered with another status than 201. */
  readonly refused: number
  /** The longest of the service's event loop. */
  readonly pauseMs: number
}

const all = (rounds: ReadonlyArray<Orders>): Orders & Percentiles => {
  const tookMs = rounds.flatMap((round) => round.tookMs)
  const refused = rounds.reduce((sum, round) => sum + round.refused, 0)
  return { ...percentiles(tookMs), tookMs, refused, pauseMs: Math.max(...rounds.map(({ pauseMs }) => pauseMs)) }
}

const measure = async (
  baseUrl: string,
  pauses: string,
  [bystander = "", ...greedy]: ReadonlyArray<string>,
  { orders, rounds, searches }: Options,
  clients: GreedyClients
) => {
  const connection = new HttpConnection(baseUrl)
  let nth = 0
  const placeOrders = async (count: number): Promise<Orders> => {
    const tookMs: Array<number> = []
    let refused = 0
    await longestPauseMs(pauses)
    for (let placed = 0; placed < count; placed++) {
      const startMs = performance.now()
      const { status } = await connection.send(order(bystander, 0, nth++))
      tookMs.push(performance.now() - startMs)
      if (status !== 201) refused++
    }
    return { tookMs, refused, pauseMs: await longestPauseMs(pauses) }
  }
  await placeOrders(WARM_UP_ORDERS)
  const quiet: Array<Orders> = []
  const beside: Array<Orders> = []
  const statuses = new Map<number, number>()
  for (let round = 0; round < rounds; round++) {
    quiet.push(await placeOrders(orders))
    clients.begin({ baseUrl, keys: greedy, searches })
    beside.push(await placeOrders(orders))
    for (const [status, count] of await clients.end()) statuses.set(status, (statuses.get(status) ?? 0) + count)
  }
  connection.close()
  return { quiet: all(quiet), beside: all(beside), statuses: [...statuses] }
}

const show = (name: string, { p50, p95, p99, refused, pauseMs }: ReturnType<typeof all>) => {
  const latency = `p50 ${p50.toFixed(1)} ms   p95 ${p95.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms`
  return Console.log(
    `${name.padEnd(8)} ${latency}   ${refused} not answered 201   longest pause of the service ${pauseMs.toFixed(0)} ms`
  )
}

export const load: Load = (args) =>
  Effect.gen(function* () {
    const options = yield* optionsFrom(args)
    const url = yield* (yield* databaseServer)("neighbours")
    const pauses = join(yield* temporaryFolder, "pauses.sock")
    const keys = yield* seedOrders(url, options.accounts + 1)
    const [server] = yield* instances(1, url, pauseMonitorEnv(pauses))
    const clients = yield* Effect.acquireRelease(Effect.sync(startGreedyClients), ({ kill }) => Effect.sync(kill))
    const { quiet, beside, statuses } = yield* Effect.promise(() =>
      measure(server?.baseUrl ?? "", pauses, keys, options, clients)
    )
    yield* show("quiet", quiet)
    yield* show("beside", beside)
    const counts = statuses.map(([status, count]) => `${count} answered ${status}`)
    yield* Console.log(`searches of the greedy accounts: ${counts.join(", ")}`)
    const ratio = beside.p99 / quiet.p99
    const missed = [
      ...(beside.refused > 0 ? [`${beside.refused} orders of the bystander were refused; none may be`] : []),
      ...(ratio > MOST_TIMES_QUIET
        ? [`the bystander's p99 is ${ratio.toFixed(1)} times its quiet one, above ${MOST_TIMES_QUIET}`]
        : [])
    ]
    const summary = {
      name: "neighbours",
      per_second: 0,
      p50_ms: rounded(beside.p50),
      p99_ms: rounded(beside.p99),
      ratios: { quiet: rounded(ratio) }
    }
    return { summary, missed }
  }).pipe(Effect.scoped)
