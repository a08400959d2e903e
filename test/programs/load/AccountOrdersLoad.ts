// Pages of Orders in the member area of an account with many orders, in rounds that alternate with an account that has few, on the same
// PostgreSQL: the newest, those far back, and what each filter finds.
import { createHash, randomBytes } from "node:crypto"
import { parseArgs } from "node:util"
import { Effect, Record, type Redacted } from "effect"
import { wholeNumber } from "#test/CommandLineNumber.ts"
import { databaseServer, execute, queryOne } from "./DatabaseServer.ts"
import { type Load, monotonicMs, percentiles, rounded } from "./Load.ts"
import { insertPastOrders } from "./PastOrders.ts"
import { seedOrders } from "./SeedData.ts"
import { instances } from "./Servers.ts"

const NUMBERS = { before: 100_000, few: 100, pages: 200, rounds: 5 } as const

const MAX_RATIO = 1.5

type Numbers = { readonly [Name in keyof typeof NUMBERS]: number }

const numbersFrom = (args: ReadonlyArray<string>): Effect.Effect<Numbers, string> =>
  Effect.try({
    try: () => {
      const text = { type: "string" } as const
      const options = { before: text, few: text, pages: text, rounds: text }
      const { values } = parseArgs({ args: [...args], options })
      const number = (name: keyof typeof NUMBERS) =>
        wholeNumber(values[name], name, { unless: NUMBERS[name], least: 1 })
      return { before: number("before"), few: number("few"), pages: number("pages"), rounds: number("rounds") }
    },
    catch: (error) =>
      `${String(error)}\nOptions: --before 100000 orders, --few 100, --pages 200 of each kind, --rounds 5`
  })

/** The id of the order in the middle of the account's. */
const middle = (url: Redacted.Redacted) =>
  queryOne(url, 'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY order_id COLLATE "C") AS id FROM orders', (row) =>
    Promise.resolve(String(row["id"]))
  )

const pagesOf = (middleId: string) => ({
  newest: "",
  "far back": `?before=${middleId}`,
  "by state": "?status=paid",
  "by dates": "?created_from=2020-01-01&created_to=2999-01-01",
  "by domain": "?target_domain=brand0.example",
  "by a text of all": "?text=good+read",
  "by a text of none": "?text=none+has+this"
})

type PageName = keyof ReturnType<typeof pagesOf>

/** The service on its own database with one account, and the session of the account's owner. */
const startArea = Effect.fnUntraced(function* (url: Redacted.Redacted, orders: number) {
  yield* seedOrders(url, 1)
  yield* insertPastOrders(url, orders)
  const token = randomBytes(32).toString("base64url")
  const hash = createHash("sha256").update(token).digest("hex")
  const nowMs = Date.now()
  yield* execute(
    url,
    `INSERT INTO sessions (session_id, hash, member_id, method, network, user_agent, created_at_ms, last_used_at_ms)
     SELECT 'ses_load', '${hash}', member_id, 'link', '', '', ${nowMs}, ${nowMs} FROM members`
  )
  const [server] = yield* instances(1, url)
  if (server === undefined) return yield* Effect.die("one instance was started")
  const pages = pagesOf(yield* middle(url))
  const get = async (name: PageName): Promise<number> => {
    const startMs = monotonicMs()
    const response = await fetch(`${server.baseUrl}/account/orders${pages[name]}`, {
      headers: { cookie: `session=${token}` },
      redirect: "manual"
    })
    await response.text()
    if (response.status !== 200) throw new Error(`${name} was answered with ${response.status}`)
    return monotonicMs() - startMs
  }
  return { get }
})

type Area = Effect.Success<ReturnType<typeof startArea>>

const timesOf = async ({ get }: Area, name: PageName, pages: number): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (let nth = 0; nth < pages; nth++) times.push(await get(name))
  return times
}

const measure = async (many: Area, few: Area, { pages, rounds }: Numbers) => {
  const results = []
  for (const name of Record.keys(pagesOf(""))) {
    const times: { readonly many: Array<number>; readonly few: Array<number> } = { many: [], few: [] }
    for (let round = 0; round <= rounds; round++) {
      const each = Math.ceil(pages / rounds)
      const [ofFew, ofMany] = [await timesOf(few, name, each), await timesOf(many, name, each)]
      // The first round warms up.
      if (round === 0) continue
      times.few.push(...ofFew)
      times.many.push(...ofMany)
    }
    const [ofMany, ofFew] = [percentiles(times.many), percentiles(times.few)]
    results.push({ name, many: ofMany, few: ofFew, ratio: rounded(ofMany.p95 / ofFew.p95) })
  }
  return results
}

export const load: Load = (args) =>
  Effect.gen(function* () {
    const numbers = yield* numbersFrom(args)
    const database = yield* databaseServer
    const few = yield* startArea(yield* database("few"), numbers.few)
    const many = yield* startArea(yield* database("many"), numbers.before)
    const results = yield* Effect.promise(() => measure(many, few, numbers))
    for (const { name, many: ofMany, few: ofFew, ratio } of results) {
      const figures = [ofMany, ofFew].map(({ p50, p95 }) => `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms`)
      console.log(`${name.padEnd(18)} ${figures.join("   beside ")}   ratio of p95 ${ratio}`)
    }
    const [newest] = results
    const summary = {
      name: "account-orders",
      per_second: 0,
      p50_ms: rounded(newest?.many.p50 ?? Number.NaN),
      p99_ms: rounded(newest?.many.p99 ?? Number.NaN),
      ratios: Object.fromEntries(results.map(({ name, ratio }) => [name, ratio]))
    }
    const missed = results
      .filter(({ ratio }) => ratio > MAX_RATIO)
      .map(({ name, ratio }) => `orders ${name}: p95 is ${ratio} × that of ${numbers.few} orders, above ${MAX_RATIO}`)
    return { summary, missed }
  }).pipe(Effect.scoped)
