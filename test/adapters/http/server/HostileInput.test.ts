// Hostile input is refused with 4xx, whatever it is and wherever it stands. It never causes a 500 and is never repeated at length.
import { assert, layer } from "@effect/vitest"
import { Effect, ManagedRuntime, Schema } from "effect"
import fc from "fast-check"
import { afterAll } from "vitest"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { asyncProperty } from "#test/Property.ts"
import { exchange, head } from "./RawHttp.ts"
import { keys, Stub, stubServer } from "./StubServer.ts"

const item = { site_id: 1, target_url: "https://shop.example/a", anchor_text: "a", anchor_type: "partial" }
const itemWith = (field: string, value: unknown): string => JSON.stringify({ items: [{ ...item, [field]: value }] })
const itemText = (text: string): string => `{"items":[${JSON.stringify(item).slice(0, -1)},${text}}]}`

const HOSTILE: Readonly<Record<string, string>> = {
  "__proto__ in the body": '{"__proto__":{"items":[]},"items":[]}',
  "__proto__ in an item": itemText('"__proto__":{"site_id":2}'),
  "constructor in an item": itemText('"constructor":{"prototype":{}}'),
  "a NUL byte": itemText('"brief":"\\u0000"'),
  "a raw control character": itemText('"brief":"\u0001"'),
  "a lone surrogate": itemText('"brief":"\\ud800"'),
  "a lone surrogate as a key": itemText('"\\udc00":1'),
  "1e400": `{"items":[${JSON.stringify(item)}],"max_total_eur":1e400}`,
  "1e-400": `{"items":[${JSON.stringify(item)}],"max_total_eur":1e-400}`,
  "-0": `{"items":[${JSON.stringify(item)}],"max_total_eur":-0}`,
  "-0 as a pack": itemText('"tier2_links":-0'),
  "a duplicate key": itemText('"site_id":2'),
  "an escaped duplicate key": itemText('"site_i\\u0064":2'),
  "an anchor of 60 KB": itemWith("anchor_text", "x".repeat(60_000)),
  "an anchor of two lines": itemWith("anchor_text", "a\nb"),
  "an anchor with a bidirectional override": itemWith("anchor_text", "a\u202Eb"),
  "an anchor with a zero-width space": itemWith("anchor_text", "a\u200Bb"),
  "a blank anchor": itemWith("anchor_text", "\u2800"),
  "a target with a zero-width joiner": itemWith("target_url", "https://shop.example/a\u200Db"),
  "javascript:": itemWith("target_url", "javascript:alert(1)"),
  "user-info": itemWith("target_url", "https://user:pass@shop.example/"),
  "a loopback target": itemWith("target_url", "http://127.1/"),
  "no items": '{"items":[]}',
  "21 items": JSON.stringify({ items: Array.from({ length: 21 }, () => item) }),
  "a site id beyond 32 bits": itemWith("site_id", 2 ** 31),
  "a half site": itemWith("site_id", 1.5),
  "a number": "1",
  NaN: "NaN",
  "a comment": '{/**/"items":[]}'
}

const post = (body: string) =>
  Effect.flatMap(Stub, ({ port }) =>
    exchange(
      port,
      head("POST", "/api/v1/agent/orders", {
        Authorization: `Bearer ${keys.full}`,
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(body))
      }),
      body
    )
  )

const isRefusal = Schema.is(ErrorBody)

layer(stubServer())("hostile bodies", (it) => {
  for (const [name, body] of Object.entries(HOSTILE)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { arrivals, logs } = yield* Stub
        const before = arrivals.length
        const response = yield* post(body)
        assert.isTrue(
          response.status >= 400 && response.status < 500,
          `${response.status} ${response.body.slice(0, 300)}`
        )
        assert.isTrue(isRefusal(JSON.parse(response.body)))
        assert.isBelow(response.body.length, 8_000, "the input is not repeated at length")
        assert.strictEqual(arrivals.length, before, "the handler ran")
        assert.strictEqual(logs.length, 0, "logged as a fault of ours")
      })
    )
  }
})

const runtime = ManagedRuntime.make(stubServer())
afterAll(() => runtime.dispose())

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("\0", "\ud800", "__proto__", "toString", "-0", "1e400", " ", "javascript:1", "https://a.example/")
)
const hostile = fc.oneof(fc.jsonValue({ maxDepth: 3 }), hostileText, fc.double(), fc.constant(null))
const mutation = fc.record({
  field: fc.oneof(
    fc.constantFrom(...Object.keys(item), "format", "article_id", "tier2_links", "project_id", "brief", "__proto__"),
    hostileText
  ),
  value: hostile,
  inItem: fc.boolean()
})

asyncProperty("no order body gets 5xx", [fc.array(mutation, { maxLength: 4 })], (mutations) => {
  const line: Record<string, unknown> = { ...item }
  const order: Record<string, unknown> = { items: [line] }
  for (const { field, value, inItem } of mutations) {
    Object.defineProperty(inItem ? line : order, field, { value, enumerable: true, configurable: true })
  }
  return runtime.runPromise(
    Effect.map(post(JSON.stringify(order)), ({ status, body }) => {
      assert.isTrue(status === 201 || (status >= 400 && status < 500), `${status} ${body}`)
      assert.strictEqual(isRefusal(JSON.parse(body)), status !== 201)
    })
  )
})

const TARGETS = [
  "/api/v1/agent/catalog?",
  "/api/v1/agent/orders/",
  "/api/v1/agent/quotes?idempotency_key=",
  "/api/v1/agent/catalog/"
]

asyncProperty("no URL gets 5xx", [fc.constantFrom(...TARGETS), fc.stringMatching(/^[!-~]{0,60}$/)], (target, rest) =>
  runtime.runPromise(
    Effect.flatMap(Stub, ({ port }) =>
      exchange(port, head("GET", `${target}${rest}`, { Authorization: `Bearer ${keys.full}` }))
    ).pipe(Effect.map(({ status, body }) => assert.isBelow(status, 500, body)))
  )
)
