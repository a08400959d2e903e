// One-time codes of operators and owners: they stand in for a lost factor beside a sign-in link and in the settings, once, for a day, and
// confirm nothing else.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { RESET_CODE_MS } from "#core/domain/members/Factor.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, codeOf, newApp, nextCode } from "./AuthenticatorApps.ts"
import { linkTo, openAccount, signIn, visit } from "./Visitors.ts"

const FACTORS = "/account/settings/factors"

const newKey = { label: "Assistant", mode: "live", may_read: "on", may_order: "on" }

const post = (path: string, token: string, form: Readonly<Record<string, string>> = {}) =>
  visit({ method: "POST", path, token, form })

const statusOf = (path: string, token: string, form: Readonly<Record<string, string>> = {}) =>
  Effect.map(post(path, token, form), ({ status }) => status)

const codeFor = (email: string) =>
  Effect.flatMap(ResetCodes, ({ issueFor }) => Effect.map(issueFor(email, { operator: "op" }), ({ code }) => code))

const useLink = Effect.fnUntraced(function* (email: string, code: string) {
  return yield* visit({ method: "POST", path: "/account/sign-in/use", form: { token: yield* linkTo(email), code } })
})

const guarded = Effect.gen(function* () {
  const opened = yield* openAccount
  return { ...opened, app: yield* addApp(opened.owner) }
})

layer(RunningService.layer())("a one-time code", (it) => {
  it.effect("beside a sign-in link signs in without the lost app, once, and removes it", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail } = yield* guarded
      const code = yield* codeFor(ownerEmail)
      assert.match(code, /^[0-9A-F]{4}(-[0-9A-F]{4}){4}$/)
      assert.strictEqual((yield* useLink(ownerEmail, `${code.slice(0, -1)}Z`)).status, 422)
      const uses = yield* Effect.all(
        times(20, () => useLink(ownerEmail, code.toLowerCase().replaceAll("-", " "))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(uses.filter(({ cookies }) => cookies.some((one) => one.startsWith("session="))).length, 1)
      assert.include(
        (yield* visit({ path: "/account/settings", token: owner })).text,
        "Your mailbox alone opens this account"
      )
      assert.strictEqual(yield* statusOf("/account/keys", owner, newKey), 303)
    })
  )

  it.effect("removes the last factor in the settings, and confirms nothing else", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail } = yield* guarded
      const code = yield* codeFor(ownerEmail)
      assert.strictEqual(yield* statusOf("/account/keys", owner, { ...newKey, code }), 403)
      const answers = yield* Effect.all(
        times(20, () => statusOf(`${FACTORS}/totp/remove`, owner, { code })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter((status) => status === 303).length, 1)
      const again = yield* addApp(owner)
      assert.strictEqual(yield* statusOf(`${FACTORS}/totp/remove`, owner, { code }), 403)
      assert.strictEqual(yield* statusOf(`${FACTORS}/totp/remove`, owner, { code: yield* nextCode(again) }), 303)
    })
  )

  it.effect("ends with the next one, after a day, and is of one member", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail, viewerEmail } = yield* guarded
      const [first, second] = [yield* codeFor(ownerEmail), yield* codeFor(ownerEmail)]
      assert.strictEqual(yield* statusOf(`${FACTORS}/totp/remove`, owner, { code: first }), 403)
      const others = yield* codeFor(viewerEmail)
      assert.strictEqual(yield* statusOf(`${FACTORS}/totp/remove`, owner, { code: others }), 403)
      yield* (yield* MovableClock).advance(RESET_CODE_MS)
      const session = yield* signIn(ownerEmail)
      assert.strictEqual(yield* statusOf(`${FACTORS}/totp/remove`, session, { code: second }), 403)
    })
  )

  it.effect(
    "of an owner who confirms it lets another owner add the first factor, and not with a wrong code of the new app",
    () =>
      Effect.gen(function* () {
        const { owner, app, account } = yield* guarded
        const email = `bo-${app.secret.toLowerCase()}@example.com`
        const newMember = { accountId: account.accountId, email, role: "owner" } as const
        const { memberId } = yield* joinAs(newMember)
        const path = `/account/settings/members/${memberId}/code`
        const asked = yield* post(path, owner)
        assert.deepStrictEqual([asked.status, asked.text.includes("Confirm that it is you")], [403, true])
        const { status, location } = yield* post(path, owner, { code: yield* nextCode(app) })
        assert.strictEqual(status, 303)
        const { text } = yield* visit({ path: location ?? "", token: owner })
        const code = /<code>([0-9A-F-]{24})<\/code>/.exec(text)?.[1] ?? ""
        const bo = yield* signIn(email)
        const { app: own, sealed } = yield* newApp(bo)
        const add = (new_code: string) => statusOf(`${FACTORS}/totp`, bo, { sealed, new_code, code })
        assert.strictEqual(yield* add("nonsense"), 422)
        assert.strictEqual(yield* add(yield* codeOf(own)), 303)
        assert.strictEqual(yield* statusOf("/account/keys", bo, { ...newKey, code: yield* nextCode(own) }), 303)
        // Not to oneself: it would replace the factor that confirms it.
        assert.strictEqual(yield* statusOf(path, bo, { code: yield* nextCode(own) }), 404)
      })
  )
})
