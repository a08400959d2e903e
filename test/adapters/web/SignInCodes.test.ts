// Signing in by the code of a mail: once, in the browser that asked, instead of the link; guesses tell nothing and lead nowhere.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { SignInCodes } from "#core/usecases/members/SignInCodes.ts"
import { times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, nextCode } from "./AuthenticatorApps.ts"
import { invited, sessionIn, signInMailOf } from "./Invited.ts"
import { openAccount, visit } from "./Visitors.ts"

/** Types a code in the browser that keeps this. */
const type = (kept: string, code: string, more = "") =>
  visit({ method: "POST", path: "/account/sign-in/code", form: { code }, headers: { cookie: `asked=${kept}${more}` } })

const press = (token: string) => visit({ method: "POST", path: "/account/sign-in/use", form: { token } })

/** Another code, `by` away. */
const wrong = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, "0")

/** Five codes in a browser, all of them wrong. */
const guess = (kept: string, code: string) =>
  Effect.forEach(
    times(5, (nth) => nth),
    (nth) => type(kept, wrong(code, nth + 1))
  )

const statusesOf = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status)

const devicesIn = ({ cookies }: { readonly cookies: ReadonlyArray<string> }): string =>
  cookies.flatMap((cookie) => /^devices=([^;]+);/.exec(cookie)?.[1] ?? [])[0] ?? ""

layer(RunningService.layer())("the code of a sign-in mail", (it) => {
  it.effect("signs in where it was asked for, once, as the link would", () =>
    Effect.gen(function* () {
      const { ownerEmail, account } = yield* openAccount
      const { kept, code, token } = yield* signInMailOf(ownerEmail)
      const shown = yield* visit({ path: "/account/sign-in/sent", headers: { cookie: `asked=${kept}` } })
      assert.include(shown.text, `<strong>${ownerEmail}</strong>`)
      assert.match(shown.text, /<input id="code"[^>]* autocomplete="one-time-code" inputmode="numeric"/)
      const answer = yield* type(kept, ` ${code.slice(0, 3)}\u00A0${code.slice(3)} `)
      assert.deepStrictEqual([answer.status, answer.location], [303, "/account"])
      const { authenticate } = yield* MemberSessions
      const { session, member } = yield* authenticate(sessionIn(answer) ?? "")
      assert.deepStrictEqual([session.method, session.confirmedAtMs], ["link", null])
      assert.deepStrictEqual([member.email, member.accountId], [ownerEmail, account.accountId])
      const again = yield* type(kept, code)
      assert.deepStrictEqual([again.status, sessionIn(again)], [422, undefined])
      const late = yield* press(token)
      assert.deepStrictEqual([late.status, sessionIn(late)], [410, undefined])
    })
  )

  it.effect("leaves no address in the browser once a person signs in or out there, in whichever way", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { kept, code } = yield* signInMailOf(ownerEmail)
      const { token } = yield* signInMailOf(ownerEmail)
      const ends = ({ cookies }: { readonly cookies: ReadonlyArray<string> }) =>
        cookies.some((one) => /^asked=; Max-Age=0; Path=\//.test(one))
      const wronglyTyped = yield* type(kept, wrong(code))
      const [byCode, byLink] = [yield* type(kept, code), yield* press(token)]
      const session = sessionIn(byLink) ?? ""
      const out = yield* visit({ method: "POST", path: "/account/sign-out", token: session })
      assert.deepStrictEqual(statusesOf([wronglyTyped, byCode, byLink, out]), [422, 303, 303, 303])
      assert.deepStrictEqual([wronglyTyped, byCode, byLink, out].map(ends), [false, true, true, true])
    })
  )

  it.effect("signs in once under 20 concurrent codes and presses of the link", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { kept, code, token } = yield* signInMailOf(ownerEmail)
      const all = times(10, () => [type(kept, code), press(token)]).flat()
      const answers = yield* Effect.all(all, { concurrency: "unbounded" })
      assert.strictEqual(answers.filter((one) => sessionIn(one) !== undefined).length, 1)
      assert.isTrue(answers.every(({ status }) => [303, 410, 422].includes(status)))
    })
  )

  it.effect("is worth nothing in another browser, and ends with its link", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { kept, code, token } = yield* signInMailOf(ownerEmail)
      const other = yield* signInMailOf(ownerEmail)
      const flipped = kept.endsWith("A") ? `${kept.slice(0, -1)}B` : `${kept.slice(0, -1)}A`
      const answers = yield* Effect.forEach(["", "x", flipped, "x".repeat(3_000)], (text) => type(text, code))
      assert.deepStrictEqual(statusesOf(answers), [410, 410, 410, 410])
      const elsewhere = yield* type(other.kept, code)
      assert.deepStrictEqual([elsewhere.status, sessionIn(elsewhere)], [422, undefined])
      const withoutCookie = yield* visit({ path: "/account/sign-in/sent" })
      assert.notInclude(withoutCookie.text, "<form")
      assert.strictEqual((yield* press(token)).status, 303)
      assert.strictEqual((yield* type(kept, code)).status, 422)
    })
  )

  it.effect("ends with its link at the fifth wrong one; what has not six digits is not counted", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { kept, code, token } = yield* signInMailOf(ownerEmail)
      const typos = yield* Effect.forEach(["12345", "", "abcdef", `${code}0`], (text) => type(kept, text))
      assert.deepStrictEqual(statusesOf(typos), [422, 422, 422, 422])
      assert.include(typos[0]?.text ?? "", "Enter the six digits")
      assert.notInclude(typos[0]?.text ?? "", "12345")
      const guesses = yield* guess(kept, code)
      assert.deepStrictEqual(statusesOf(guesses), [422, 422, 422, 422, 410])
      for (const [nth, left] of ["4 tries", "3 tries", "2 tries", "1 try"].entries())
        assert.include(guesses[nth]?.text, `You have ${left} left; then ask for a new mail.`)
      assert.include(guesses[4]?.text, "This code no longer works")
      assert.strictEqual((yield* type(kept, code)).status, 410)
      for (const ended of [yield* press(token), yield* visit({ path: `/account/sign-in?token=${token}` })]) {
        assert.strictEqual(ended.status, 410)
        assert.match(ended.text, /This link no longer works.*href="\/account\/sign-in">Ask for another mail/s)
      }
      const again = yield* signInMailOf(ownerEmail)
      assert.strictEqual((yield* type(again.kept, again.code)).status, 303)
    })
  )

  it.effect("ends after 15 minutes", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { kept, code } = yield* signInMailOf(ownerEmail)
      yield* (yield* MovableClock).advance("15 minutes")
      assert.strictEqual((yield* type(kept, code)).status, 410)
      const { text } = yield* visit({ path: "/account/sign-in/sent", headers: { cookie: `asked=${kept}` } })
      assert.notInclude(text, "<form")
    })
  )

  it.effect("is answered alike for an unknown address, also when no more are taken", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const number = yield* (yield* UniqueNumbers).next
      const unknown = `nobody-${number}@example.com`
      const told = Effect.fnUntraced(function* (email: string, kept: string, code: string) {
        const answers = [...(yield* guess(kept, code)), yield* type(kept, code)]
        return answers.map(({ status, text, cookies }) => ({
          status,
          cookies,
          text: text.replaceAll(email, "ADDRESS")
        }))
      })
      const mail = yield* signInMailOf(ownerEmail)
      const known = yield* told(ownerEmail, mail.kept, mail.code)
      const { kept } = yield* (yield* SignInCodes).ask(unknown)
      assert.deepStrictEqual(known, yield* told(unknown, kept, mail.code))
      assert.deepStrictEqual(statusesOf(known), [422, 422, 422, 422, 410, 410])
    })
  )
})

layer(RunningService.layer())("codes in general", (it) => {
  it.effect("ten a day are looked at for an address from strangers; links and the member's own devices go on", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const { advance } = yield* MovableClock
      const own = yield* signInMailOf(ownerEmail)
      const devices = devicesIn(yield* type(own.kept, own.code))
      assert.notStrictEqual(devices, "")
      const guessed = Effect.gen(function* () {
        yield* advance("61 minutes")
        const { kept, code } = yield* signInMailOf(ownerEmail)
        return statusesOf(yield* guess(kept, code))
      })
      assert.deepStrictEqual(yield* guessed, [422, 422, 422, 422, 410])
      // The one that signed in was the tenth but four.
      assert.deepStrictEqual(yield* guessed, [422, 422, 422, 422, 410])
      yield* advance("61 minutes")
      const mail = yield* signInMailOf(ownerEmail)
      assert.strictEqual((yield* type(mail.kept, mail.code)).status, 410)
      assert.strictEqual((yield* press(mail.token)).status, 303)
      const known = yield* signInMailOf(ownerEmail)
      assert.strictEqual((yield* type(known.kept, known.code, `; devices=${devices}`)).status, 303)
      yield* advance("24 hours")
      const next = yield* signInMailOf(ownerEmail)
      assert.strictEqual((yield* type(next.kept, next.code)).status, 303)
    })
  )

  it.effect("lead to the code of the app, which is asked for as beside the link, and confirms the session", () =>
    Effect.gen(function* () {
      const { ownerEmail, owner } = yield* openAccount
      const app = yield* addApp(owner)
      yield* (yield* MovableClock).advance("61 minutes")
      const { kept, code, token } = yield* signInMailOf(ownerEmail)
      const { status, location, cookies } = yield* type(kept, code)
      assert.deepStrictEqual([status, cookies.filter((one) => one.startsWith("session="))], [303, []])
      const { text } = yield* visit({ path: location ?? "" })
      assert.include(text, "Code of your authenticator app")
      assert.strictEqual((yield* press(token)).status, 410)
      const fresh = new URL(location ?? "", "http://shop.example").searchParams.get("token") ?? ""
      const form = { token: fresh, code: yield* nextCode(app) }
      const answer = yield* visit({ method: "POST", path: "/account/sign-in/use", form })
      const { session } = yield* (yield* MemberSessions).authenticate(sessionIn(answer) ?? "")
      assert.deepStrictEqual([session.method, session.confirmedAtMs === null], ["link", false])
    })
  )

  it.effect("lead a new address to the page that opens an account, and an invited one to the invitation", () =>
    Effect.gen(function* () {
      const number = yield* (yield* UniqueNumbers).next
      const mail = yield* signInMailOf(`new-${number}@example.com`)
      const { location } = yield* type(mail.kept, mail.code)
      assert.include((yield* visit({ path: location ?? "" })).text, "You open a new account for")
      const { email } = yield* invited(yield* openAccount)
      const other = yield* signInMailOf(email)
      const asked = yield* type(other.kept, other.code)
      assert.include((yield* visit({ path: asked.location ?? "" })).text, "Accept the invitation")
    })
  )
})
