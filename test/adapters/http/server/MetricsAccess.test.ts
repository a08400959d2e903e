// Who may read `/metrics`: with a token its holder alone, without one a service whose public address is its own machine.
import { expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { areServed } from "#adapters/http/server/Metrics.ts"
import { buyer } from "#test/scenarios/Buyers.ts"
import { call } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

const METRICS_TOKEN = "a-token-for-the-collector"

layer(RunningService.layer({ METRICS_TOKEN, PUBLIC_URL: "https://links.example" }))("metrics with a token", (it) => {
  it.effect("are shown to its holder alone", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      const outcomeOf = (options: { readonly key?: string }) =>
        Effect.map(call("GET", "/metrics", options), ({ status, headers }) => [status, headers.get("www-authenticate")])
      expect(yield* outcomeOf({ key: METRICS_TOKEN })).toEqual([200, null])
      expect(yield* outcomeOf({})).toEqual([401, 'Bearer realm="metrics"'])
      for (const wrong of [key, `${METRICS_TOKEN}x`, METRICS_TOKEN.slice(1)])
        expect(yield* outcomeOf({ key: wrong })).toEqual([401, 'Bearer realm="metrics", error="invalid_token"'])
    })
  )
})

layer(RunningService.layer({ PUBLIC_URL: "https://links.example" }))("metrics of a public service", (it) => {
  it.effect("do not exist without a token", () =>
    Effect.gen(function* () {
      expect((yield* call("GET", "/metrics")).status).toBe(404)
      expect((yield* call("POST", "/metrics")).status).toBe(404)
    })
  )
})

it.effect.each([
  [{}, true],
  [{ HOST: "0.0.0.0" }, false],
  [{ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" }, true],
  [{ PUBLIC_URL: "http://127.0.0.1:3000" }, true],
  [{ PUBLIC_URL: "http://[::1]:3000" }, true],
  [{ PUBLIC_URL: "https://127.0.0.1.example" }, false],
  [{ PUBLIC_URL: "https://links.example" }, false],
  [{ PUBLIC_URL: "https://links.example", METRICS_TOKEN }, true]
] as const)("with %o /metrics is served: %s", ([env, served]) =>
  Effect.gen(function* () {
    expect(areServed(yield* RunningService.settingsFrom(env))).toBe(served)
  })
)
