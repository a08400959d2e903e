// From registration to token and tool, and what becomes of codes and tokens: once, in time, for one resource, and not after the end.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import {
  authorizePath,
  CALLBACK,
  callApi,
  connect,
  consent,
  exchange,
  newVerifier,
  refresh,
  registeredId,
  tokensOf
} from "./Flow.ts"

const owner = Effect.flatMap(openAccount, ({ owner: session }) => makeBrowser(session))

const GRACE_MS = 60_000

layer(RunningService.layer(), { excludeTestServices: true })("A client that an owner lets in", (it) => {
  it.effect("gets the answer with state and issuer, a token for an hour, and works with the account", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const browser = yield* owner
      const { answer, tokens, request, code } = yield* connect(browser, { scope: "read order" })
      expect(`${answer.origin}${answer.pathname}`).toBe(CALLBACK)
      expect(Object.fromEntries(answer.searchParams)).toEqual({ code, state: "a state", iss: url })
      expect(tokens.scope).toBe("read order")
      const me = yield* callApi(tokens.access)
      expect(me.status).toBe(200)
      expect(me.body["key"]).toMatchObject({
        kind: "connection",
        label: "An assistant",
        scopes: ["read", "order"],
        mode: "live",
        limits: { approve_above_cents: 0 }
      })
      // The session, the mark of the browser, and two of the request.
      expect(browser.cookies.size).toBe(2 + 2)
      expect(request.clientId).not.toBe("")
    })
  )

  it.effect("may read if it asks for no scope, or for none that there is", () =>
    Effect.gen(function* () {
      for (const scope of [null, "", "openid profile mcp"]) {
        const { tokens } = yield* connect(yield* owner, { scope })
        expect(tokens.scope).toBe("read")
        expect((yield* callApi(tokens.access)).body["key"]).toMatchObject({ scopes: ["read"] })
      }
    })
  )

  it.effect("loses its first token when its code is used again", () =>
    Effect.gen(function* () {
      const { request, code, tokens } = yield* connect(yield* owner)
      expect((yield* callApi(tokens.access)).status).toBe(200)
      const { status, body } = yield* exchange(request, code)
      expect([status, body["error"]]).toEqual([400, "invalid_grant"])
      yield* Effect.flatMap(MovableClock, ({ advance }) => advance(1_000))
      expect((yield* callApi(tokens.access)).status).toBe(401)
      expect((yield* refresh(request.clientId, tokens.refresh)).body["error"]).toBe("invalid_grant")
    })
  )

  it.effect("gets nothing that lasts from a code that is used 10 times at once", () =>
    Effect.gen(function* () {
      const browser = yield* owner
      const request = { clientId: yield* registeredId(), verifier: newVerifier() }
      const code = (yield* consent(browser, request)).searchParams.get("code") ?? ""
      const answers = yield* concurrently(times(10, () => exchange(request, code)))
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
      yield* Effect.flatMap(MovableClock, ({ advance }) => advance(1_000))
      for (const answer of answers) {
        if (answer.status === 200) expect((yield* callApi(tokensOf(answer).access)).status).toBe(401)
        else expect(answer.body["error"]).toBe("invalid_grant")
      }
    })
  )

  it.effect("gets nothing with another verifier, redirect URI, resource or client", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const browser = yield* owner
      const other = yield* registeredId()
      const wrong: ReadonlyArray<[Readonly<Record<string, string>>, string]> = [
        [{ code_verifier: newVerifier() }, "invalid_grant"],
        [{ redirect_uri: `${CALLBACK}/` }, "invalid_grant"],
        [{ resource: `${url}/mcp/other` }, "invalid_target"],
        [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"],
        [{ client_id: other }, "invalid_grant"]
      ]
      for (const [params, error] of wrong) {
        const request = { clientId: yield* registeredId(), verifier: newVerifier() }
        const code = (yield* consent(browser, request)).searchParams.get("code") ?? ""
        const { status, body } = yield* exchange(request, code, params)
        expect([status, body["error"], "access_token" in body]).toEqual([400, error, false])
      }
    })
  )

  it.effect("refreshes, also 81 times within 60 seconds, to one new token; later the whole grant ends", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { request, tokens } = yield* connect(yield* owner)
      const { clientId } = request
      const twins = (yield* concurrently(times(81, () => refresh(clientId, tokens.refresh)))).map(tokensOf)
      const [successor = ""] = twins.map((twin) => twin.refresh)
      expect([...new Set(twins.map((twin) => twin.refresh))]).toEqual([successor])
      expect(successor).not.toBe(tokens.refresh)
      for (const twin of twins) expect((yield* callApi(twin.access)).status).toBe(200)
      yield* advance(GRACE_MS / 2)
      const late = tokensOf(yield* refresh(clientId, tokens.refresh))
      expect(late.refresh).toBe(successor)
      const next = tokensOf(yield* refresh(clientId, successor))
      // The twin that comes last gets the token that is not used up.
      expect(tokensOf(yield* refresh(clientId, tokens.refresh)).refresh).toBe(next.refresh)
      yield* advance(GRACE_MS / 2)
      expect((yield* refresh(clientId, tokens.refresh)).body["error"]).toBe("invalid_grant")
      yield* advance(1_000)
      for (const { access } of [tokens, ...twins, late, next]) expect((yield* callApi(access)).status).toBe(401)
      expect((yield* refresh(clientId, next.refresh)).body["error"]).toBe("invalid_grant")
    })
  )

  it.effect("goes on for as long as it refreshes, and not longer than 30 days without", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { request, tokens } = yield* connect(yield* owner)
      const { clientId } = request
      yield* advance(3_600_000)
      expect((yield* callApi(tokens.access)).status).toBe(401)
      yield* advance(29 * 86_400_000)
      const one = tokensOf(yield* refresh(clientId, tokens.refresh))
      yield* advance(29 * 86_400_000)
      const two = tokensOf(yield* refresh(clientId, one.refresh))
      expect((yield* callApi(two.access)).status).toBe(200)
      yield* advance(30 * 86_400_000)
      // Its registration has ended too, so that it registers and asks again.
      expect((yield* refresh(clientId, two.refresh)).body["error"]).toBe("invalid_client")
    })
  )

  it.effect("is answered in the response mode that is stated, and refused any other", () =>
    Effect.gen(function* () {
      const browser = yield* owner
      const request = { clientId: yield* registeredId(), verifier: newVerifier() }
      for (const response_mode of ["form_post", "fragment", "query.jwt", "web_message", "", "QUERY"]) {
        const { status, location, text } = yield* browser.get(authorizePath({ ...request, params: { response_mode } }))
        const { origin, pathname, searchParams, hash } = new URL(location)
        expect([status, `${origin}${pathname}`, hash, text]).toEqual([303, CALLBACK, "", ""])
        expect([response_mode, searchParams.get("error")]).toEqual([response_mode, "unsupported_response_mode"])
        expect([searchParams.get("state"), searchParams.has("code")]).toEqual(["a state", false])
      }
      const stated = yield* browser.get(authorizePath({ ...request, params: { response_mode: "query" } }))
      expect(stated.location).toMatch(/^\/account\/consent\//)
    })
  )

  it.effect("is refused without PKCE, with a plain challenge, and at an address that almost matches", () =>
    Effect.gen(function* () {
      const browser = yield* owner
      const request = { clientId: yield* registeredId(), verifier: newVerifier() }
      for (const params of [
        { code_challenge: null, code_challenge_method: null },
        { code_challenge_method: "plain" },
        { code_challenge_method: null }
      ]) {
        const { location } = yield* browser.get(authorizePath({ ...request, params }))
        const { searchParams } = new URL(location)
        expect([searchParams.get("error"), searchParams.has("code")]).toEqual(["invalid_request", false])
      }
      for (const redirect_uri of [
        `${CALLBACK}/`,
        `${CALLBACK}?x=1`,
        "http://localhost:33418/callbacK",
        "http://localhost.evil.example:33418/callback",
        "http://127.0.0.1:33418/callback",
        "https://localhost:33418/callback",
        "http://localhost:33418@evil.example/callback"
      ]) {
        const answer = yield* browser.get(authorizePath({ ...request, params: { redirect_uri } }))
        expect([answer.status, answer.location]).toEqual([400, ""])
      }
      // Any port of the same loopback address counts.
      const elsewhere = yield* browser.get(
        authorizePath({ ...request, params: { redirect_uri: "http://localhost:1/callback" } })
      )
      expect(elsewhere.location).toMatch(/^\/account\/consent\//)
    })
  )
})
