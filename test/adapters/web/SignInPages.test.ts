// Signing in: a link works once and only by its own button, tells nothing about addresses, and cannot be turned against anybody.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { linkTo, openAccount, visit, withoutAsked } from "./Visitors.ts"

const use = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  visit({ method: "POST", path: "/account/sign-in/use", form: { token }, headers })

const sessionIn = (cookies: ReadonlyArray<string>): string | undefined =>
  cookies.flatMap((cookie) => /^session=([\w-]+);/.exec(cookie)?.[1] ?? [])[0]

layer(RunningService.layer())("signing in", (it) => {
  it.effect("shows a button that names the account, and opening the link changes nothing and sets no cookie", () =>
    Effect.gen(function* () {
      const { ownerEmail, account } = yield* openAccount
      const token = yield* linkTo(ownerEmail)
      for (const _ of times(3, () => null)) {
        const shown = yield* visit({ path: `/account/sign-in?token=${token}` })
        assert.deepStrictEqual([shown.status, shown.cookies], [200, []])
        assert.include(shown.text, account.name)
        assert.include(shown.text, ownerEmail)
      }
      const { status, location, cookies } = yield* use(token)
      assert.deepStrictEqual([status, location], [303, "/account"])
      const cookie = cookies.find((one) => one.startsWith("session=")) ?? ""
      for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/"]) assert.include(cookie, attribute)
      assert.match(sessionIn(cookies) ?? "", /^[\w-]{43}$/)
    })
  )

  it.effect("works once under 20 parallel posts", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const token = yield* linkTo(ownerEmail)
      const answers = yield* Effect.all(
        times(20, () => use(token)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 303).length, 1)
      assert.strictEqual(answers.filter(({ cookies }) => sessionIn(cookies) !== undefined).length, 1)
      assert.isTrue(answers.every(({ status }) => [303, 404, 409, 410, 422, 400, 401, 403].includes(status)))
    })
  )

  it.effect("is not done by a form of another site, which does not spend the link", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const token = yield* linkTo(ownerEmail)
      const forged = yield* use(token, { "sec-fetch-site": "cross-site" })
      assert.deepStrictEqual([forged.status, forged.cookies], [403, []])
      assert.strictEqual((yield* use(token)).status, 303)
    })
  )

  it.effect("never keeps a session that the browser brought along", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const other = yield* openAccount
      const planted = other.viewer
      const signedIn = yield* use(yield* linkTo(ownerEmail), { cookie: `session=${planted}` })
      const session = sessionIn(signedIn.cookies)
      assert.notStrictEqual(session, planted)
      const { text } = yield* visit({ path: "/account/settings", token: session ?? "" })
      assert.include(text, ownerEmail)
      assert.notInclude(text, other.viewerEmail)
    })
  )

  it.effect("ends the session that the browser had, of the same member or another, and no other one", () =>
    Effect.gen(function* () {
      const { ownerEmail, owner, viewer } = yield* openAccount
      const isSignedIn = (token: string) =>
        Effect.map(visit({ path: "/account", token }), ({ status }) => status === 200)
      const again = yield* use(yield* linkTo(ownerEmail), { cookie: `session=${owner}` })
      const present = sessionIn(again.cookies) ?? ""
      assert.deepStrictEqual(yield* Effect.forEach([owner, viewer, present], isSignedIn), [false, true, true])
      const other = yield* openAccount
      const next = sessionIn((yield* use(yield* linkTo(other.ownerEmail), { cookie: `session=${present}` })).cookies)
      assert.deepStrictEqual(yield* Effect.forEach([present, other.owner, next ?? ""], isSignedIn), [false, true, true])
    })
  )

  it.effect("leads to the overview, whatever address a request asks for", () =>
    Effect.gen(function* () {
      const { ownerEmail, owner } = yield* openAccount
      const token = yield* linkTo(ownerEmail)
      const names = ["next", "return", "redirect", "to", "url"]
      const query = names.map((name) => `${name}=https://elsewhere.example/`).join("&")
      const form = Object.fromEntries(names.map((name) => [name, "//elsewhere.example"]))
      const path = `/account/sign-in/use?${query}`
      const { location } = yield* visit({ method: "POST", path, form: { ...form, token } })
      assert.strictEqual(location, "/account")
      const again = yield* visit({ path: `/account/sign-in?${query}`, token: owner })
      assert.strictEqual(again.location, "/account")
      const asked = yield* visit({ path: "/account/orders?next=//elsewhere.example" })
      assert.strictEqual(asked.location, "/account/sign-in")
    })
  )

  it.effect("answers a known and an unknown address alike, and keeps what was typed wrongly", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const number = yield* (yield* UniqueNumbers).next
      const ask = (email: string) => visit({ method: "POST", path: "/account/sign-in", form: { email } })
      const known = yield* ask(ownerEmail)
      const unknown = yield* ask(`nobody-${number}@example.com`)
      const told = ({ status, location, text, cookies }: typeof known) => ({
        ...{ status, location, text },
        cookies: cookies.map(withoutAsked)
      })
      assert.deepStrictEqual(told(known), told(unknown))
      assert.strictEqual(known.location, "/account/sign-in/sent")
      const wrong = yield* ask('not<an>"address')
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, 'value="not&lt;an&gt;&quot;address"')
      assert.include(wrong.text, "is not an e-mail address.</a></strong> Enter one such as name@example.com.")
    })
  )

  it.effect("ends for this browser with a sign-out", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const out = yield* visit({ method: "POST", path: "/account/sign-out", token: owner })
      assert.deepStrictEqual([out.status, out.location], [303, "/account/sign-in"])
      assert.isTrue(out.cookies.some((cookie) => /^session=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i.test(cookie)))
      assert.strictEqual((yield* visit({ path: "/account", token: owner })).status, 303)
    })
  )
})

layer(RunningService.layer({ MEMBERS: "off" }))("without members", (it) => {
  it.effect("the area is not there", () =>
    Effect.gen(function* () {
      for (const path of ["/account", "/account/sign-in", "/account/keys"]) {
        assert.strictEqual((yield* visit({ path })).status, 404)
      }
    })
  )
})

layer(RunningService.layer({ PUBLIC_URL: "https://links.example" }))("over https", (it) => {
  it.effect("the cookie is bound to this host and to https, and forms without Sec-Fetch-Site need the own origin", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { cookies } = yield* use(yield* linkTo(ownerEmail))
      const cookie = cookies.find((one) => one.startsWith("__Host-session=")) ?? ""
      for (const attribute of ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"]) assert.include(cookie, attribute)
      assert.notInclude(cookie, "Domain")
    })
  )
})
