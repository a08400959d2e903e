// The official MCP clients, of both SDKs, go the whole way by themselves: from the first refusal to metadata, registration or document,
// consent, token, tool, and from a missing scope to a purchase. Only the person's part is played here, as plain HTTP.
import { layer } from "@effect/vitest"
import * as modern from "@modelcontextprotocol/client"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect } from "effect"
import { expect } from "vitest"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { type Browser, makeBrowser } from "./Browser.ts"
import { formOf, leave } from "./Flow.ts"
import { OAuthTestbed, layer as oauthService } from "./OAuthService.ts"

const CALLBACK = "http://localhost:33418/callback"
const DOCUMENT = "https://client.example/metadata.json"
const INFO = { name: "An official client", version: "1" }

/** What the client asks its host to keep; both SDKs want the same of it. */
const makeProvider = (documentUrl?: string) => {
  const kept: Record<string, unknown> = {}
  const asked: Array<URL> = []
  const metadata = {
    client_name: "An official client",
    redirect_uris: [CALLBACK],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none"
  }
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: metadata,
    ...(documentUrl === undefined ? {} : { clientMetadataUrl: documentUrl }),
    state: () => "a state",
    clientInformation: () => kept["client"],
    saveClientInformation: (client: unknown): void => {
      kept["client"] = client
    },
    tokens: () => kept["tokens"],
    saveTokens: (tokens: unknown): void => {
      kept["tokens"] = tokens
    },
    redirectToAuthorization: (url: URL) => void asked.push(url),
    saveCodeVerifier: (verifier: string): void => {
      kept["verifier"] = verifier
    },
    codeVerifier: () => String(kept["verifier"]),
    discoveryState: () => kept["discovery"],
    saveDiscoveryState: (state: unknown): void => {
      kept["discovery"] = state
    }
  }
  return { provider, asked, kept }
}

type Result = { readonly isError?: boolean; readonly structuredContent?: Readonly<Record<string, unknown>> }

interface Client {
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Result>
  readonly finish: (answer: URLSearchParams) => Promise<void>
  readonly close: () => Promise<void>
}

type Connect = (url: URL, provider: ReturnType<typeof makeProvider>["provider"]) => Promise<Client>

const withLegacy: Connect = async (url, provider) => {
  // What is kept is what the SDK itself gave.
  const transport = new LegacyHttp(url, { authProvider: provider as never })
  const client = new LegacyClient(INFO)
  // Its own types differ where a member may be missing.
  await client.connect(transport as LegacyTransport)
  return {
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<Result>, // as MCP defines a result
    finish: (answer) => transport.finishAuth(answer.get("code") ?? ""),
    close: () => client.close()
  }
}

const withModern: Connect = async (url, provider) => {
  // What is kept is what the SDK itself gave.
  const transport = new modern.StreamableHTTPClientTransport(url, { authProvider: provider as never })
  const client = new modern.Client(INFO)
  await client.connect(transport)
  return {
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<Result>, // as MCP defines a result
    finish: (answer) => transport.finishAuth(answer),
    close: () => client.close()
  }
}

/** The person's browser, from the page of the service to the client's own address. */
const decide = Effect.fnUntraced(function* (browser: Browser, to: URL) {
  const { location } = yield* browser.get(to.href)
  const page = yield* browser.get(location)
  return (yield* leave(browser, yield* browser.post(`${location}/allow`, formOf(page)))).searchParams
})

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
          const { owner } = yield* openAccount
          const browser = yield* makeBrowser(owner)
          const { provider, asked, kept } = makeProvider(documentUrl)
          const client = yield* Effect.promise(() => connect(new URL("/mcp", url), provider))
          const call = (name: string, args: Record<string, unknown>) => Effect.tryPromise(() => client.call(name, args))

          // 401 → metadata → registration or document → authorize → consent → token → tool
          yield* Effect.flip(call("search_sites", { limit: 1 }))
          expect(asked).toHaveLength(1)
          expect(asked[0]?.searchParams.get("resource")).toBe(`${url}/mcp`)
          expect(asked[0]?.searchParams.get("scope")).toBe("read")
          const answer = yield* decide(browser, asked[0] ?? new URL(url))
          yield* Effect.promise(() => client.finish(answer))
          const found = yield* call("search_sites", { limit: 1 })
          const [site] = (found.structuredContent?.["sites"] ?? []) as ReadonlyArray<{ id: number }> // as the tool says

          // 403 → step-up → purchase, which waits for the owner because the consent said so
          const order = {
            items: [{ site_id: site?.id, target_url: "https://a.example/", anchor_text: "a", anchor_type: "branded" }],
            idempotency_key: "one-purchase"
          }
          yield* Effect.flip(call("create_order", order))
          if (asked.length === 1) {
            // SDK 1 takes a refresh for the answer to a missing scope, until its host lets go of the refresh token.
            const { refresh_token: _given, ...rest } = kept["tokens"] as Record<string, unknown> // as the SDK saved them
            kept["tokens"] = rest
            yield* call("about", {})
            yield* Effect.flip(call("create_order", order))
          }
          expect(asked).toHaveLength(2)
          expect(asked[1]?.searchParams.get("scope")).toBe("read order")
          const more = yield* decide(browser, asked[1] ?? new URL(url))
          yield* Effect.promise(() => client.finish(more))
          const ordered = yield* call("create_order", order)
          expect(ordered.structuredContent).toMatchObject({ ok: true, status: "awaiting_approval" })
          expect(kept["tokens"]).toMatchObject({ scope: "read order" })
          expect(asked[0]?.searchParams.get("client_id") === DOCUMENT).toBe(documentUrl !== undefined)
          yield* Effect.promise(() => client.close())
        })
      )
    }
  }
})
