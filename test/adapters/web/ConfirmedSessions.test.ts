// Every page and form of the member area × an account without a factor, a session by mail in one that has a factor, and a confirmed session.
// Generated from the routes: a new form asks for a confirmed session unless it says otherwise, and what asks for less is listed here.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { PageRoute } from "#adapters/web/Page.ts"
import { webRoutes } from "#adapters/web/WebPages.ts"
import { type Asks, asksToConfirm } from "#core/domain/members/Confirmation.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp } from "./AuthenticatorApps.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const IN_PLACE = "You signed in by mail alone"

const forms = webRoutes.filter(({ method }) => method === "POST")

const thatAsk = (asks: Asks): ReadonlyArray<string> =>
  forms.flatMap((form) => (form.asks === asks && form.may !== "anyone" ? [form.path] : [])).toSorted()

describe("what a form asks where the account has a second factor", () => {
  it("is nothing for what tightens, and for challenges and the browser's own sign-in", () => {
    expect(thatAsk("nothing")).toEqual([
      "/account/agents/:id/pause",
      "/account/approvals/:id/decline",
      "/account/confirm",
      "/account/connections/:id/revoke",
      "/account/consent/:id/refuse",
      "/account/keys/:id/revoke",
      "/account/keys/new/:shown/kept",
      "/account/quotes/:id/withdraw",
      "/account/settings/email/withdraw",
      "/account/settings/factors/link",
      "/account/settings/factors/passkey-options",
      "/account/settings/invitations/:id/withdraw",
      "/account/settings/members/:id/code/:shown/kept",
      "/account/settings/sessions/:id/end",
      "/account/settings/sessions/end-others",
      "/account/sign-out",
      "/account/stop",
      "/account/webhooks/:id/end",
      "/account/webhooks/:id/off",
      "/account/webhooks/:id/secret/:shown/kept"
    ])
  })

  it("is a fresh proof for limits that loosen, and for approvals, consents, keys, members, factors and resuming", () => {
    expect(thatAsk("loosening")).toEqual([
      "/account/connections/:id/limits",
      "/account/connections/:id/view",
      "/account/keys/:id/limits"
    ])
    expect(thatAsk("action")).toEqual([
      "/account/agents/:id/resume",
      "/account/approvals/:id/approve",
      "/account/consent/:id/allow",
      "/account/keys",
      "/account/keys/:id/replace",
      "/account/settings/close",
      "/account/settings/email",
      "/account/settings/factors/passkeys",
      "/account/settings/factors/passkeys/:id/remove",
      "/account/settings/factors/totp",
      "/account/settings/factors/totp/remove",
      "/account/settings/invitations",
      "/account/settings/members/:id/code",
      "/account/settings/members/:id/remove",
      "/account/settings/members/:id/role",
      "/account/stop/resume"
    ])
  })

  it("is nothing for pages, and for visitors without a session", () => {
    const looks = webRoutes.filter(({ method, may }) => method === "GET" || may === "anyone")
    expect(looks.filter(({ asks }) => asks !== "nothing")).toEqual([])
  })

  it("is asked of a session that is not confirmed alone", () => {
    for (const asks of ["nothing", "session", "action", "loosening"] as const) {
      expect(asksToConfirm(asks, { confirmedAtMs: null })).toBe(asks === "session")
      expect(asksToConfirm(asks, { confirmedAtMs: 0 })).toBe(false)
    }
  })
})

/** Ids in paths that no account has. */
const ask = ({ method, path }: PageRoute, token: string) =>
  visit({ method, path: path.replaceAll(/:\w+/g, "none"), token })

/** What the books hold but for sessions, which each request may touch. */
const kept = Effect.flatMap(RunningService.RunningService, ({ books }) =>
  Effect.map(books, ({ sessions: _, ...others }) => others)
)

layer(RunningService.layer())("sessions", (it) => {
  for (const route of webRoutes.filter(({ may }) => may !== "anyone")) {
    const name = `${route.method} ${route.path}`

    it.effect(`${name}: no factor`, () =>
      Effect.gen(function* () {
        const { owner } = yield* openAccount
        const { status } = yield* ask(route, owner)
        assert.notInclude([401, 403, 500], status)
      })
    )

    it.effect(`${name}: by mail alone`, () =>
      Effect.gen(function* () {
        const { owner, ownerEmail } = yield* openAccount
        yield* addApp(owner)
        for (const session of [Effect.succeed(owner), signIn(ownerEmail)]) {
          const token = yield* session
          const before = yield* kept
          const { status, text } = yield* ask(route, token)
          assert.notInclude([401, 500], status)
          assert.deepStrictEqual([route.asks, text.includes(IN_PLACE)], [route.asks, route.asks === "session"])
          if (route.asks === "session") {
            assert.strictEqual(status, 403)
            assert.deepStrictEqual(yield* kept, before)
          }
          if (route.asks === "nothing") assert.notStrictEqual(status, 403)
        }
      })
    )

    it.effect(`${name}: confirmed`, () =>
      Effect.gen(function* () {
        const { owner, ownerEmail } = yield* openAccount
        yield* addApp(owner)
        const { status, text } = yield* ask(route, yield* signIn(ownerEmail, "passkey"))
        assert.notInclude([401, 500], status)
        assert.notInclude(text, IN_PLACE)
        if (route.asks !== "action") assert.notStrictEqual(status, 403)
      })
    )
  }
})
