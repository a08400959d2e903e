// The catalogue's MCP endpoint as a separate resource: its metadata and challenge, and tokens that read there and nowhere else.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, toolCall } from "#test/adapters/mcp/Post.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import { callApi, consent, exchange, getJson, newVerifier, registeredId, tokensOf } from "./Flow.ts"

const METADATA = "/.well-known/oauth-protected-resource/mcp/catalog"

layer(RunningService.layer(), { excludeTestServices: true })("the resource of the catalogue", (it) => {
  it.effect("is named by its challenge and its metadata, with the scope read alone", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const refused = yield* post(`${url}/mcp/catalog`, toolCall("2025", "check_balance"))
      expect(refused.status).toBe(401)
      expect(refused.headers.get("www-authenticate")).toContain(`scope="read", resource_metadata="${url}${METADATA}"`)
      expect((yield* getJson(METADATA)).body).toMatchObject({
        resource: `${url}/mcp/catalog`,
        authorization_servers: [url],
        scopes_supported: ["read"]
      })
    })
  )

  it.effect.each([
    ["as it is", (url: string) => url],
    ["with scheme and host in capitals", (url: string) => url.replace(/^.*?(?=:\d)/, (origin) => origin.toUpperCase())]
  ] as const)("named %s: gets tokens that read there, and nowhere else, whatever scope was asked", ([, spelled]) =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const { owner, account } = yield* openAccount
      const resource = `${spelled(url)}/mcp/catalog`
      const params = { resource, scope: "read order" }
      const request = { clientId: yield* registeredId(), verifier: newVerifier(), params }
      const browser = yield* makeBrowser(owner)
      const code = (yield* consent(browser, request)).searchParams.get("code") ?? ""
      const { access, scope } = tokensOf(yield* exchange(request, code, { resource }))
      expect(scope).toBe("read")
      const call = (path: string) => post(`${url}${path}`, toolCall("2025", "check_balance"), bearer(access))
      expect((yield* call("/mcp/catalog")).status).toBe(200)
      expect((yield* call("/mcp")).status).toBe(401)
      expect((yield* callApi(access)).status).toBe(401)
      const connections = yield* (yield* Credentials).connections(account.accountId)
      expect(connections.map(({ connection }) => connection.scopes)).toEqual([["read"]])
    })
  )
})
