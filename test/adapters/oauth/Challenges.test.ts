// What a client without a good token is told at MCP and REST, so that it finds the authorization server and asks for the right scopes.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import { callApi, connect, getJson, type JsonAnswer, postJson } from "./Flow.ts"

const owner = Effect.flatMap(openAccount, ({ owner: session }) => makeBrowser(session))

const call = (method: string, params: unknown, token = "", path = "/mcp") =>
  postJson(
    path,
    { jsonrpc: "2.0", id: 1, method, params },
    {
      accept: "application/json, text/event-stream",
      ...(token === "" ? {} : { authorization: `Bearer ${token}` })
    }
  )

const callTool = (name: string, args: unknown, token = "", path = "/mcp") =>
  call("tools/call", { name, arguments: args }, token, path)

const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "a client", version: "1" }
}

const challengeOf = ({ headers }: JsonAnswer) => headers.get("www-authenticate") ?? ""

const AN_ORDER = { items: [{ site_id: 1, target_url: "https://a.example/", anchor_text: "a", anchor_type: "branded" }] }

layer(RunningService.layer(), { excludeTestServices: true })("The challenge", (it) => {
  it.effect(
    "names the metadata and the scopes, to a call without a credential: all of them at MCP, `read` elsewhere",
    () =>
      Effect.gen(function* () {
        const { url } = yield* RunningService.RunningService
        const metadata = `${url}/.well-known/oauth-protected-resource/mcp`
        const expected = (scope: string, at = metadata) =>
          `Bearer realm="backlinks", scope="${scope}", resource_metadata="${at}"`
        for (const answer of [yield* callTool("check_balance", {}), yield* callTool("create_order", AN_ORDER)]) {
          expect([answer.status, challengeOf(answer)]).toEqual([401, expected("read order")])
        }
        const atRest = yield* callApi("")
        expect([atRest.status, challengeOf(atRest)]).toEqual([401, expected("read")])
        const atCatalog = yield* callTool("search_sites", {}, "", "/mcp/catalog")
        expect([atCatalog.status, challengeOf(atCatalog)]).toEqual([401, expected("read", `${metadata}/catalog`)])
        const { body } = yield* getJson(new URL(metadata).pathname)
        expect(body).toMatchObject({
          resource: `${url}/mcp`,
          authorization_servers: [url],
          scopes_supported: ["read", "order"]
        })
        const atRoot = yield* getJson("/.well-known/oauth-protected-resource")
        expect(atRoot.body).toEqual(body)
      })
  )

  it.effect("is not there for what needs no credential", () =>
    Effect.gen(function* () {
      for (const [method, params] of [
        ["initialize", initialize],
        ["ping", undefined],
        ["tools/list", {}]
      ] as const) {
        expect([method, (yield* call(method, params)).status]).toEqual([method, 200])
      }
      const notified = yield* postJson("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" })
      expect([notified.status, challengeOf(notified)]).toEqual([202, ""])
    })
  )

  it.effect("says that a token is none, wherever it is used", () =>
    Effect.gen(function* () {
      for (const [answer, scope] of [
        [yield* callTool("check_balance", {}, "a".repeat(43)), "read order"],
        [yield* callApi("a".repeat(43)), "read"]
      ] as const) {
        expect(answer.status).toBe(401)
        expect(challengeOf(answer)).toMatch(new RegExp(`error="invalid_token".*scope="${scope}".*resource_metadata="`))
        expect(JSON.stringify(answer.body)).toContain("access token is not valid")
      }
    })
  )

  it.effect("asks a token that may only read for all scopes that it then needs: 403 at MCP too", () =>
    Effect.gen(function* () {
      const { tokens } = yield* connect(yield* owner)
      const expected = /error="insufficient_scope", scope="read order", resource_metadata="[^"]+\/mcp"/
      expect((yield* callTool("check_balance", {}, tokens.access)).status).toBe(200)
      const atMcp = yield* callTool("create_order", AN_ORDER, tokens.access)
      expect([atMcp.status, atMcp.body["error"]]).toMatchObject([403, { code: "insufficient_scope" }])
      expect(challengeOf(atMcp)).toMatch(expected)
      const atRest = yield* postJson("/api/v1/agent/orders", AN_ORDER, { authorization: `Bearer ${tokens.access}` })
      expect(atRest.status).toBe(403)
      expect(challengeOf(atRest)).toMatch(expected)
      for (const { body } of [atMcp, atRest]) {
        expect(body).toMatchObject({
          error: { message: expect.stringContaining("which this connection does not have") }
        })
        expect(JSON.stringify(body)).not.toMatch(/API key/)
      }
      // The client asks for more, although it once registered to read alone.
      const stepped = yield* connect(yield* owner, { scope: "read order" })
      const ordered = yield* callTool("create_order", AN_ORDER, stepped.tokens.access)
      expect(ordered.status).toBe(200)
    })
  )
})
