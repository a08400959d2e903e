// Every page and form of the member area × who asks for it. Generated from the routes, so that no new page is missed.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { PageRoute } from "#adapters/web/Page.ts"
import { webRoutes } from "#adapters/web/WebPages.ts"
import { SESSION_IDLE_MS, SESSION_MAX_MS } from "#core/domain/members/Session.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, openReview, signIn, visit } from "./Visitors.ts"

/** Ids in paths that no account has. */
const pathOf = (path: string): string => path.replaceAll(/:\w+/g, "none")

/** All tests share one reviewer, because a password takes long to derive; each has its own session. */
const reviewer = Effect.runSync(Effect.cached(openReview))

const closed = webRoutes.filter(({ may }) => may !== "anyone")

const requestsOf = ({ method, path }: Pick<PageRoute, "method" | "path">) => {
  const ask = (token?: string) => visit({ method, path: pathOf(path), ...(token === undefined ? {} : { token }) })
  const refused = Effect.fnUntraced(function* (token?: string) {
    const { status, location, text } = yield* ask(token)
    if (method === "GET") assert.deepStrictEqual([status, location], [303, "/account/sign-in"])
    else assert.deepStrictEqual([status, text.includes("You are signed out")], [401, true])
  })
  return { ask, refused }
}

layer(RunningService.layer())("pages", (it) => {
  for (const { method, path, may } of closed) {
    const name = `${method} ${path}`
    const { ask, refused } = requestsOf({ method, path })

    it.effect(`${name}: no session`, () => refused())

    it.effect(`${name}: an unknown session`, () => refused("unknown"))

    it.effect(`${name}: a session that was ended`, () =>
      Effect.gen(function* () {
        const { owner } = yield* openAccount
        const sessions = yield* MemberSessions
        const signedIn = yield* sessions.authenticate(owner)
        yield* sessions.revoke(signedIn, signedIn.session.sessionId)
        yield* refused(owner)
      })
    )

    it.effect(`${name}: a viewer`, () =>
      Effect.gen(function* () {
        const { viewer, ownerEmail } = yield* openAccount
        const { status, text } = yield* ask(viewer)
        const isAllowed = may === "viewer" || may === "member"
        if (isAllowed) assert.notInclude([401, 403], status)
        else assert.deepStrictEqual([status, text.includes(`Ask <bdi>${ownerEmail}</bdi> to do it`)], [403, true])
      })
    )

    it.effect(`${name}: a reviewer`, () =>
      Effect.gen(function* () {
        const { email } = yield* reviewer
        const { status, text } = yield* ask(yield* signIn(email, "password"))
        const isAllowed = may === "reviewer" || may === "member" || (may === "viewer" && method === "GET")
        if (isAllowed) assert.notInclude([401, 403, 500], status)
        else assert.deepStrictEqual([status, text.includes("Only an owner")], [403, true])
      })
    )

    it.effect(`${name}: an owner`, () =>
      Effect.gen(function* () {
        const { owner } = yield* openAccount
        const { status, headers } = yield* ask(owner)
        assert.notInclude([401, 403, 500], status)
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
      })
    )

    if (method === "POST") {
      it.effect(`${name}: a form of another site`, () =>
        Effect.gen(function* () {
          const { owner } = yield* openAccount
          for (const headers of [
            { "sec-fetch-site": "cross-site" },
            { "sec-fetch-site": "same-site" },
            { "sec-fetch-site": "none" },
            { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1" }
          ] as const) {
            const { status, text } = yield* visit({ method, path: pathOf(path), token: owner, headers })
            assert.deepStrictEqual([status, text.includes("came from another site")], [403, true])
          }
        })
      )
    }
  }
})

layer(RunningService.layer())("pages as time passes", (it) => {
  for (const { method, path } of closed)
    it.effect(`${method} ${path}: a session that has expired`, () =>
      Effect.gen(function* () {
        const { owner } = yield* openAccount
        yield* (yield* MovableClock).advance(SESSION_IDLE_MS)
        yield* requestsOf({ method, path }).refused(owner)
      })
    )

  it.effect("keep what a form said whose session had ended, but no code, and it is done once it is sent again", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail } = yield* openAccount
      yield* (yield* MovableClock).advance(SESSION_IDLE_MS)
      const path = "/account/settings/name"
      const form = { name: "Willow & <Spade>", code: "123456" }
      const { status, text } = yield* visit({ method: "POST", path, token: owner, form })
      assert.deepStrictEqual([status, text.includes("You are signed out")], [401, true])
      assert.include(text, `action="${path}"><input type="hidden" name="name" value="Willow &amp; &lt;Spade&gt;">`)
      assert.include(text, "Send it again")
      assert.notInclude(text, "123456")
      const stranger = yield* visit({ method: "POST", path, form })
      assert.deepStrictEqual([stranger.status, stranger.text.includes("Send it again")], [401, false])
      const many = { ...form, ...Object.fromEntries(Array.from({ length: 200 }, (_, nth) => [`field${nth}`, ""])) }
      assert.notInclude((yield* visit({ method: "POST", path, token: owner, form: many })).text, "Send it again")
      const token = yield* signIn(ownerEmail)
      assert.strictEqual((yield* visit({ method: "POST", path, token, form: { name: form.name } })).status, 303)
      assert.include((yield* visit({ path: "/account/settings", token })).text, "Willow &amp; &lt;Spade&gt;")
      assert.notInclude((yield* visit({ method: "POST", path, token: owner })).text, "Send it again")
    })
  )

  it.effect("end with the session, after 30 days at the latest", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const token = yield* signIn(ownerEmail)
      const { advance } = yield* MovableClock
      assert.strictEqual((yield* visit({ path: "/account", token })).status, 200)
      yield* advance(SESSION_MAX_MS)
      assert.strictEqual((yield* visit({ path: "/account", token })).status, 303)
    })
  )
})
