// MCP tool calls at 50 connections, beside an empty tool of the same SDK in the same run.
import { randomUUID } from "node:crypto"
import { parseArgs } from "node:util"
import { Effect, Schema } from "effect"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { type Driving, drive, figuresOf, type Figures as Seen } from "./Drive.ts"
import type { Call } from "./HttpConnection.ts"
import { type Load, rounded } from "./Load.ts"
import { startEmptyTool, startService } from "./Servers.ts"

const FLOORS = { readsPerSecond: 1_000, ofEmptyTool: 0.4 } as const

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
      order: await seen("create_order")
    }
  } finally {
    await shop.stop()
  }
}

export const load: Load = Effect.fnUntraced(function* (args) {
  const { floor, search, status, order } = yield* Effect.flatMap(optionsFrom(args), (options) =>
    Effect.tryPromise(() => measure(options))
  )
  const toFloor = ({ perSecond }: Seen) => rounded(perSecond / floor.perSecond, 3)
  const ratios = { search_sites: toFloor(search), get_order_status: toFloor(status), create_order: toFloor(order) }
  const reads = Math.min(search.perSecond, status.perSecond)
  const missed = [
    ...(reads < FLOORS.readsPerSecond ? [`${reads.toFixed(0)} reads/s, below ${FLOORS.readsPerSecond}/s`] : []),
    ...(Math.min(ratios.search_sites, ratios.get_order_status) < FLOORS.ofEmptyTool
      ? [`reads are less than ${FLOORS.ofEmptyTool} of an empty tool`]
      : [])
  ]
  const { perSecond, p50Ms, p99Ms } = search
  const main = { name: "mcp", per_second: Math.round(perSecond), p50_ms: rounded(p50Ms), p99_ms: rounded(p99Ms) }
  return { summary: { ...main, ratios }, missed }
})
