// Access to /mcp: origins, keys in the query, two keys at once, request rates, and clients that disconnect during a call.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { bearer } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import { codeIn, post, resultIn, toolCall } from "./Post.ts"
import { customerWithOrder, newCustomer } from "./ToolCalls.ts"

const about = toolCall("2025", "about")

const preflight = (url: string, origin: string) =>
  Effect.promise(async (signal) => {
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization"
    }
    return await fetch(url, { method: "OPTIONS", headers, signal })
  })

const origins = { MCP_ALLOWED_ORIGINS: "https://chat.example, https://desk.example" }

layer(mcpServers(origins), { excludeTestServices: true })("access to /mcp", (it) => {
  for (const server of serverNames) {
    it.effect(`${server}: a page of a foreign origin is refused before its key is read`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { key } = yield* newCustomer()
        for (const origin of [
          "https://evil.example",
          "null",
          "https://chat.example.evil.example",
          "http://chat.example"
        ]) {
          for (const headers of [bearer(key), {}]) {
            const answer = yield* post(url, about, { ...headers, origin })
            expect([answer.status, codeIn(answer)]).toStrictEqual([403, "origin_not_allowed"])
            expect(answer.headers.has("access-control-allow-origin")).toBe(false)
          }
          expect((yield* preflight(url, origin)).status).toBe(403)
        }
      })
    )

    it.effect(`${server}: pages of allowed origins may call and read the response`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { key } = yield* newCustomer()
        const own = new URL(url).origin
        for (const origin of [
          "https://chat.example",
          "https://desk.example",
          own,
          "http://localhost:6274",
          "http://[::1]:1"
        ]) {
          const answer = yield* post(url, about, { ...bearer(key), origin })
          expect(answer.status).toBe(200)
          expect(answer.headers.get("access-control-allow-origin")).toBe(origin)
          expect(answer.headers.get("vary")).toBe("origin")
          const asked = yield* preflight(url, origin)
          expect(asked.status).toBe(204)
          expect(asked.headers.get("access-control-allow-headers")).toContain("authorization")
          expect(asked.headers.get("access-control-allow-methods")).toBe("POST")
        }
        const refused = yield* post(url, about, { origin: "https://chat.example" })
        expect(refused.status).toBe(401)
        expect(refused.headers.get("access-control-allow-origin")).toBe("https://chat.example")
      })
    )

    it.effect(`${server}: a key may be sent in the query, and the same one twice, but not two different keys`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const [{ key }, other] = [yield* newCustomer(), yield* newCustomer()]
        for (const [query, headers] of [
          [`?key=${key}`, {}],
          [`?x=1&key=${key}`, { authorization: "Basic abc" }],
          [`?key=${key}`, bearer(key)]
        ] as const) {
          expect(resultIn(yield* post(`${url}${query}`, about, headers))).toMatchObject({ isError: false })
        }
        const both = yield* post(`${url}?key=${key}`, about, bearer(other.key))
        expect([both.status, codeIn(both)]).toStrictEqual([400, "conflicting_credentials"])
        expect(both.text).not.toContain("sn_live_")
      })
    )

    it.effect(`${server}: a client that disconnects during an order has bought once, and a retry replays it`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const who = yield* customerWithOrder()
        for (let round = 0; round < 10; round++) {
          const args = { ...cart([item(who.siteId)]), idempotency_key: freshKey() }
          const { body, headers } = toolCall("2026-07-28", "create_order", args)
          const leaving = new AbortController()
          const left = fetch(url, {
            method: "POST",
            body,
            headers: { ...headers, ...bearer(who.key) },
            signal: leaving.signal
          })
          setTimeout(() => leaving.abort(), round)
          yield* Effect.promise(() =>
            left.then(
              () => {},
              () => {}
            )
          )
          const retried = resultIn(yield* post(url, toolCall("2025", "create_order", args), bearer(who.key)))
          expect(retried).toMatchObject({ isError: false, body: { status: "paid" } })
          expect((yield* who.api.orders.listOrders({ query: {} })).total).toBe(round + 2)
        }
      })
    )
  }
})

layer(mcpServers({ MCP_QUERY_KEY: "off", RATE_LIMIT_READS: "3" }), { excludeTestServices: true })(
  "settings of /mcp",
  (it) => {
    for (const server of serverNames) {
      it.effect(`${server}: MCP_QUERY_KEY=off ignores the query`, () =>
        Effect.gen(function* () {
          const { [server]: url } = yield* McpServers
          const [{ key }, other] = [yield* newCustomer(), yield* newCustomer()]
          const answer = yield* post(`${url}?key=${key}`, about)
          expect([answer.status, codeIn(answer)]).toStrictEqual([401, "missing_api_key"])
          expect(answer.text).toMatch(/A key came in the query of the URL: send it as `Authorization: Bearer …`/)
          expect((yield* post(`${url}?key=${key}`, about, bearer(other.key))).status).toBe(200)
        })
      )

      it.effect(`${server}: tool calls and REST calls share one request rate`, () =>
        Effect.gen(function* () {
          const { [server]: url } = yield* McpServers
          const { key, api } = yield* newCustomer()
          yield* api.balance.getBalance()
          for (const _ of [1, 2]) expect(resultIn(yield* post(url, about, bearer(key))).isError).toBe(false)
          const refused = yield* post(url, about, bearer(key))
          expect(refused.headers.has("ratelimit"), "the rate is that of the API, not of /mcp").toBe(false)
          const { isError, body } = resultIn(refused)
          expect(isError).toBe(true)
          expect(body).toMatchObject({
            error: { code: "rate_limited", status: 429, recovery: "wait", retryable: true }
          })
        })
      )
    }
  }
)
