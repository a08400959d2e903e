// Traces of a service on PostgreSQL over OTLP: one request is one trace from HTTP to its statements, without secrets or the contents of
// orders. Without a collector, there are no spans.
import { it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { settings } from "#adapters/config/Settings.ts"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { buyer, cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { BALANCE, call, ORDERS, placedBy, postOrder, press, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import * as Recorder from "#test/scenarios/SpanRecorder.ts"
import { layer as shopOnPostgres } from "../ServiceOnPostgres.ts"
import { attributeOf, type Span, traceCollector } from "../TraceCollector.ts"

const PLAIN = { RATE_LIMIT_ORDERS: "0", WEBHOOK_INSECURE_TARGETS: "true", WELCOME_OFFER_PERCENT: "0" }

const ANCHOR = "canary of an anchor"
const TARGET = "https://canary-of-a-target.example/page?secret=canary-of-a-query"

const canaryItem = (siteId: number) => item(siteId, { anchor_text: ANCHOR, target_url: TARGET })

/** From the span up to the root of its trace, by name. */
const lineage = (span: Span, spans: ReadonlyArray<Span>): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [span.name, ...(parent === undefined ? [] : lineage(parent, spans))]
}

it.live("an order is one trace, from the server through the use case to its statements", () =>
  Effect.gen(function* () {
    const { endpoint, spans, bodies, paths } = yield* traceCollector
    const requestId = yield* Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key } = yield* buyer({ creditCents: 500 })
      const answer = yield* postOrder(key, cart([canaryItem(siteId)]), freshKey())
      expect(placedBy(answer).order_status).toBe("paid")
      return answer.headers.get("request-id")
    }).pipe(Effect.provide(shopOnPostgres({ ...PLAIN, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })))

    expect([...paths]).toEqual(["POST /v1/traces"])
    expect(bodies.join()).toContain('{"key":"service.name","value":{"stringValue":"backlinks"}}')
    const all = spans()
    const servers = all.filter(({ kind, attributes }) => kind === 2 && JSON.stringify(attributes).includes(ORDERS))
    expect(servers).toHaveLength(1)
    const trace = all.filter(({ traceId }) => traceId === servers[0]?.traceId)
    expect(trace.filter(({ parentSpanId }) => parentSpanId === undefined)).toEqual(servers)
    expect(servers[0] && attributeOf(servers[0], "request_id")).toBe(requestId)
    const commits = trace.filter((span) => attributeOf(span, "db.query.text")?.includes("write_changes"))
    expect(commits.map((span) => lineage(span, trace))).toEqual([["postgresql SELECT", "PlaceOrder.place", "POST"]])
    const looks = trace.filter((span) => attributeOf(span, "db.query.text")?.includes("FROM keys now"))
    expect(looks.map((span) => lineage(span, trace))).toContainEqual(["postgresql WITH", "POST"])
  })
)

it.live("the pages with what waits sweep the account once each, and read its keys once", () =>
  Effect.gen(function* () {
    const { endpoint, spans } = yield* traceCollector
    yield* Effect.gen(function* () {
      const { owner } = yield* openAccount
      for (const path of ["/account", "/account/credit"])
        expect((yield* visit({ path, token: owner })).status).toBe(200)
    }).pipe(Effect.provide(shopOnPostgres({ ...PLAIN, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })))
    const all = spans()
    const keys = all.filter((span) => attributeOf(span, "db.query.text")?.includes("FROM keys k LEFT JOIN key_uses"))
    expect([all.filter(({ name }) => name === "SweepQuotes.sweepAccount").length, keys.length]).toEqual([2, 2])
  })
)

it.live("traces contain no key, secret, token, anchor or target", () =>
  Effect.gen(function* () {
    const { endpoint, bodies, spans } = yield* traceCollector
    const canaries = yield* Effect.gen(function* () {
      const { url } = yield* RunningService
      const { siteId } = yield* listSite()
      const { key } = yield* buyer({ creditCents: 300 })
      const hook = { url: `${url}/healthz`, events: ["order.accepted"] }
      const { secret } = JSON.parse((yield* call("POST", WEBHOOKS, { key, body: hook })).text)
      const { payment_url } = placedBy(yield* postOrder(key, cart([canaryItem(siteId)]), "canary-of-a-replay"))
      yield* call("GET", payment_url ?? "")
      yield* press("pay", payment_url ?? "")
      for (const over of [{ anchor_text: "" }, { target_url: `javascript:${TARGET}` }, { site_id: 999_999 }]) {
        yield* postOrder(key, cart([{ ...canaryItem(siteId), ...over }]))
      }
      yield* postOrder(key, { ...cart([canaryItem(siteId)]), promo_code: "CANARYCODE" })
      yield* postOrder(key, cart([canaryItem(siteId), canaryItem(siteId)], { max_total_eur: 1 }))
      yield* call("GET", `${BALANCE}?key=${key}`)
      yield* call("GET", `/mcp?key=${key}`)
      yield* call("GET", `${BALANCE}`, { key: `${key.slice(0, -1)}_` })
      yield* call("GET", `${payment_url}x`)
      const token = new URL(payment_url ?? "").pathname.slice("/pay/".length)
      return [key.slice("sn_live_".length, -6), secret, token, "canary", "CANARYCODE"]
    }).pipe(Effect.provide(shopOnPostgres({ ...PLAIN, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })))
    expect(spans().length).toBeGreaterThan(50)
    const lines = bodies
      .join("\n")
      .split("{")
      .map((line) => line.slice(0, 300))
    expect(canaries.map((canary) => lines.filter((line) => line.includes(canary)))).toEqual(canaries.map(() => []))
  })
)

const order = Effect.gen(function* () {
  const { siteId } = yield* listSite()
  const { key } = yield* buyer({ creditCents: 500 })
  return placedBy(yield* postOrder(key, cart([canaryItem(siteId)]))).order_status
})

it.live("without a collector there are no spans, even if there is another tracer", () =>
  Effect.gen(function* () {
    const recorder = yield* Layer.build(Recorder.layer)
    const recorded = shopOnPostgres(PLAIN).pipe(Layer.provide(Layer.succeedContext(recorder)))
    expect(yield* Effect.provide(order, recorded)).toBe("paid")
    expect(Context.get(recorder, Recorder.SpanRecorder).spans).toEqual([])
  })
)

it.live("an unavailable collector does not affect the service", () =>
  Effect.gen(function* () {
    const { endpoint } = yield* Effect.scoped(traceCollector)
    expect(yield* Effect.provide(order, shopOnPostgres({ ...PLAIN, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }))).toBe(
      "paid"
    )
  })
)

it("an invalid address is refused, and a trailing slash makes no difference", () => {
  const at = (text: string) =>
    Effect.runSync(Effect.result(settings.parse(ConfigProvider.fromUnknown({ OTEL_EXPORTER_OTLP_ENDPOINT: text }))))
  expect(at("collector:4318")._tag).toBe("Failure")
  expect(at("http://collector:4318/otlp/")).toMatchObject({
    success: { otlpEndpoint: { value: "http://collector:4318/otlp" } }
  })
})
