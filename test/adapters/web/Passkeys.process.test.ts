// Passkeys in a real browser with a simulated authenticator: added, used to sign in and to confirm, removed; and what is refused.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { CHALLENGE_MS } from "#core/domain/members/Factor.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser, isLeftOut } from "./Browser.ts"
import {
  addPasskey,
  anotherOrigin,
  answer,
  answerAt,
  askFor,
  confirmation,
  newPasskey,
  openWithAuthenticator,
  type PasskeyBrowser,
  sessionOf,
  signInOptions
} from "./PasskeyBrowser.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const KEYS = "/account/keys"
const FACTORS = "/account/settings/factors"

const newKey = { label: "Assistant", mode: "live", may_read: "on", may_order: "on" }

const post = (path: string, token: string, form: Readonly<Record<string, string>>) =>
  visit({ method: "POST", path, token, form })

const statusOf = (path: string, token: string, form: Readonly<Record<string, string>>) =>
  Effect.map(post(path, token, form), ({ status }) => status)

const inBrowser = <A>(act: () => Promise<A>) => Effect.promise(act)

/** An owner with a passkey, in a browser on a page with its scripts. */
const ownerWithPasskey = Effect.gen(function* () {
  const opened = yield* browser
  const account = yield* openAccount
  const at = yield* openWithAuthenticator(opened, account.ownerEmail)
  yield* inBrowser(() => addPasskey(at, "Laptop"))
  const token = yield* inBrowser(() => sessionOf(at))
  return { ...account, at, token }
})

const signInByPasskey = (assertion: string, headers: Readonly<Record<string, string>> = {}) =>
  visit({ method: "POST", path: "/account/sign-in/passkey", form: { assertion }, headers })

const live = async ({ page, home }: PasskeyBrowser, email: string, viewer: string) => {
  expect(await page.getByRole("row", { name: /Laptop/ }).textContent()).toContain("never")
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.waitForURL(new URL("/account", home).href)
  expect(await page.getByRole("status").textContent()).toContain(`as ${email}`)

  await page.goto(new URL(KEYS, home).href)
  await page.getByLabel("Name of the key").fill("Assistant")
  await page.getByLabel("Limits of my own").check()
  await page.getByLabel("Links may only point").fill("shop.example\nbrand.example")
  await page.getByRole("button", { name: "Create the key" }).click()
  expect(await page.getByLabel("The key", { exact: true }).textContent()).toMatch(/^sn_live_/)

  await page.goto(new URL("/account/settings", home).href)
  await page.getByText("Invite a person").click()
  await page.getByRole("textbox", { name: "E-mail address" }).fill(`colleague-of-${email}`)
  await page.getByRole("button", { name: "Send the invitation" }).click()
  await page.getByRole("status").filter({ hasText: "is invited" }).waitFor()
  // A button without room for a confirmation asks on a separate page.
  await page.getByRole("button", { name: `Make owner: ${viewer}` }).click()
  await page.getByRole("button", { name: `Make ${viewer} owner` }).click()
  await page.getByRole("status").filter({ hasText: "is owner now" }).waitFor()

  await page.goto(new URL(FACTORS, home).href)
  await page.getByLabel("Name of the passkey").fill("The same again")
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.locator("[data-passkey-problem]:visible").first().waitFor()
  await page.getByRole("link", { name: "Remove Laptop" }).click()
  await page.getByRole("button", { name: "Remove it" }).click()
  await page.getByRole("status").filter({ hasText: "Laptop was removed" }).waitFor()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.getByText("passkey was not accepted").waitFor()
}

const service = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  test.pipe(Effect.scoped, Effect.provide(RunningService.layer()))

it.live.skipIf(isLeftOut)("a passkey is added, signs in, confirms a key and members, and is removed with itself", () =>
  service(
    Effect.gen(function* () {
      const { at, ownerEmail, viewerEmail } = yield* ownerWithPasskey
      yield* inBrowser(() => live(at, ownerEmail, viewerEmail))
    })
  )
)

it.live.skipIf(isLeftOut)(
  "a confirmation counts once under 20 parallel posts, for this form, this session and five minutes",
  () =>
    service(
      Effect.gen(function* () {
        const { at, token, ownerEmail } = yield* ownerWithPasskey
        const confirmed = () => inBrowser(() => confirmation(at, KEYS, newKey))
        const assertion = yield* confirmed()
        const answers = yield* Effect.all(
          times(20, () => statusOf(KEYS, token, { ...newKey, assertion })),
          { concurrency: "unbounded" }
        )
        expect(answers.toSorted()).toEqual([303, ...times(19, () => 403)])
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion })).toBe(403)
        const other = yield* signIn(ownerEmail)
        const foreign: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>]> = [
          ["more scopes than were confirmed", token, { ...newKey, may_order: "" }],
          ["another name", token, { ...newKey, label: "Another" }],
          ["another session", other, newKey]
        ]
        for (const [what, session, form] of foreign) {
          const spent = yield* confirmed()
          expect([what, yield* statusOf(KEYS, session, { ...form, assertion: spent })]).toEqual([what, 403])
        }
        const elsewhere = yield* inBrowser(() => confirmation(at, "/account/settings/members", newKey))
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: elsewhere })).toBe(403)
        const late = yield* confirmed()
        yield* (yield* MovableClock).advance(CHALLENGE_MS)
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: late })).toBe(403)
        const made = yield* confirmed()
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: made })).toBe(303)
      })
    )
)

it.live.skipIf(isLeftOut)(
  "challenges for signing in, adding and confirming count for nothing else, and a sign-in once",
  () =>
    service(
      Effect.gen(function* () {
        const { at, token, viewer } = yield* ownerWithPasskey
        const signedIn = yield* inBrowser(async () => answer(at, await signInOptions(at)))
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: signedIn })).toBe(403)
        const forKey = yield* inBrowser(() => confirmation(at, KEYS, newKey))
        expect((yield* signInByPasskey(forKey)).cookies).toEqual([])
        const toAdd = { options: `${FACTORS}/passkey-options`, content: {} }
        const adding = yield* inBrowser(async () =>
          answer(at, { ...(await askFor(at, toAdd)), allowCredentials: [], extensions: {} })
        )
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: adding })).toBe(403)

        const once = yield* inBrowser(async () => answer(at, await signInOptions(at)))
        const planted = { cookie: `session=${viewer}` }
        const uses = yield* Effect.all(
          times(20, () => signInByPasskey(once, planted)),
          { concurrency: "unbounded" }
        )
        const sessions = uses.flatMap(({ cookies }) => cookies.filter((cookie) => cookie.startsWith("session=")))
        expect(sessions).toHaveLength(1)
        // A session that the browser brought along is never kept.
        expect(sessions[0]).not.toContain(viewer)
      })
    )
)

it.live.skipIf(isLeftOut)(
  "a passkey of another account, another origin, without the person, or copied is refused",
  () =>
    service(
      Effect.gen(function* () {
        const { at, token } = yield* ownerWithPasskey
        const { devtools, authenticatorId } = at
        const other = yield* ownerWithPasskey
        const { credentials } = yield* inBrowser(() =>
          other.at.devtools.send("WebAuthn.getCredentials", { authenticatorId: other.at.authenticatorId })
        )
        const [theirs] = credentials
        if (theirs === undefined) throw new Error("The other browser has no passkey")
        const own = yield* inBrowser(() => devtools.send("WebAuthn.getCredentials", { authenticatorId }))

        // The other account's passkey answers this session's own challenge.
        const options = yield* inBrowser(() =>
          askFor(at, { options: "/account/confirm", content: { ...newKey, confirm_path: KEYS } })
        )
        const foreign = yield* inBrowser(() => answer(other.at, { ...options, allowCredentials: [] }))
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: foreign })).toBe(403)

        const elsewhere = yield* anotherOrigin
        const asked = yield* inBrowser(() =>
          askFor(at, { options: "/account/confirm", content: { ...newKey, confirm_path: KEYS } })
        )
        const fromElsewhere = yield* inBrowser(() => answerAt(at, elsewhere, asked))
        expect(fromElsewhere).toContain("clientDataJSON")
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: fromElsewhere })).toBe(403)
        yield* inBrowser(() => at.page.goto(new URL(FACTORS, at.home).href))

        yield* inBrowser(() => devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false }))
        const absent = yield* inBrowser(() => confirmation(at, KEYS, newKey, { userVerification: "discouraged" }))
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: absent })).toBe(403)
        yield* inBrowser(() => devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true }))

        const good = yield* inBrowser(() => confirmation(at, KEYS, newKey))
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: good })).toBe(303)

        // Stands for a copy that was made earlier: its counter is behind.
        const [copy] = own.credentials
        if (copy === undefined) throw new Error("The browser has no passkey")
        yield* inBrowser(async () => {
          await devtools.send("WebAuthn.clearCredentials", { authenticatorId })
          await devtools.send("WebAuthn.addCredential", { authenticatorId, credential: { ...copy, signCount: 0 } })
        })
        const copied = yield* inBrowser(() => confirmation(at, KEYS, newKey))
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: copied })).toBe(403)
      })
    )
)

it.live.skipIf(isLeftOut)(
  "an attacker with the mailbox adds no passkey of its own, and confirms nothing with one",
  () =>
    service(
      Effect.gen(function* () {
        const { ownerEmail } = yield* ownerWithPasskey
        const at = yield* openWithAuthenticator(yield* browser, ownerEmail)
        const token = yield* inBrowser(() => sessionOf(at))
        yield* inBrowser(() => at.page.goto(new URL(FACTORS, at.home).href))
        const add = (registration: string, proof: Readonly<Record<string, string>> = {}) =>
          statusOf(`${FACTORS}/passkeys`, token, { name: "Mine", registration, ...proof })
        const first = yield* inBrowser(() => newPasskey(at))
        expect(yield* add(first)).toBe(403)
        // Its challenge is spent.
        expect(yield* add(first)).toBe(422)
        const second = yield* inBrowser(() => newPasskey(at))
        const form = { name: "Mine", registration: second }
        const own = yield* inBrowser(() => confirmation(at, `${FACTORS}/passkeys`, form, { allowCredentials: [] }))
        expect(yield* add(second, { assertion: own })).toBe(403)
        const forKey = yield* inBrowser(() => confirmation(at, KEYS, newKey, { allowCredentials: [] }))
        expect(yield* statusOf(KEYS, token, { ...newKey, assertion: forKey })).toBe(403)
        const signedIn = yield* inBrowser(async () => answer(at, await signInOptions(at)))
        expect((yield* signInByPasskey(signedIn)).cookies).toEqual([])
        const { text } = yield* visit({ path: FACTORS, token })
        expect([text.includes("Laptop"), text.includes("Mine")]).toEqual([true, false])
      })
    )
)
