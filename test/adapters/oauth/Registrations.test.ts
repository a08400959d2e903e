// How clients register themselves, and what becomes of registrations: taken as clients send them, refused where the answer could go
// astray, bounded in number and time.
import { createHash } from "node:crypto"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { Grants } from "#core/ports/access/Grants.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import {
  authorizePath,
  connect,
  consent,
  getJson,
  newVerifier,
  postJson,
  refresh,
  register,
  registeredId
} from "./Flow.ts"
import { registrationBodies } from "./RegistrationBodies.ts"

const owner = Effect.flatMap(openAccount, ({ owner: session }) => makeBrowser(session))

const DAY_MS = 86_400_000

layer(RunningService.layer(), { excludeTestServices: true })("A registration", (it) => {
  it.effect("counts for the network that it came from, until a member's own browser asks for it", () =>
    Effect.gen(function* () {
      const grants = yield* Grants
      const hashOf = (id: string): string => createHash("sha256").update(id).digest("hex")
      const requesterOf = (clientId: string) =>
        Effect.map(grants.find("Client", hashOf(clientId)), (client) => client?.requester)
      const [mine, other] = [yield* registeredId(), yield* registeredId()]
      expect(yield* requesterOf(mine)).toBe("network 127.0.0.1")
      const stranger = yield* makeBrowser()
      const waiting = yield* stranger.get(authorizePath({ clientId: mine, verifier: newVerifier() }))
      expect(waiting.location).toMatch(/^\/account\/consent\//)
      expect(yield* requesterOf(mine)).toBe("network 127.0.0.1")
      const browser = yield* owner
      // A page of the area gives the browser its mark.
      yield* browser.get("/account")
      expect([...browser.cookies.keys()]).toContain("devices /")
      const { location } = yield* browser.get(authorizePath({ clientId: mine, verifier: newVerifier() }))
      const device = yield* requesterOf(mine)
      expect(device).toMatch(/^member mem_/)
      expect(yield* requesterOf(other)).toBe("network 127.0.0.1")
      const request = yield* grants.find("Interaction", hashOf(location.split("/").at(-1) ?? ""))
      expect(request?.requester).toBe(device)
    })
  )

  for (const [name, body] of Object.entries(registrationBodies)) {
    it.effect(`of ${name} is taken, and its answer goes to each of its addresses`, () =>
      Effect.gen(function* () {
        const { url } = yield* RunningService.RunningService
        const registered = yield* register({ client_name: undefined, redirect_uris: undefined, ...body })
        const uris = body["redirect_uris"] as ReadonlyArray<string> // as the table has them
        expect(registered.status).toBe(201)
        const { client_id, registration_client_uri, registration_access_token: token, ...rest } = registered.body
        expect(rest).toMatchObject({
          redirect_uris: uris,
          grant_types: ["authorization_code", "refresh_token"],
          token_endpoint_auth_method: "none"
        })
        expect("scope" in rest || "client_secret" in rest).toBe(false)
        expect(registration_client_uri).toBe(`${url}/oauth/register/${client_id}`)
        const path = `/oauth/register/${client_id}`
        const read = yield* getJson(path, { authorization: `Bearer ${token}` })
        expect([read.status, read.body["redirect_uris"]]).toEqual([200, uris])
        expect((yield* getJson(path, { authorization: `Bearer ${token}x` })).status).toBe(401)
        const browser = yield* makeBrowser()
        for (const redirect_uri of uris) {
          const request = { clientId: String(client_id), verifier: newVerifier(), params: { redirect_uri } }
          expect((yield* browser.get(authorizePath(request))).location).toMatch(/^\/account\/consent\//)
        }
      })
    )
  }

  it.effect("with a scope is no ceiling: the client may ask for more later", () =>
    Effect.gen(function* () {
      const { body } = yield* register({ scope: "read" })
      const request = { clientId: String(body["client_id"]), verifier: newVerifier() }
      const browser = yield* owner
      for (const scope of ["read", "read order"]) {
        const answer = yield* consent(browser, { ...request, params: { scope } })
        expect(answer.searchParams.has("code")).toBe(true)
      }
    })
  )

  it.effect("may have the scheme of an application: a domain name reversed, or one of a short list", () =>
    Effect.gen(function* () {
      for (const scheme of ["com.example.app", "cursor", "vscode", "vscode-insiders", "windsurf", "claude", "zed"]) {
        const { status, body } = yield* register({ redirect_uris: [`${scheme}:/callback`] })
        expect([scheme, status], JSON.stringify(body)).toEqual([scheme, 201])
      }
    })
  )

  it.effect("with an address where the answer could go astray is 400", () =>
    Effect.gen(function* () {
      for (const uri of [
        "http://evil.example/callback",
        "http://localhost.evil.example/",
        "http://127.0.0.2/",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "ftp://a.example/",
        "mailto:a@b.example",
        "myapp://callback",
        "slack:/callback",
        "https://a.example/#fragment",
        "https://user:password@a.example/",
        "https://a.example/ x",
        "/callback",
        "",
        5
      ]) {
        const { status, body } = yield* register({ redirect_uris: ["https://good.example/", uri] })
        expect([uri, status, body["error"]]).toEqual([uri, 400, "invalid_redirect_uri"])
      }
      for (const redirect_uris of [
        [],
        null,
        "https://a.example/",
        Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`)
      ]) {
        expect((yield* register({ redirect_uris })).status).toBe(400)
      }
      for (const body of [[], 5, null]) expect((yield* postJson("/oauth/register", body)).status).toBe(400)
    })
  )

  it.effect("without a consent ends after 24 hours; with one it lives as long as its grant", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { body } = yield* register()
      const unused = { clientId: String(body["client_id"]), verifier: newVerifier() }
      const { request, tokens } = yield* connect(yield* owner)
      yield* advance(DAY_MS - 1_000)
      const browser = yield* makeBrowser()
      expect((yield* browser.get(authorizePath(unused))).status).toBe(303)
      yield* advance(2_000)
      expect((yield* browser.get(authorizePath(unused))).status).toBe(400)
      yield* advance(28 * DAY_MS)
      expect((yield* refresh(request.clientId, tokens.refresh)).status).toBe(200)
    })
  )
})

layer(RunningService.layer({ OAUTH_REGISTRATION: "off" }), { excludeTestServices: true })(
  "Without registration",
  (it) => {
    it.effect("there is no endpoint for it, and none is announced", () =>
      Effect.gen(function* () {
        expect((yield* register()).status).toBe(404)
        const { body } = yield* getJson("/.well-known/oauth-authorization-server")
        expect(body["registration_endpoint"]).toBe(undefined)
      })
    )
  }
)

for (const env of [{ OAUTH: "off" }, { PUBLIC_URL: "http://shop.example" }, { MEMBERS: "off" }] as const) {
  layer(RunningService.layer(env), { excludeTestServices: true })(`With ${JSON.stringify(env)}`, (it) => {
    it.effect("there is no authorization server, and no challenge names one", () =>
      Effect.gen(function* () {
        for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"]) {
          expect((yield* getJson(path)).status).toBe(404)
        }
        const { headers } = yield* getJson("/api/v1/agent/me")
        expect(headers.get("www-authenticate")).toBe('Bearer realm="backlinks", scope="read"')
      })
    )
  })
}
