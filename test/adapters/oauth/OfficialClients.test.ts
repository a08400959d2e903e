// The official MCP clients, of both SDKs, go the whole way by themselves: from the first refusal to metadata, registration or document,
// consent, token, tool, and from a missing scope to a purchase that the owner approves. Only the person's part is played here, as plain HTTP.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { pageOf } from "#test/adapters/web/WaitingOrder.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import { CALLBACK, consentAt, MAY_ORDER } from "./Flow.ts"
import { OAuthTestbed, layer as oauthService } from "./OAuthService.ts"
import { makeProvider, withLegacy, withModern } from "./SdkClients.ts"

/** The address that the guide of each assistant shows to its owner: alone, in a command, or in a configuration. */
const guidedAddress = Effect.fnUntraced(function* (owner: string) {
  const { text } = yield* visit({ path: "/account/connections", token: owner })
  const copied = [...text.matchAll(/<pre class="copied">([^<]*)<\/pre>/g)].map(([, shown = ""]) =>
    shown.replaceAll("&quot;", '"')
  )
  const addresses = copied.map((shown) =>
    shown.startsWith("{") ? String(JSON.parse(shown).mcpServers.backlinks.url) : (shown.split(" ").at(-1) ?? "")
  )
  expect(addresses).toHaveLength(6)
  expect(new Set(addresses).size).toBe(1)
  return new URL(addresses[0] ?? "")
})

const DOCUMENT = "https://client.example/metadata.json"

layer(oauthService({ DEMO: "on" }), { excludeTestServices: true })("An official client", (it) => {
  for (const [sdk, connect] of Object.entries({ "of SDK 1": withLegacy, "of SDK 2": withModern })) {
    for (const documentUrl of [undefined, DOCUMENT]) {
      const means = documentUrl === undefined ? "a registration" : "a document"
      it.effect(`${sdk} goes the whole way with ${means}`, () =>
        Effect.gen(function* () {
          const { url } = yield* RunningService
          const { documents } = yield* OAuthTestbed
          const text = JSON.stringify({ client_id: DOCUMENT, client_name: "Documented", redirect_uris: [CALLBACK] })
          documents.set(DOCUMENT, { text, cacheControl: null })
          const { owner, account } = yield* openAccount
          const credit = { accountId: account.accountId, cents: 100_000, reference: "a test" }
          yield* (yield* ManageAccounts).topUp(credit, "test")
          const browser = yield* makeBrowser(owner)
          const address = yield* guidedAddress(owner)
          const { provider, asked, kept } = makeProvider(documentUrl)
          const client = yield* Effect.promise(() => connect(address, provider))
          const call = (name: string, args: Record<string, unknown>) => Effect.tryPromise(() => client.call(name, args))

          // 401 → metadata → registration or document → authorize → consent → token → tool
          yield* Effect.flip(call("search_sites", { limit: 1 }))
          expect(asked).toHaveLength(1)
          expect(asked[0]?.searchParams.get("resource")).toBe(`${url}/mcp`)
          expect(asked[0]?.searchParams.get("scope")).toBe("read order")
          // SDK 1 asks once. To one of SDK 2 the owner gives reading at first, and ordering when it asks again.
          const isPatient = sdk === "of SDK 2"
          const given = isPatient ? {} : MAY_ORDER
          const answer = (yield* consentAt(browser, String(asked[0]), given)).searchParams
          yield* Effect.promise(() => client.finish(answer))
          const found = yield* call("search_sites", { limit: 1 })
          const [site] = (found.structuredContent?.["sites"] ?? []) as ReadonlyArray<{ id: number }> // as the tool says

          // (403 → step-up →) purchase, which waits for the owner because the consent said so
          const order = {
            items: [{ site_id: site?.id, target_url: "https://a.example/", anchor_text: "a", anchor_type: "branded" }],
            idempotency_key: "one-purchase"
          }
          if (isPatient) {
            expect(kept["tokens"]).toMatchObject({ scope: "read" })
            yield* Effect.flip(call("create_order", order))
            expect(asked[1]?.searchParams.get("scope")).toBe("read order")
            const more = (yield* consentAt(browser, String(asked[1]), MAY_ORDER)).searchParams
            yield* Effect.promise(() => client.finish(more))
          }
          expect(asked).toHaveLength(isPatient ? 2 : 1)
          const ordered = yield* call("create_order", order)
          expect(ordered.structuredContent).toMatchObject({ ok: true, status: "awaiting_approval" })

          // The owner approves on the page, and the call again, as it was, shows the order.
          const { path, form } = pageOf(ordered.structuredContent as unknown as Parameters<typeof pageOf>[0]) // as the tool says
          expect((yield* browser.post(`${path}/approve`, form)).status).toBe(303)
          expect((yield* call("create_order", order)).structuredContent).toMatchObject({
            quote_id: ordered.structuredContent?.["quote_id"],
            order_id: expect.stringMatching(/^ord_/)
          })
          expect(kept["tokens"]).toMatchObject({ scope: "read order" })
          expect(asked[0]?.searchParams.get("client_id") === DOCUMENT).toBe(documentUrl !== undefined)
          yield* Effect.promise(() => client.close())
        })
      )
    }
  }
})
