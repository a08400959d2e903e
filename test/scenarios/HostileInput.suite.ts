// Hostile input on every route that takes any: 4xx in the error envelope, never 5xx, with a code that the OpenAPI document declares.
// Nothing is written and nothing is logged as a fault. The routes come from the API definition.
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { exchange, head } from "#test/adapters/http/server/RawHttp.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, freshKey } from "./Buyers.ts"
import { expectDocumented } from "./HttpCalls.ts"
import { bodyFor, pathWith, type Route, routes, title } from "./Routes.ts"
import { LogLines, RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1")

const nested = (open: string, close: string, depth: number): string =>
  `{"items":${open.repeat(depth)}1${close.repeat(depth)}}`

/** Complete bodies that every route refuses. */
const BODIES: Readonly<Record<string, string | Uint8Array>> = {
  __proto__: '{"__proto__":{"items":[],"to":"published"}}',
  constructor: '{"constructor":{"prototype":{"to":"published"}}}',
  toString: '{"toString":1,"hasOwnProperty":true}',
  "NUL as an escape": '{"items":"\\u0000","url":"\\u0000","to":"\\u0000"}',
  "a NUL byte": '{"to":"published\0"}',
  "a lone surrogate": '{"items":"\\ud800","url":"https://\\udfff.example","to":"\\ud83d"}',
  "bytes that are not UTF-8": latin1('{"to":"publi\xffshed"}'),
  "half a character at the end": latin1('{"to":"\xc3'),
  "a byte order mark": '\ufeff{"to":"published"}',
  "1e400": '{"items":1e400,"max_total_eur":1e400,"sandbox_credit_cents":-1e400}',
  "-0": '{"items":[],"max_total_eur":-0,"sandbox_credit_cents":-0}',
  "a number of 5,000 digits": `{"items":${"9".repeat(5_000)}}`,
  "duplicate keys": '{"to":"published","to":"published","url":"a","url":"b","items":[],"items":[]}',
  "deep lists": nested("[", "]", 20_000),
  "deep objects": nested('{"a":', "}", 10_000),
  "a thousand fields": JSON.stringify(Object.fromEntries(times(1_000, (nth) => [`f${nth}`, nth]))),
  "a field name of 50 KB": JSON.stringify({ ["x".repeat(50_000)]: 1 }),
  null: "null",
  "a string": '"items"',
  "a list": "[]",
  "two documents": '{"to":"published"}{}',
  "cut off": '{"to":"publ',
  "not JSON": "items=1&to=published",
  "100 KB": JSON.stringify({ to: "x".repeat(100_000) })
}

/** Ids that other layers could interpret. */
const IDS = [
  "__proto__",
  "constructor",
  "..",
  "%00",
  "%2e%2e%2f",
  "%ff",
  "%ed%a0%80",
  "1e400",
  "-0",
  "0",
  "'%20or%201=1--",
  "x".repeat(2_000),
  "x".repeat(9_000)
]

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "an idempotency key of 256 characters": { "Idempotency-Key": "k".repeat(256) },
  "an empty idempotency key": { "Idempotency-Key": "" },
  "an idempotency key with a space": { "Idempotency-Key": "a b" },
  "an idempotency key beyond ASCII": { "Idempotency-Key": "clé" },
  "a form": { "Content-Type": "application/x-www-form-urlencoded" },
  "another charset": { "Content-Type": "application/json; charset=utf-16" },
  "a compressed body": { "Content-Encoding": "gzip" }
}

const refused = Schema.decodeUnknownSync(Schema.fromJsonString(ErrorBody))

const request = (
  route: Route,
  path: string,
  key: string,
  body: string | Uint8Array,
  over: Readonly<Record<string, string>> = {}
) =>
  Effect.flatMap(RunningService, ({ port }) =>
    exchange(
      port,
      head(route.method, path, {
        Authorization: `Bearer ${key}`,
        ...(body.length === 0 ? {} : { "Content-Type": "application/json" }),
        "Content-Length": String(Buffer.byteLength(body)),
        ...over
      }),
      body
    )
  ).pipe(
    Effect.tap((answer) =>
      Effect.sync(() => expectDocumented({ method: route.method, path }, { ...answer, text: answer.body }))
    )
  )

const expectRefused = ({ status, body }: { readonly status: number; readonly body: string }, what: string): void => {
  expect(status >= 400 && status < 500, `${what}: ${status} ${body.slice(0, 500)}`).toBe(true)
  expect(refused(body).error.status).toBe(status)
  expect(body.length, what).toBeLessThan(8_000)
}

const textOf = (body: unknown): string => (body === undefined ? "" : JSON.stringify(body))

/** Bodies and headers are refused before a store is asked. */
export const hostileBodiesSuite = scenarios("hostile bodies", {}, (it) => {
  for (const route of routes.filter(({ method }) => method !== "GET")) {
    it.effect(`${title(route)} refuses every hostile body with 4xx, in either mode`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { lines } = yield* LogLines
        const keys = [(yield* buyer({ creditCents: 500 })).key, (yield* buyer({ mode: "sandbox" })).key]
        const before = yield* books
        for (const key of keys) {
          for (const [what, body] of Object.entries(BODIES)) {
            expectRefused(yield* request(route, pathWith(route, freshKey()), key, body), what)
          }
        }
        expect(yield* books).toBe(before)
        expect(lines).toEqual([])
      })
    )
  }

  for (const route of routes.filter(({ takesBody }) => takesBody)) {
    it.effect(`${title(route)} refuses an unknown field, and any field of another type`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { key } = yield* buyer({ creditCents: 500 })
        const before = yield* books
        const good = Object.entries(Object(bodyFor(route)))
        const odd = [null, -0, 1e300, "\0", "\ud800", {}, [], [[]], { __proto__: null }, true, "x".repeat(3_000)]
        const spoilt = good.flatMap(([name]) => odd.map((value) => ({ ...Object.fromEntries(good), [name]: value })))
        for (const body of [
          ...spoilt.filter(({ dry_run }) => dry_run !== true),
          { ...Object.fromEntries(good), extra: 1 }
        ]) {
          expectRefused(
            yield* request(route, pathWith(route, freshKey()), key, textOf(body)),
            textOf(body).slice(0, 200)
          )
        }
        expect(yield* books).toBe(before)
      })
    )
  }

  for (const route of routes.filter(({ method }) => method !== "GET")) {
    it.effect(`${title(route)} refuses bodies whose content type is not JSON`, () =>
      Effect.gen(function* () {
        const { key } = yield* buyer()
        for (const type of ["text/plain", "application/json; charset=latin1", "multipart/form-data; boundary=b"]) {
          const answer = yield* request(route, pathWith(route, "1"), key, "{}", { "Content-Type": type })
          expect(answer.status, answer.body).toBe(415)
        }
      })
    )
  }

  for (const [what, headers] of Object.entries(HEADERS)) {
    it.effect(`an order with ${what} is refused, with nothing written`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { key } = yield* buyer({ creditCents: 500 })
        const [order] = routes.filter(({ name }) => name === "createOrder")
        const before = yield* books
        if (order === undefined) return yield* Effect.die("the definition has no createOrder")
        expectRefused(yield* request(order, order.path, key, textOf(bodyFor(order)), headers), what)
        expect(yield* books).toBe(before)
      })
    )
  }
})

/** Ids and queries are what a store is asked for. */
export const hostileInputSuite = scenarios("hostile ids and queries", {}, (it) => {
  for (const route of routes.filter(({ path }) => path.includes(":"))) {
    it.effect(`${title(route)} answers a hostile id with not found`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { lines } = yield* LogLines
        const { key } = yield* buyer({ creditCents: 500 })
        const before = yield* books
        for (const id of IDS) {
          const path = route.path.replaceAll(/:\w+/g, () => id)
          expectRefused(yield* request(route, path, key, textOf(bodyFor(route))), id.slice(0, 20))
        }
        expect(yield* books).toBe(before)
        expect(lines).toEqual([])
      })
    )
  }

  it.effect("hostile queries are refused on every route with a query", () =>
    Effect.gen(function* () {
      const { lines } = yield* LogLines
      const { key } = yield* buyer()
      for (const route of routes.filter(({ method }) => method === "GET")) {
        const [path = ""] = pathWith(route, "1").split("?")
        for (const query of [
          "__proto__=1",
          "limit=1e400",
          "limit=-0",
          "limit=0",
          "limit=51",
          "cursor=%00",
          "limit=1&limit=2",
          "unknown=1",
          "cursor=W10"
        ]) {
          expectRefused(yield* request(route, `${path}?${query}`, key, ""), `${path}?${query}`)
        }
      }
      expect(lines).toEqual([])
    })
  )
})
