// A key in the query of /mcp appears in no span, log line, metric or response, even if the request is otherwise invalid; over
// clients and raw sockets. Searched for by value.
import { layer } from "@effect/vitest"
import { Cause, Effect, Exit, Inspectable, Layer, Metric, References, Tracer } from "effect"
import { expect } from "vitest"
import { exchange, head } from "#test/adapters/http/server/RawHttp.ts"
import { LogLines } from "#test/scenarios/RunningService.ts"
import { McpServers, layer as mcpServers, serverNames, startStandalone } from "./McpServers.ts"
import { post, resultIn, toolCall } from "./Post.ts"
import { newCustomer } from "./ToolCalls.ts"

const spans: Array<Tracer.NativeSpan> = []

const tracer = Tracer.make({
  span: (options) => {
    const span = new Tracer.NativeSpan(options)
    spans.push(span)
    return span
  }
})

const watched = mcpServers().pipe(
  Layer.provideMerge(
    Layer.mergeAll(Layer.succeed(Tracer.Tracer, tracer), Layer.succeed(References.MinimumLogLevel, "Trace"))
  )
)

/** A span as an exporter could write it down, errors included. */
const written = ({ name, attributes, events, status }: Tracer.NativeSpan): string =>
  [
    name,
    ...[...attributes].map(([key, value]) => `${key}=${Inspectable.toStringUnknown(value)}`),
    Inspectable.toStringUnknown(events),
    status._tag === "Ended" && Exit.isFailure(status.exit)
      ? `${Cause.pretty(status.exit.cause)} ${Inspectable.toStringUnknown(status.exit.cause)}`
      : ""
  ].join("\n")

const about = toolCall("2025", "about")

const length = { "content-length": String(Buffer.byteLength(about.body)) }
const json = { "content-type": "application/json", ...length }

/** Raw requests with the key in them. */
const requests = (key: string): Readonly<Record<string, ReadonlyArray<string>>> => ({
  "a call": [head("POST", `/mcp?key=${key}`, json), about.body],
  "the name in capitals": [head("POST", `/mcp?KEY=${key}`, json), about.body],
  "the name escaped": [head("POST", `/mcp?k%65y=${key}`, json), about.body],
  "the value escaped": [head("POST", `/mcp?key=%73${key.slice(1)}`, json), about.body],
  "among others": [head("POST", `/mcp?a=b&key=${key}&key=other#key=${key}`, json), about.body],
  "another method": [head("GET", `/mcp?key=${key}`)],
  "a preflight": [head("OPTIONS", `/mcp?key=${key}`, { origin: "https://evil.example" })],
  "behind a semicolon": [head("POST", `/mcp;key=${key}`, json), about.body],
  "a slash too many": [head("POST", `//mcp/?key=${key}`, json), about.body],
  "the wrong case": [head("POST", `/MCP?key=${key}`, json), about.body],
  "the wrong path": [head("POST", `/mcpp?key=${key}`, json), about.body],
  "the whole address": [head("POST", `http://127.0.0.1/mcp?key=${key}`, json), about.body],
  "no JSON": [head("POST", `/mcp?key=${key}`, { ...json, "content-length": "1" }), "{"],
  "no type": [head("POST", `/mcp?key=${key}`, length), about.body],
  "too long a body": [head("POST", `/mcp?key=${key}`, { ...json, "content-length": "9999999" })],
  "two lengths": [head("POST", `/mcp?key=${key}`, { ...json, "Content-Length": "5" }), about.body],
  "no HTTP": [`POST /mcp?key=${key} HTTX/1.1\r\n\r\n`],
  "too long a head": [head("POST", `/mcp?key=${key}`, { ...json, x: "a".repeat(20_000) }), about.body],
  "bad percent signs": [head("POST", `/mcp?key=${key}%ZZ`, json), about.body]
})

/** Raw requests with the key in a header that is not read. */
const misplaced = (key: string): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    [
      ["X-API-Key", key],
      ["Authorization", key],
      ["Authorization", `Token ${key}`],
      ["Authorization", `Basic ${btoa(`${key}:`)}`],
      ["Api-Key", key]
    ].map(([name = "", value = ""]) => [
      `${name}: ${value.slice(0, 6)}`,
      [head("POST", "/mcp", { ...json, [name]: value }), about.body]
    ])
  )

const portOf = (url: string): number => Number(new URL(url).port)

layer(watched, { excludeTestServices: true })("a key in the query", (it) => {
  for (const server of serverNames) {
    it.effect(`${server}: leaves no trace`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { lines: logs } = yield* LogLines
        const { key } = yield* newCustomer()
        spans.length = 0
        const said: Array<string> = []
        for (const [says, pieces] of Object.entries(requests(key))) {
          const answer = yield* exchange(portOf(url), ...pieces)
          said.push(`${says}: ${answer.status} ${JSON.stringify(answer)}`)
        }
        expect(said[0], "the first one is in order").toMatch(/^a call: 200/)
        for (const [says, pieces] of Object.entries(misplaced(key))) {
          const answer = yield* exchange(portOf(url), ...pieces)
          expect(answer.status, says).toBe(401)
          expect(JSON.stringify(answer), says).toMatch(/A key came in the .+: send it as `Authorization: Bearer …`/)
          said.push(`${says}: ${JSON.stringify(answer)}`)
        }
        expect(resultIn(yield* post(`${url}?key=${key}`, about)).isError).toBe(false)

        const traced = spans.map(written)
        expect(traced.some((span) => span.startsWith("POST /mcp"))).toBe(true)
        expect(traced.some((span) => span.startsWith("Mcp.callTool\nmcp.tool=about"))).toBe(true)
        const seen = [...traced, ...logs, ...said, Inspectable.toStringUnknown(yield* Metric.snapshot)]
        const secrets = [key.slice("sn_live_".length), key.slice("sn_live_".length, -6), btoa(`${key}:`)]
        expect(seen.filter((text) => secrets.some((secret) => text.includes(secret)))).toStrictEqual([])
      })
    )
  }

  it.effect("an API that cannot be reached is logged and reported without the key", () =>
    Effect.gen(function* () {
      const { lines: logs } = yield* LogLines
      const { key } = yield* newCustomer()
      const unreachable = yield* startStandalone("http://127.0.0.1:9")
      spans.length = 0
      const before = logs.length
      const answer = yield* post(`${unreachable}/mcp?key=${key}`, about)
      expect(resultIn(answer)).toMatchObject({
        isError: true,
        body: { error: { code: "store_unavailable", recovery: "retry" } }
      })
      expect(logs.length).toBeGreaterThan(before)
      const seen = [...spans.map(written), ...logs.slice(before), answer.text].join("\n")
      expect(seen).not.toContain(key.slice("sn_live_".length))
      expect(answer.text).not.toContain("127.0.0.1")
    })
  )
})
