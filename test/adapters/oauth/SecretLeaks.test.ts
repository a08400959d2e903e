// What the authorization server hands out and takes does not leak: after whole connections with every kind of mistake and fault, no code,
// token, verifier, registration token or state is in any log or span.
import { layer } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { expect } from "vitest"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, toolCall } from "#test/adapters/mcp/Post.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { LogLines, RunningService } from "#test/scenarios/RunningService.ts"
import * as SpanRecorder from "#test/scenarios/SpanRecorder.ts"
import { type Browser, makeBrowser } from "./Browser.ts"
import {
  authorizePath,
  CALLBACK,
  callApi,
  consent,
  exchange,
  getJson,
  newVerifier,
  type Request,
  refresh,
  register,
  revokeToken,
  tokensOf
} from "./Flow.ts"
import { OAuthTestbed, layer as oauthService } from "./OAuthService.ts"

const callTool = (token: string, query = "") =>
  Effect.flatMap(RunningService, ({ url }) =>
    post(`${url}/mcp${query}`, toolCall("2025", "check_balance"), bearer(token))
  )

const send = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(RunningService, ({ url }) =>
    Effect.promise(() => fetch(new URL(path, url), { redirect: "manual", ...init }).then((answer) => answer.text()))
  )

const NAMES = ["access_token", "refresh_token", "code", "state", "token", "code_verifier"]

/** Tokens and codes where they do not belong, which clients send by mistake. */
const misplaced = Effect.fnUntraced(function* (secret: string) {
  const authorization = `Bearer ${secret}`
  const named = Object.fromEntries(NAMES.map((name) => [name, secret]))
  const query = `?${new URLSearchParams(named)}`
  const body = JSON.stringify({ redirect_uris: [`http://${secret}.example/`], ...named })
  const posted = { method: "POST", headers: { "content-type": "application/json" }, body }
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/register"]) yield* send(`${path}${query}`, posted)
  for (const path of ["/oauth/authorize", `/oauth/authorize/${secret}`, `/account/consent/${secret}`]) {
    yield* send(`${path}${query}`)
  }
  yield* send(`/oauth/register/${secret}${query}`, { headers: { authorization } })
  yield* send(`/api/v1/agent/me${query}`, { headers: { "x-api-key": secret } })
  yield* callTool(secret, query)
})

const mistakes = Effect.fnUntraced(function* (browser: Browser, request: Request, code: string) {
  yield* exchange(request, code, { code_verifier: newVerifier() })
  yield* exchange(request, `${code}x`)
  yield* exchange(request, code, { redirect_uri: `${CALLBACK}/` })
  yield* exchange(request, code, { client_id: "another" })
  yield* browser.get(authorizePath({ ...request, params: { ...request.params, response_type: "token" } }))
  yield* browser.get(authorizePath({ ...request, params: { ...request.params, redirect_uri: "https://a.example/" } }))
})

/** A connection from its registration to its end; the secrets of it. */
const session = Effect.gen(function* () {
  const { loses } = yield* OAuthTestbed
  const { owner } = yield* openAccount
  const browser = yield* makeBrowser(owner)
  const { body } = yield* register()
  const clientId = String(body["client_id"])
  const registration = String(body["registration_access_token"])
  yield* getJson(`/oauth/register/${clientId}`, { authorization: `Bearer ${registration}` })
  yield* getJson(`/oauth/register/${clientId}?access_token=${registration}`, {
    authorization: `Bearer ${registration}x`
  })
  const state = `state-${newVerifier()}`
  const request = { clientId, verifier: newVerifier(), params: { state, scope: "read order" } }
  const code = (yield* consent(browser, request)).searchParams.get("code") ?? ""
  yield* mistakes(browser, request, code)
  const tokens = tokensOf(yield* exchange(request, code))
  expect((yield* callTool(tokens.access)).status).toBe(200)
  expect((yield* callApi(tokens.access)).status).toBe(200)
  const next = tokensOf(yield* refresh(clientId, tokens.refresh))
  for (const kind of ["RefreshToken", "AccessToken"]) {
    loses.add(kind)
    expect((yield* refresh(clientId, next.refresh)).status).toBe(503)
    loses.clear()
  }
  const secrets = [
    ...[state, request.verifier, code, tokens.access, tokens.refresh, next.access, next.refresh],
    registration.slice(registration.lastIndexOf(".") + 1)
  ]
  for (const secret of secrets) yield* misplaced(secret)
  expect((yield* exchange(request, code)).body["error"]).toBe("invalid_grant")
  yield* revokeToken(clientId, next.refresh)
  yield* callTool(next.access)
  return secrets
})

const observers = Layer.merge(SpanRecorder.layer, Layer.succeed(References.MinimumLogLevel, "All"))

layer(Layer.provideMerge(oauthService(), observers), { excludeTestServices: true })("Of a connection", (it) => {
  const played = Effect.runSync(Effect.cached(session))

  it.effect("no code, token, verifier, registration token or state is in any log", () =>
    Effect.gen(function* () {
      const secrets = yield* played
      const { lines } = yield* LogLines
      expect(secrets.map((secret) => secret.length > 20)).not.toContain(false)
      const text = lines.join("\n")
      expect(text).toContain("The authorization server failed on our side")
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    })
  )

  it.effect("none of these is in any span", () =>
    Effect.gen(function* () {
      const secrets = yield* played
      const { spans } = yield* SpanRecorder.SpanRecorder
      expect(spans.length).toBeGreaterThan(20)
      const leaking = spans.filter((span) => secrets.some((secret) => span.includes(secret)))
      expect(leaking).toEqual([])
    })
  )
})
