// /mcp/full as a resource beside /mcp: its metadata and challenge, and tokens of either that are good at both and at REST.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, resultIn, toolCall } from "#test/adapters/mcp/Post.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import { callApi, consent, exchange, getJson, MAY_ORDER, newVerifier, registeredId, tokensOf } from "./Flow.ts"

const METADATA = "/.well-known/oauth-protected-resource/mcp/full"

/** A token for the resource at this path. */
const tokenFor = Effect.fnUntraced(function* (path: string, scope: string) {
  const { url } = yield* RunningService.RunningService
  const { owner } = yield* openAccount
  const resource = `${url}${path}`
  const request = { clientId: yield* registeredId(), verifier: newVerifier(), params: { resource, scope } }
  const browser = yield* makeBrowser(owner)
  const changes = scope === "read" || path === "/mcp/catalog" ? {} : MAY_ORDER
  const code = (yield* consent(browser, request, changes)).searchParams.get("code") ?? ""
  return tokensOf(yield* exchange(request, code, { resource }))
})

layer(RunningService.layer(), { excludeTestServices: true })("the resource of all tools", (it) => {
  it.effect("is named by its challenge and its metadata, with both scopes", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const refused = yield* post(`${url}/mcp/full`, toolCall("2025", "list_invoices"))
      expect(refused.status).toBe(401)
      expect(refused.headers.get("www-authenticate")).toContain(
        `scope="read order", resource_metadata="${url}${METADATA}"`
      )
      expect((yield* getJson(METADATA)).body).toMatchObject({
        resource: `${url}/mcp/full`,
        authorization_servers: [url],
        scopes_supported: ["read", "order"]
      })
      const { body } = yield* getJson("/.well-known/oauth-protected-resource")
      expect(body).toMatchObject({ resource: `${url}/mcp` })
    })
  )

  it.effect("takes tokens of /mcp, which takes its own, and neither takes those of the catalogue", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      for (const path of ["/mcp", "/mcp/full"]) {
        const { access, scope } = yield* tokenFor(path, "read order")
        expect(scope).toBe("read order")
        for (const at of ["/mcp", "/mcp/full"]) {
          const answer = yield* post(`${url}${at}`, toolCall("2025", "check_balance"), bearer(access))
          expect([path, at, answer.status, resultIn(answer).isError]).toEqual([path, at, 200, false])
        }
        expect((yield* callApi(access)).status).toBe(200)
        const atCatalog = yield* post(`${url}/mcp/catalog`, toolCall("2025", "check_balance"), bearer(access))
        expect(atCatalog.status).toBe(401)
      }
      const catalog = yield* tokenFor("/mcp/catalog", "read")
      for (const at of ["/mcp", "/mcp/full"]) {
        const answer = yield* post(`${url}${at}`, toolCall("2025", "check_balance"), bearer(catalog.access))
        expect([at, answer.status]).toEqual([at, 401])
      }
    })
  )

  it.effect("asks a token that may only read for more, by its own metadata", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const { access } = yield* tokenFor("/mcp/full", "read")
      const items = [{ site_id: 1, target_url: "https://a.example/", anchor_text: "a", anchor_type: "branded" }]
      const refused = yield* post(`${url}/mcp/full`, toolCall("2025", "create_order", { items }), bearer(access))
      expect(refused.status).toBe(403)
      expect(refused.headers.get("www-authenticate")).toContain(
        `error="insufficient_scope", scope="read order", resource_metadata="${url}${METADATA}"`
      )
    })
  )
})
