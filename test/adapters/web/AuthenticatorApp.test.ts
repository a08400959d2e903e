// The life of an authenticator app over plain forms: added, asked for by sign-in links and by actions, each code once, removed. Access to
// the mailbox alone does nothing that wants it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { type App, addApp, codeOf, madeUpProofs, newApp, nextCode, wrongCodeOf } from "./AuthenticatorApps.ts"
import { linkTo, openAccount, signIn, visit } from "./Visitors.ts"

const FACTORS = "/account/settings/factors"

const post = (path: string, token: string, form: Readonly<Record<string, string>> = {}) =>
  visit({ method: "POST", path, token, form })

const newKey = { label: "Assistant", mode: "live", may_read: "on", may_order: "on" }

const useLink = (token: string, code: string) =>
  visit({ method: "POST", path: "/account/sign-in/use", form: { token, code } })

/** An account whose owner has an app. */
const guarded = Effect.gen(function* () {
  const opened = yield* openAccount
  return { ...opened, app: yield* addApp(opened.owner) }
})

const keysOf = (token: string) => Effect.map(visit({ path: "/account/keys", token }), ({ text }) => text)

layer(RunningService.layer())("an authenticator app", (it) => {
  it.effect(
    "is added with its own code only, which counts for nothing else, and the page says what it is for before",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* openAccount
        assert.include(yield* keysOf(owner), "An assistant that reads your mail could")
        assert.include(yield* keysOf(owner), 'href="/help#second-factors">Why')
        const { app, sealed, page } = yield* newApp(owner)
        assert.include(page, `secret=${app.secret}`)
        assert.include(page, '<svg class="qr"')
        const wrong = yield* post(`${FACTORS}/totp`, owner, { sealed, new_code: yield* wrongCodeOf(app) })
        assert.deepStrictEqual([wrong.status, wrong.text.includes("This is not the code")], [422, true])
        assert.include(wrong.text, sealed)
        const code = yield* codeOf(app)
        assert.strictEqual(
          (yield* post(`${FACTORS}/totp`, owner, { sealed: `${sealed}x`, new_code: code })).status,
          422
        )
        assert.strictEqual((yield* post(`${FACTORS}/totp`, owner, { sealed, new_code: code })).status, 303)
        assert.strictEqual((yield* post("/account/keys", owner, { ...newKey, code })).status, 403)
        assert.strictEqual((yield* visit({ path: `${FACTORS}/totp`, token: owner })).status, 409)
      })
  )

  it.effect("confirms a key by its code in the form, which keeps what was typed when the code is wrong", () =>
    Effect.gen(function* () {
      const { owner, app } = yield* guarded
      const asked = yield* post("/account/keys", owner, newKey)
      assert.strictEqual(asked.status, 403)
      assert.include(asked.text, 'value="Assistant"')
      assert.include(asked.text, 'id="code-error"')
      const wrong = yield* post("/account/keys", owner, { ...newKey, code: yield* wrongCodeOf(app) })
      assert.deepStrictEqual([wrong.status, wrong.text.includes('value="Assistant"')], [403, true])
      const code = yield* nextCode(app)
      const made = yield* post("/account/keys", owner, { ...newKey, code: ` ${code.slice(0, 3)} ${code.slice(3)}` })
      assert.strictEqual(made.status, 303)
      assert.strictEqual((yield* post("/account/keys", owner, { ...newKey, code })).status, 403)
    })
  )

  it.effect("a code counts once under 20 parallel posts", () =>
    Effect.gen(function* () {
      const { owner, app } = yield* guarded
      const code = yield* nextCode(app)
      const answers = yield* Effect.all(
        times(20, () => post("/account/keys", owner, { ...newKey, code })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, ...times(19, () => 403)])
      assert.strictEqual((yield* keysOf(owner)).split("read and order").length - 1, 1)
    })
  )

  it.effect("is asked for by a sign-in link, five codes at most, whatever is wrong with them", () =>
    Effect.gen(function* () {
      const { ownerEmail, app } = yield* guarded
      const link = yield* linkTo(ownerEmail)
      assert.include((yield* visit({ path: `/account/sign-in?token=${link}` })).text, 'name="code"')
      const spent = yield* codeOf(app)
      const wrong = yield* wrongCodeOf(app)
      assert.strictEqual((yield* useLink(link, "")).status, 422)
      const refusals = [yield* useLink(link, spent), yield* useLink(link, wrong), yield* useLink(link, "nonsense")]
      const alike = refusals.map(
        ({ status, text }, nth) => `${status} ${text.replaceAll(`You have ${4 - nth} t`, "You have N t")}`
      )
      assert.strictEqual(new Set(alike.map((text) => text.replaceAll("tries", "try"))).size, 1)
      assert.deepStrictEqual(refusals[0]?.cookies, [])
      const right = yield* useLink(link, yield* nextCode(app))
      assert.deepStrictEqual([right.status, right.location], [303, "/account"])

      const other = yield* linkTo(ownerEmail)
      const guesses = yield* Effect.all(
        times(20, () => useLink(other, wrong)),
        { concurrency: "unbounded" }
      )
      assert.isTrue(guesses.every(({ cookies }) => cookies.length === 0))
      assert.strictEqual((yield* useLink(other, yield* nextCode(app))).status, 410)
    })
  )

  it.effect("looks at ten codes of a member an hour, over all links and pages, until one is right", () =>
    Effect.gen(function* () {
      const { owner, app } = yield* guarded
      const wrong = yield* wrongCodeOf(app)
      for (const _ of times(10, () => null)) yield* post("/account/keys", owner, { ...newKey, code: wrong })
      assert.strictEqual((yield* post("/account/keys", owner, { ...newKey, code: yield* nextCode(app) })).status, 403)
      yield* (yield* MovableClock).advance("1 hour")
      assert.strictEqual((yield* post("/account/keys", owner, { ...newKey, code: yield* codeOf(app) })).status, 303)
    })
  )

  it.effect("is removed with its own code, and asked for no more", () =>
    Effect.gen(function* () {
      const { owner, app, ownerEmail } = yield* guarded
      assert.strictEqual((yield* post(`${FACTORS}/totp/remove`, owner)).status, 403)
      const removed = yield* post(`${FACTORS}/totp/remove`, owner, { code: yield* nextCode(app) })
      assert.deepStrictEqual([removed.status, removed.location], [303, FACTORS])
      assert.strictEqual((yield* post("/account/keys", owner, newKey)).status, 303)
      assert.strictEqual((yield* useLink(yield* linkTo(ownerEmail), "")).status, 303)
    })
  )
})

/** What an attacker with the owner's mailbox posts, each with every proof that it has. */
const attempts = (viewerId: string, app: App) =>
  Effect.gen(function* () {
    const proofs = yield* madeUpProofs(app)
    const actions: ReadonlyArray<readonly [path: string, form: Readonly<Record<string, string>>]> = [
      ["/account/keys", newKey],
      ["/account/settings/invitations", { email: "eve@example.com", role: "owner" }],
      [`/account/settings/members/${viewerId}/role`, { role: "owner" }],
      [`/account/settings/members/${viewerId}/remove`, {}],
      ["/account/stop/resume", {}],
      [`${FACTORS}/totp/remove`, {}]
    ]
    return actions.flatMap(([path, form]) => proofs.map((proof) => [path, { ...form, ...proof }] as const))
  })

layer(RunningService.layer())("an attacker with the mailbox and a session by a mail link", (it) => {
  it.effect("makes no key, and changes neither members nor factors", () =>
    Effect.gen(function* () {
      const { ownerEmail, viewerEmail, viewerMember, app, account } = yield* guarded
      // Stands for a use of the link before the app was added: the session itself is active.
      const attacker = yield* signIn(ownerEmail)
      const { books } = yield* RunningService.RunningService
      const before = yield* books
      for (const [path, form] of yield* attempts(viewerMember.memberId, app)) {
        const { status } = yield* post(path, attacker, form)
        assert.deepStrictEqual([path, status], [path, 403])
      }
      // The factor that would make all of it possible.
      const { sealed, app: own } = yield* newApp(attacker)
      assert.strictEqual(sealed, "")
      assert.strictEqual(own.secret, "")
      const added = yield* post(`${FACTORS}/passkeys`, attacker, { name: "Mine", registration: "{}" })
      assert.strictEqual(added.status, 422)
      const after = yield* books
      assert.deepStrictEqual(after.members, before.members)
      assert.deepStrictEqual(after.keys, before.keys)
      const settings = yield* visit({ path: "/account/settings", token: attacker })
      assert.include(settings.text, viewerEmail)
      assert.include(settings.text, "You have an authenticator app.")
      // Stopping is tightening, and wants nothing.
      assert.strictEqual((yield* post("/account/stop", attacker)).status, 303)
      assert.isString(account.accountId)
    })
  )

  it.effect("of another owner who has no factor cannot add the first one", () =>
    Effect.gen(function* () {
      const { owner, app, account } = yield* guarded
      const email = `second-${app.secret.toLowerCase()}@example.com`
      const form = { email, role: "owner", code: yield* nextCode(app) }
      assert.strictEqual((yield* post("/account/settings/invitations", owner, form)).status, 303)
      yield* joinAs({ accountId: account.accountId, email, role: "owner" })
      const attacker = yield* signIn(email)
      assert.include(yield* keysOf(attacker), "you have none yet")
      const { app: own, sealed } = yield* newApp(attacker)
      const added = yield* post(`${FACTORS}/totp`, attacker, { sealed, new_code: yield* codeOf(own) })
      assert.strictEqual(added.status, 403)
      assert.strictEqual((yield* post("/account/keys", attacker, newKey)).status, 403)
      // The first owner's code is no one else's.
      const stolen = yield* nextCode(app)
      assert.strictEqual((yield* post("/account/keys", attacker, { ...newKey, code: stolen })).status, 403)
    })
  )

  it.effect("adds no factor once the sign-in is ten minutes old", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const { app, sealed } = yield* newApp(owner)
      yield* (yield* MovableClock).advance("10 minutes")
      const late = yield* post(`${FACTORS}/totp`, owner, { sealed, new_code: yield* codeOf(app) })
      assert.deepStrictEqual([late.status, late.location], [303, FACTORS])
      const { text } = yield* visit({ path: FACTORS, token: owner })
      assert.deepStrictEqual([text.includes("Send me a link"), text.includes("Remove")], [true, false])
    })
  )
})
