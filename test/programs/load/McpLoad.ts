// MCP tool calls at 50 connections, beside an empty tool of the same SDK in the same run; and with an access token of a connection beside
// a key, in rounds that alternate.
import { randomUUID } from "node:crypto"
import { parseArgs } from "node:util"
import { Console, Effect, Schema } from "effect"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { makeBrowser } from "#test/adapters/oauth/Browser.ts"
import { connect } from "#test/adapters/oauth/Flow.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { ownMsOf } from "./Costs.ts"
import { type Driving, drive, figuresOf, type Figures as Seen } from "./Drive.ts"
import type { Call } from "./HttpConnection.ts"
import { type Load, rounded } from "./Load.ts"
import { type Served, type Server, startEmptyTool, startService } from "./Servers.ts"

const FLOORS = { readsPerSecond: 1_000, ofEmptyTool: 0.4, tokenToKey: 1.1 } as const

/** Rounds of each credential. */
const ROUNDS = 6

const keyOf = (label: string): string => demoKeys.find((key) => key.label === label)?.text ?? ""

const item = {
  site_id: 2,
  target_url: "https://willow-and-spade.example/spring",
  anchor_text: "spring garden tools",
  anchor_type: "partial"
}

const toolCall = (name: string, args: object, key: string): Call => ({
  method: "POST",
  path: "/mcp",
  headers: {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream"
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
})

const decodeOrder = Schema.decodeUnknownSync(Schema.Struct({ order_id: Schema.String }))

const orderIdOf = (body: unknown): string => decodeOrder(body).order_id

/** An order for status calls, paid from the demo's credit. */
const placeOrder = async (baseUrl: string): Promise<string> => {
  const answer = await fetch(`${baseUrl}/api/v1/agent/orders`, {
    method: "POST",
    headers: { authorization: `Bearer ${keyOf("demo live key")}`, "content-type": "application/json" },
    body: JSON.stringify({ items: [item] })
  })
  return orderIdOf(await answer.json())
}

const show = (name: string, { perSecond, p50Ms, p95Ms, p99Ms }: Seen): void =>
  console.log(
    `${name.padEnd(16)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50Ms.toFixed(1)} ms   p95 ${p95Ms.toFixed(1)} ms   p99 ${p99Ms.toFixed(1)} ms`
  )

/** Long enough for the service's code to be compiled. */
const WARM_UP_SECONDS = 4

const seenOf = async (baseUrl: string, options: Driving, call: () => Call): Promise<Seen> => {
  await drive([baseUrl], { ...options, seconds: WARM_UP_SECONDS }, call)
  return figuresOf([await drive([baseUrl], options, call)])
}

const optionsFrom = (args: ReadonlyArray<string>) =>
  Effect.try({
    try: (): Driving => {
      const options = {
        connections: { type: "string", default: "50" },
        seconds: { type: "string", default: "8" }
      } as const
      const { values } = parseArgs({ args: [...args], options })
      return { connections: Number(values.connections), seconds: Number(values.seconds), expected: 200 }
    },
    catch: (error) => `${String(error)}\nOptions: --connections 50, --seconds 8`
  })

/** The cost of a search with each credential: milliseconds of the service's processor a call, or of time where that is not known. */
const costs = async ({ baseUrl, pid }: Server, options: Driving, credentials: { key: string; token: string }) => {
  const spent = { key: { ms: 0, calls: 0 }, token: { ms: 0, calls: 0 } }
  for (let n = 0; n < 2 * ROUNDS; n++) {
    const name = n % 2 === 0 ? "key" : "token"
    const search = () => toolCall("search_sites", { shelf: "Corail", limit: 20 }, credentials[name])
    const [beganMs, before] = [performance.now(), await ownMsOf([pid])]
    const { calls } = await drive([baseUrl], { ...options, seconds: options.seconds / ROUNDS }, search)
    const after = await ownMsOf([pid])
    spent[name].ms += before === null || after === null ? performance.now() - beganMs : after - before
    spent[name].calls += calls
  }
  return { key: spent.key.ms / spent.key.calls, token: spent.token.ms / spent.token.calls }
}

/** A token of a connection that the demo's owner consents to, as any client gets it. */
const accessToken = async ({ baseUrl, printed }: Served): Promise<string> => {
  const link = new URL(await printed("demo sign-in: "))
  const place = { url: baseUrl, port: Number(new URL(baseUrl).port), books: Effect.never, rows: Effect.never }
  const connected = Effect.gen(function* () {
    const browser = yield* makeBrowser()
    yield* browser.post("/account/sign-in/use", { token: link.searchParams.get("token") ?? "" })
    return yield* connect(browser, { scope: "read order" })
  })
  const { tokens } = await Effect.runPromise(Effect.provideService(connected, RunningService, place))
  return tokens.access
}

const measure = async (options: Driving) => {
  const empty = await startEmptyTool()
  const floor = await seenOf(empty.baseUrl, options, () => toolCall("empty", {}, "")).finally(empty.stop)
  show("empty tool", floor)
  const shop = await startService({ STORE: "memory" })
  const orderId = await placeOrder(shop.baseUrl)
  const [rich, poor] = [keyOf("demo live key"), keyOf("demo no-credit key")]
  const calls = {
    search_sites: () => toolCall("search_sites", { shelf: "Corail", limit: 20 }, rich),
    get_order_status: () => toolCall("get_order_status", { order_id: orderId }, rich),
    create_order: () => toolCall("create_order", { items: [item], idempotency_key: randomUUID() }, poor)
  }
  const seen = async (name: keyof typeof calls): Promise<Seen> => {
    const figures = await seenOf(shop.baseUrl, options, calls[name])
    show(name, figures)
    return figures
  }
  try {
    return {
      floor,
      search: await seen("search_sites"),
      status: await seen("get_order_status"),
      order: await seen("create_order"),
      cost: await costs(shop, options, { key: rich, token: await accessToken(shop) })
    }
  } finally {
    await shop.stop()
  }
}

export const load: Load = Effect.fnUntraced(function* (args) {
  const { floor, search, status, order, cost } = yield* Effect.flatMap(optionsFrom(args), (options) =>
    Effect.tryPromise(() => measure(options))
  )
  const toFloor = ({ perSecond }: Seen) => rounded(perSecond / floor.perSecond, 3)
  const ratios = {
    search_sites: toFloor(search),
    get_order_status: toFloor(status),
    create_order: toFloor(order),
    token: rounded(cost.token / cost.key, 3)
  }
  yield* Console.log(
    `a search costs ${cost.key.toFixed(3)} ms with a key, ${cost.token.toFixed(3)} ms with a token (× ${ratios.token})`
  )
  const reads = Math.min(search.perSecond, status.perSecond)
  const missed = [
    ...(reads < FLOORS.readsPerSecond ? [`${reads.toFixed(0)} reads/s, below ${FLOORS.readsPerSecond}/s`] : []),
    ...(Math.min(ratios.search_sites, ratios.get_order_status) < FLOORS.ofEmptyTool
      ? [`reads are less than ${FLOORS.ofEmptyTool} of an empty tool`]
      : []),
    ...(ratios.token > FLOORS.tokenToKey ? [`a token costs ${ratios.token} × a key, above ${FLOORS.tokenToKey}`] : [])
  ]
  const { perSecond, p50Ms, p99Ms } = search
  const main = { name: "mcp", per_second: Math.round(perSecond), p50_ms: rounded(p50Ms), p99_ms: rounded(p99Ms) }
  return { summary: { ...main, ratios }, missed }
})
