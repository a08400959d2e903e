// Clients whose id is the URL of a document about themselves; and what becomes of clients when the store loses what was to be kept.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { DocumentRefused } from "#core/ports/access/ClientDocuments.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { makeBrowser } from "./Browser.ts"
import {
  authorizePath,
  CALLBACK,
  callApi,
  connect,
  consent,
  exchange,
  MAY_ORDER,
  newVerifier,
  refresh,
  tokensOf
} from "./Flow.ts"
import { OAuthTestbed, layer as oauthService } from "./OAuthService.ts"

const owner = Effect.flatMap(openAccount, ({ owner: session }) => makeBrowser(session))

let number = 0
const newId = (): string => `https://client.example/${++number}/metadata.json`

const publish = (clientId: string, metadata: unknown, cacheControl: string | null = "max-age=0") =>
  Effect.map(OAuthTestbed, ({ documents }) => {
    documents.set(clientId, { text: typeof metadata === "string" ? metadata : JSON.stringify(metadata), cacheControl })
  })

const metadataOf = (clientId: string) => ({
  client_id: clientId,
  client_name: "A published client",
  redirect_uris: [CALLBACK]
})

layer(oauthService(), { excludeTestServices: true })("A client with a document", (it) => {
  it.effect("is let in by its name and its host, without a registration, and with what VS Code asks for", () =>
    Effect.gen(function* () {
      const clientId = newId()
      yield* publish(clientId, {
        ...metadataOf(clientId),
        scope: "read",
        grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        application_type: "native",
        logo_uri: "https://client.example/logo.png"
      })
      const browser = yield* owner
      const request = { clientId, verifier: newVerifier(), params: { scope: "read order" } }
      const { location } = yield* browser.get(authorizePath(request))
      const page = yield* browser.get(location)
      expect(page.text).toMatch(
        /calls itself <strong>A published client<[\s\S]+verified only its address: <strong>client.example</
      )
      expect(page.text).toContain("program on this computer")
      const code = (yield* consent(browser, request, MAY_ORDER)).searchParams.get("code") ?? ""
      const tokens = tokensOf(yield* exchange(request, code))
      expect(tokens.scope).toBe("read order")
      expect((yield* callApi(tokens.access)).status).toBe(200)
      expect((yield* refresh(clientId, tokens.refresh)).status).toBe(200)
    })
  )

  it.effect("is refused, with a page and without a redirect, where the document is not its own or no document", () =>
    Effect.gen(function* () {
      const { documents } = yield* OAuthTestbed
      const browser = yield* makeBrowser()
      const wrong: ReadonlyArray<(id: string) => unknown> = [
        (id) => ({ ...metadataOf(id), client_id: `${id}?` }),
        (id) => ({ ...metadataOf(id), client_id: undefined }),
        (id) => ({ ...metadataOf(id), redirect_uris: ["http://evil.example/"] }),
        (id) => ({ ...metadataOf(id), redirect_uris: [] }),
        (id) => ({ ...metadataOf(id), client_secret: "known to all" }),
        () => "not JSON",
        () => "[]",
        () => "null"
      ]
      for (const make of wrong) {
        const clientId = newId()
        yield* publish(clientId, make(clientId))
        const answer = yield* browser.get(authorizePath({ clientId, verifier: newVerifier() }))
        expect([answer.status, answer.location]).toEqual([400, ""])
        expect(answer.text).toContain("Not connected")
      }
      for (const reason of ["address", "redirects", "too_large", "too_slow", "media_type", "status"] as const) {
        const clientId = newId()
        documents.set(clientId, new DocumentRefused({ reason }))
        const answer = yield* browser.get(authorizePath({ clientId, verifier: newVerifier() }))
        expect([answer.status, answer.location]).toEqual([400, ""])
      }
    })
  )

  it.effect("is not even fetched for an id that is no plain https URL", () =>
    Effect.gen(function* () {
      const { fetched } = yield* OAuthTestbed
      const before = fetched.length
      const browser = yield* makeBrowser()
      for (const clientId of [
        "http://client.example/metadata.json",
        "https://user@client.example/metadata.json",
        "https://client.example/metadata.json#a",
        "https://client.example/a/../metadata.json",
        "file:///etc/passwd",
        "https://"
      ]) {
        expect((yield* browser.get(authorizePath({ clientId, verifier: newVerifier() }))).status).toBe(400)
      }
      expect(fetched.length).toBe(before)
    })
  )
})

layer(oauthService(), { excludeTestServices: true })("A client of a service that is killed", (it) => {
  for (const kind of ["RefreshToken", "AccessToken"]) {
    it.effect(`before its new ${kind} is kept goes on with the old refresh token`, () =>
      Effect.gen(function* () {
        const { loses } = yield* OAuthTestbed
        const { request, tokens } = yield* connect(yield* owner)
        loses.add(kind)
        const lost = yield* refresh(request.clientId, tokens.refresh)
        expect([lost.status, lost.headers.get("retry-after")]).toEqual([503, "1"])
        loses.clear()
        const next = tokensOf(yield* refresh(request.clientId, tokens.refresh))
        expect((yield* callApi(next.access)).status).toBe(200)
      })
    )
  }
})
