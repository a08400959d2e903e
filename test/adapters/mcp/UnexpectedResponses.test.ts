// Responses to the standalone server that are not the API's, such as a proxy's page, a redirect or none: never a result, no internal
// details, and the key is sent only to API_URL.
import { it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { expect } from "vitest"
import { bearer } from "./Clients.ts"
import { json, type Responder, serveFakeApi } from "./FakeApi.ts"
import { startStandalone } from "./McpServers.ts"
import { post, resultIn, toolCall } from "./Post.ts"

const ANSWERS: Readonly<Record<string, Responder>> = {
  "a proxy's error page": (_request, response) => response.writeHead(502).end("<html>Bad gateway at 10.0.0.7</html>"),
  "a page that is no error": (_request, response) => response.writeHead(200).end("<html>Welcome</html>"),
  "nothing at all": (_request, response) => response.writeHead(204).end(),
  "JSON of another service": json(200, { status: "fine" }),
  "a list": json(200, [{ ok: true }]),
  "an error of another shape": json(404, { error: "not found", host: "10.0.0.7" }),
  "an unfinished body": (_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write('{"ok":true')
    response.destroy()
  },
  "a hung-up": (request) => request.socket.destroy()
}

const AWAY = expect.stringMatching(/API .* could not be reached.*Whether it carried the request out is not known/)
const AGAIN = expect.stringMatching(/same idempotency_key.*without one may exist.*list_orders/)

const quiet = Effect.provide(Logger.layer([]))

for (const [says, answer] of Object.entries(ANSWERS)) {
  it.live(`${says} is reported as an unreachable API, to be retried`, () =>
    Effect.gen(function* () {
      const api = yield* serveFakeApi(answer)
      const url = yield* startStandalone(api.url)
      for (const tool of ["about", "check_balance"]) {
        const answered = yield* post(`${url}/mcp`, toolCall("2026-07-28", tool), bearer("sn_live_any"))
        const { isError, body } = resultIn(answered)
        expect(isError, tool).toBe(true)
        expect(body).toMatchObject({
          error: {
            code: "store_unavailable",
            status: 503,
            recovery: "retry",
            retryable: true,
            message: AWAY,
            suggestion: AGAIN
          }
        })
        expect(body["request_id"]).toBe(answered.headers.get("request-id"))
        expect(answered.text).not.toContain("10.0.0.7")
      }
    }).pipe(Effect.scoped, quiet)
  )
}

it.live("the standalone server is always alive, and ready when its API is", () =>
  Effect.gen(function* () {
    let answer = json(200, { ok: true, status: "ready" })
    const asked: Array<string | undefined> = []
    const api = yield* serveFakeApi((request, response) => {
      asked.push(request.url)
      answer(request, response)
    })
    const url = yield* startStandalone(api.url)
    const probe = (path: string) =>
      Effect.promise(async () => {
        const response = await fetch(`${url}${path}`)
        return { status: response.status, body: await response.json() }
      })
    expect(yield* probe("/readyz")).toStrictEqual({ status: 200, body: { ok: true, status: "ready" } })
    expect(asked).toStrictEqual(["/readyz"])
    for (const says of Object.values(ANSWERS)) {
      answer = says
      // Within a second, for which an answer to probes counts.
      const refused = yield* Effect.repeat(probe("/readyz"), { until: ({ status }) => status === 503 })
      expect(refused).toMatchObject({ body: { error: { code: "store_unavailable" } } })
      expect(yield* probe("/healthz")).toMatchObject({ status: 200, body: { status: "alive" } })
    }
  }).pipe(Effect.scoped, quiet)
)

it.live("a redirect is not followed", () =>
  Effect.gen(function* () {
    const told: Array<string | undefined> = []
    const other = yield* serveFakeApi((request, response) => {
      told.push(request.headers.authorization)
      json(200, { ok: true })(request, response)
    })
    const api = yield* serveFakeApi((_request, response) => response.writeHead(307, { location: other.url }).end())
    const url = yield* startStandalone(api.url)
    const answer = yield* post(`${url}/mcp`, toolCall("2025", "check_balance"), bearer("sn_live_any"))
    expect(resultIn(answer)).toMatchObject({ isError: true, body: { error: { code: "store_unavailable" } } })
    expect(told).toStrictEqual([])
  }).pipe(Effect.scoped, quiet)
)
