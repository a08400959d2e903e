// Request rates: counted per key and kind of call, announced on every counted response, refused with Retry-After.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { exchange, head } from "./RawHttp.ts"
import { keys, Stub, stubServer } from "./StubServer.ts"

const ask = (method: string, target: string, key: string) =>
  Effect.flatMap(Stub, ({ port }) => exchange(port, head(method, target, { Authorization: `Bearer ${key}` })))

const catalog = "/api/v1/agent/catalog"
const abandon = "/api/v1/agent/quotes/q_1/abandon"

const behave = ({ operation }: { readonly operation: string }) =>
  operation === "getBalance" ? Effect.die("broken") : undefined

layer(stubServer({ rates: { reads: 2, orders: 1 }, behave }))("request rates", (it) => {
  it.effect("a key is refused above its rate, with Retry-After", () =>
    Effect.gen(function* () {
      const first = yield* ask("GET", catalog, keys.full)
      assert.strictEqual(first.headers.get("ratelimit-policy"), '"read";q=2;w=60')
      assert.match(first.headers.get("ratelimit") ?? "", /^"read";r=1;t=\d+$/)
      const second = yield* ask("GET", catalog, keys.full)
      assert.match(second.headers.get("ratelimit") ?? "", /^"read";r=0;t=\d+$/)

      const third = yield* ask("GET", catalog, keys.full)
      assert.strictEqual(third.status, 429)
      const { error } = JSON.parse(third.body)
      assert.deepInclude(error, { code: "rate_limited", recovery: "wait", retryable: true })
      const wait = Number(third.headers.get("retry-after"))
      assert.isTrue(wait >= 1 && wait <= 60)
      assert.strictEqual(error.details.resets_at, new Date(wait * 1_000).toISOString())
      assert.match(third.headers.get("ratelimit") ?? "", /^"read";r=0;t=\d+$/)

      assert.strictEqual((yield* ask("POST", abandon, keys.full)).status, 200, "order calls are counted apart")
      assert.strictEqual((yield* ask("GET", catalog, keys.readOnly)).status, 200, "other keys are counted apart")

      yield* TestClock.adjust(wait * 1_000)
      assert.strictEqual((yield* ask("GET", catalog, keys.full)).status, 200)
    })
  )

  it.effect("a defect counts and carries the headers; a refused key or scope does not", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("2 minutes")
      const broken = yield* ask("GET", "/api/v1/agent/balance", keys.full)
      assert.strictEqual(broken.status, 500)
      assert.match(broken.headers.get("ratelimit") ?? "", /^"read";r=1;/)
      for (const [key, status] of [
        [keys.revoked, 401],
        [keys.readOnly, 403]
      ] as const) {
        const refused = yield* ask("POST", abandon, key)
        assert.strictEqual(refused.status, status)
        assert.isNull(refused.headers.get("ratelimit"))
      }
    })
  )
})

layer(stubServer())("no request rates", (it) => {
  it.effect("0 is no limit, without headers", () =>
    Effect.gen(function* () {
      for (let call = 0; call < 20; call++) {
        const { status, headers } = yield* ask("GET", catalog, keys.full)
        assert.strictEqual(status, 200)
        assert.isNull(headers.get("ratelimit-policy"))
      }
    })
  )
})
