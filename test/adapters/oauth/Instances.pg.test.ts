// Three instances on one database: each step of a client is taken at the other instance than the one before, and what is revoked at one ends
// at both within a second.
import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { Grants } from "#core/ports/access/Grants.ts"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, toolCall } from "#test/adapters/mcp/Post.ts"
import { serviceInstances } from "#test/adapters/postgres/ServiceInstances.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { RunningService, ServiceInstances } from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import {
  authorizePath,
  callApi,
  exchange,
  formOf,
  MAY_ORDER,
  newVerifier,
  refresh,
  register,
  revokeToken,
  tokensOf,
  wayOut
} from "./Flow.ts"

const PUBLIC_URL = "https://shop.example"

/** Runs steps at one of the instances. */
const instances = Effect.gen(function* () {
  const running = yield* RunningService
  const all = yield* (yield* ServiceInstances).all
  const at = (instance: { readonly url: string } | undefined) => {
    const url = instance?.url ?? ""
    return Effect.provideService(RunningService, { ...running, url, port: Number(new URL(url).port) })
  }
  const [one, other] = all
  return { atOne: at(one), atOther: at(other), atEach: all.map(at) }
})

const callTool = (token: string) =>
  Effect.flatMap(RunningService, ({ url }) => post(`${url}/mcp`, toolCall("2025", "check_balance"), bearer(token)))

/** Registers, authorizes, consents, leaves and gets tokens, each at another instance than the step before. */
const connectAcross = Effect.gen(function* () {
  const { atOne, atOther } = yield* instances
  const { owner } = yield* openAccount
  const browser = yield* makeBrowser()
  // The name of the cookie where the service is reached by https.
  browser.cookies.set("__Host-session /", { path: "/", text: `__Host-session=${owner}` })
  const { body } = yield* register().pipe(atOne)
  const request = { clientId: String(body["client_id"]), verifier: newVerifier(), params: { scope: "read order" } }
  const { location } = yield* browser.get(authorizePath(request)).pipe(atOther)
  const page = yield* browser.get(location).pipe(atOne)
  const allowed = yield* browser
    .post(`${new URL(location, PUBLIC_URL).pathname}/allow`, formOf(page, MAY_ORDER))
    .pipe(atOther)
  const next = yield* browser.get(allowed.location).pipe(atOne)
  const left = new URL((yield* browser.get(wayOut(next)).pipe(atOther)).location)
  expect([left.searchParams.get("iss"), left.searchParams.get("state")]).toEqual([PUBLIC_URL, "a state"])
  const code = left.searchParams.get("code") ?? ""
  const tokens = tokensOf(yield* exchange(request, code).pipe(atOne))
  return { browser, request, code, tokens }
})

layer(serviceInstances(3).start({ PUBLIC_URL }), { excludeTestServices: true })(
  "A client of several instances",
  (it) => {
    it.effect("takes each step at another one, up to a refresh, and works at both", () =>
      Effect.gen(function* () {
        const { atOne, atOther } = yield* instances
        const { request, tokens } = yield* connectAcross
        expect((yield* callTool(tokens.access).pipe(atOther)).status).toBe(200)
        expect((yield* callApi(tokens.access).pipe(atOne)).status).toBe(200)
        const next = tokensOf(yield* refresh(request.clientId, tokens.refresh).pipe(atOther))
        // The answer may have been lost: the other instance gives the same one.
        const twin = tokensOf(yield* refresh(request.clientId, tokens.refresh).pipe(atOne))
        expect(twin.refresh).toBe(next.refresh)
        for (const { access } of [next, twin]) {
          expect((yield* callTool(access).pipe(atOne)).status).toBe(200)
          expect((yield* callApi(access).pipe(atOther)).status).toBe(200)
        }
      })
    )

    it.effect("whose one token is refreshed 81 times at once, over all of them, gets one successor", () =>
      Effect.gen(function* () {
        const { atEach, atOne } = yield* instances
        const { request, tokens } = yield* connectAcross
        const refreshes = times(27, () => atEach.map((at) => refresh(request.clientId, tokens.refresh).pipe(at))).flat()
        const answers = yield* concurrently(refreshes)
        expect(answers.map(({ status }) => status)).toEqual(refreshes.map(() => 200))
        const [successor, ...others] = new Set(answers.map((answer) => tokensOf(answer).refresh))
        expect([successor === tokens.refresh, others]).toEqual([false, []])
        const next = tokensOf(yield* refresh(request.clientId, successor ?? "").pipe(atOne))
        expect((yield* callApi(next.access).pipe(atOne)).status).toBe(200)
        // The sealed successor is all that is stored of it, for its grace.
        const { grants, hash } = {
          grants: yield* Grants,
          hash: createHash("sha256").update(tokens.refresh).digest("hex")
        }
        const kept = yield* grants.find("RefreshToken", hash)
        expect(JSON.stringify(kept)).not.toContain(successor)
        expect(kept?.successor).not.toBe(null)
        yield* grants.forgetSuccessors
        expect((yield* grants.find("RefreshToken", hash))?.successor).toBe(kept?.successor)
      })
    )

    it.effect("whose connection is revoked at one is refused at both within a second", () =>
      Effect.gen(function* () {
        const { atOne, atOther } = yield* instances
        const { browser, request, tokens } = yield* connectAcross
        // Both have the token and the connection in their caches now.
        const { body } = yield* callApi(tokens.access).pipe(atOne)
        expect((yield* callApi(tokens.access).pipe(atOther)).status).toBe(200)
        const { key_id } = body["key"] as { readonly key_id: string } // as /me says
        expect((yield* browser.post(`/account/connections/${key_id}/revoke`).pipe(atOne)).status).toBe(303)
        // The other instance may not know of it yet, and what it answers within this second ends with it.
        const during = yield* refresh(request.clientId, tokens.refresh).pipe(atOther)
        yield* Effect.promise(() => sleep(1_000))
        for (const at of [atOne, atOther]) {
          for (const { access, refresh: kept } of [tokens, tokensOf(during)]) {
            expect((yield* callApi(access).pipe(at)).status).toBe(401)
            expect((yield* callTool(access).pipe(at)).status).toBe(401)
            expect((yield* refresh(request.clientId, kept).pipe(at)).body["error"]).toBe("invalid_grant")
          }
        }
      })
    )

    it.effect("who gives its token back, or uses its code twice, is refused at both within a second", () =>
      Effect.gen(function* () {
        const { atOne, atOther } = yield* instances
        for (const end of ["revocation", "replay"] as const) {
          const { request, code, tokens } = yield* connectAcross
          for (const at of [atOne, atOther]) expect((yield* callApi(tokens.access).pipe(at)).status).toBe(200)
          if (end === "revocation") yield* revokeToken(request.clientId, tokens.refresh).pipe(atOther)
          else expect((yield* exchange(request, code).pipe(atOther)).body["error"]).toBe("invalid_grant")
          yield* Effect.promise(() => sleep(1_000))
          for (const at of [atOne, atOther]) expect((yield* callApi(tokens.access).pipe(at)).status).toBe(401)
          expect((yield* refresh(request.clientId, tokens.refresh).pipe(atOne)).body["error"]).toBe("invalid_grant")
        }
      })
    )
  }
)
