// Logs as a collector reads them: one JSON object per line on standard error, filtered by level; the line of a defect has the request id
// that the caller got.
import { layer } from "@effect/vitest"
import { Console, Effect, Option, Schema } from "effect"
import { expect, it } from "vitest"
import type { ServerSettings } from "#adapters/config/Settings.ts"
import * as Logging from "#adapters/observability/Logging.ts"
import { operatorClient, operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer, cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { OrderBookFaults } from "#test/scenarios/FaultyOrderBook.ts"
import { postOrder, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { LogLines } from "#test/scenarios/RunningService.ts"

const SETTINGS: ServerSettings = {
  host: "127.0.0.1",
  port: 0,
  connectionsMax: 0,
  publicUrl: Option.none(),
  mcpQueryKey: true,
  mcpAllowedOrigins: [],
  supportContact: Option.none(),
  logFormat: Option.none(),
  logLevel: "info"
}

const readLine = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      level: Schema.String,
      timestamp: Schema.String,
      message: Schema.Unknown,
      annotations: Schema.Record(Schema.String, Schema.Unknown)
    })
  )
)

const written = (over: Partial<ServerSettings>, terminal: boolean) => {
  const [out, err]: [Array<string>, Array<string>] = [[], []]
  const console: Console.Console = {
    ...globalThis.console,
    log: (text: string) => void out.push(text),
    error: (text: string) => void err.push(text)
  }
  const spoken = Effect.logInfo("told", { count: 1 }).pipe(
    Effect.andThen(Effect.logDebug("kept")),
    Effect.annotateLogs("request_id", "req_1"),
    Effect.provide(Logging.layer({ ...SETTINGS, ...over }, terminal)),
    Effect.provideService(Console.Console, console)
  )
  Effect.runSync(spoken)
  return { out, err }
}

it("is one JSON object per line on standard error that is no terminal, or if configured", () => {
  const asked = { logFormat: Option.some("json" as const) }
  for (const { out, err } of [written({}, false), written(asked, true)]) {
    expect(out).toEqual([])
    expect(err.map((line) => readLine(line))).toMatchObject([
      { level: "INFO", message: ["told", { count: 1 }], annotations: { request_id: "req_1" } }
    ])
  }
})

it("is filtered by the level", () => {
  expect(written({ logLevel: "warn" }, false).err).toEqual([])
  expect(written({ logLevel: "none" }, false).err).toEqual([])
  expect(written({ logLevel: "debug" }, false).err).toHaveLength(2)
})

layer(operatorService(), { excludeTestServices: true })("a failure on our side", (it) => {
  const lastLine = Effect.map(LogLines, ({ lines }) => readLine(lines.at(-1) ?? ""))

  it.effect("is logged once, with the request id of the REST response", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key } = yield* buyer({ creditCents: 500 })
      yield* (yield* OrderBookFaults).injectFaults("breaks")
      const { lines } = yield* LogLines
      const before = lines.length
      const response = yield* postOrder(key, cart([item(siteId)]))
      expect(refusalIn(response).code).toBe("internal_error")
      expect(lines.length).toBe(before + 1)
      expect(yield* lastLine).toMatchObject({
        level: "ERROR",
        annotations: { request_id: response.headers.get("request-id") }
      })
    })
  )

  it.effect("is logged once, with the request id of the operator's response", () =>
    Effect.gen(function* () {
      const desk = yield* operatorClient()
      yield* (yield* OrderBookFaults).injectFaults("breaks")
      const { lines } = yield* LogLines
      const before = lines.length
      const { request_id } = yield* Effect.flip(desk.openAccount({ name: "Ada", email: "ada@brand.example" }))
      expect(request_id).toMatch(/^req_[0-9a-f]{32}$/)
      expect(lines.length).toBe(before + 1)
      expect(yield* lastLine).toMatchObject({ level: "ERROR", annotations: { request_id } })
    })
  )
})
