// Orders of a bystander, one after the other: alone, and beside greedy accounts that keep hundreds of searches in flight. The bystander
// gets no 503, and waits at most twice as long.
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { wholeNumber } from "#test/CommandLineNumber.ts"
import { databaseServer } from "./DatabaseServer.ts"
import { type Call, HttpConnection } from "./HttpConnection.ts"
import { type Load, type Percentiles, percentiles, rounded } from "./Load.ts"
import { order } from "./OrderComparison.ts"
import { seedOrders } from "./SeedData.ts"
import { instances } from "./Servers.ts"

const MOST_TIMES_QUIET = 2

/** Enough for the service's code to be compiled. */
const WARM_UP_ORDERS = 300

/** Stands for the status of a search whose connection was lost. */
const LOST = 0

const NUMBERS = { orders: 300, accounts: 5, searches: 440 } as const

type Options = Readonly<Record<keyof typeof NUMBERS, number>>

const text = { type: "string" } as const

const optionsFrom = (args: ReadonlyArray<string>): Effect.Effect<Options, string> =>
  Effect.try({
    try: () => {
      const { values } = parseArgs({ args: [...args], options: { orders: text, accounts: text, searches: text } })
      const numberOf = (name: keyof typeof NUMBERS) =>
        wholeNumber(values[name], name, { unless: NUMBERS[name], least: 1 })
      return { orders: numberOf("orders"), accounts: numberOf("accounts"), searches: numberOf("searches") }
    },
    catch: (error) =>
      `${String(error)}\nOptions: --orders 300, --accounts 5 greedy ones, --searches 440 in flight of each`
  })

/** A filter of its own for each search, so that no total is cached. */
const search = (key: string, nth: number): Call => ({
  method: "GET",
  path: `/api/v1/agent/catalog?min_traffic=${nth % 20_000}&sort=-traffic`,
  headers: { authorization: `Bearer ${key}` }
})

/** Keeps the searches of all keys in flight until it is stopped; returns how many were answered by status. */
const searchAll = (baseUrl: string, keys: ReadonlyArray<string>, searches: number) => {
  const statuses = new Map<number, number>()
  let isOver = false
  let nth = 0
  const keepSearching = async (key: string): Promise<void> => {
    let connection = new HttpConnection(baseUrl)
    while (!isOver) {
      const status = await connection.send(search(key, nth++)).then(
        (response) => response.status,
        () => LOST
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status !== LOST) continue
      connection.close()
      connection = new HttpConnection(baseUrl)
    }
    connection.close()
  }
  const ended = Promise.all(keys.flatMap((key) => Array.from({ length: searches }, () => keepSearching(key))))
  return async () => {
    isOver = true
    await ended
    return statuses
  }
}

const measure = async (baseUrl: string, [bystander = "", ...greedy]: ReadonlyArray<string>, options: Options) => {
  const connection = new HttpConnection(baseUrl)
  let nth = 0
  const placeOrders = async (count: number): Promise<Percentiles & { readonly refused: number }> => {
    const tookMs: Array<number> = []
    let refused = 0
    for (let placed = 0; placed < count; placed++) {
      const startMs = performance.now()
      const { status } = await connection.send(order(bystander, 0, nth++))
      tookMs.push(performance.now() - startMs)
      if (status !== 201) refused++
    }
    return { ...percentiles(tookMs), refused }
  }
  await placeOrders(WARM_UP_ORDERS)
  const quiet = await placeOrders(options.orders)
  const stop = searchAll(baseUrl, greedy, options.searches)
  const beside = await placeOrders(options.orders)
  const statuses = await stop()
  connection.close()
  return { quiet, beside, statuses }
}

export const load: Load = (args) =>
  Effect.gen(function* () {
    const options = yield* optionsFrom(args)
    const url = yield* (yield* databaseServer)("neighbours")
    const keys = yield* seedOrders(url, options.accounts + 1)
    const [server] = yield* instances(1, url)
    const { quiet, beside, statuses } = yield* Effect.promise(() => measure(server?.baseUrl ?? "", keys, options))
    const show = (name: string, { p50, p95, p99, refused }: typeof quiet) =>
      console.log(
        `${name.padEnd(8)} p50 ${p50.toFixed(1)} ms   p95 ${p95.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms   ${refused} not answered 201`
      )
    show("quiet", quiet)
    show("beside", beside)
    const counts = [...statuses].map(([status, count]) => `${count} answered ${status}`)
    console.log(`searches of the greedy accounts: ${counts.join(", ")}`)
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
