// Every combination of factors × what wants a proof, in a real browser: the one confirmation of a session by mail, each action that wants a
// fresh proof, and factors added and removed, in a session that is older than ten minutes.
import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Browser } from "playwright-core"
import { describe, expect } from "vitest"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, codeOf } from "./AuthenticatorApps.ts"
import { browser, isLeftOut } from "./Browser.ts"
import { actions, confirmed, confirmOnce, inBrowser, open, type Person, said } from "./FactorActions.ts"
import { addPasskey, openWithAuthenticator, sessionOf } from "./PasskeyBrowser.ts"
import { openAccount } from "./Visitors.ts"

class OpenBrowser extends Context.Service<OpenBrowser, Browser>()("backlinks/test/OpenBrowser") {}

const FACTORS = "/account/settings/factors"

/** In the browser that has the session; the passkey is on its authenticator. */
const nameAndAdd = Effect.fnUntraced(function* (person: Person, name: string) {
  yield* inBrowser(() => person.at.page.getByLabel("Name of the passkey").fill(name))
  yield* confirmed(person, "Add a passkey")
  yield* said(person, `The passkey ${name} was added.`)
})

/** The app is added on its page; its own code comes first. */
const addAppOnPage = Effect.fnUntraced(function* (person: Person) {
  const { page } = person.at
  yield* open(person, FACTORS)
  yield* inBrowser(() => page.getByRole("link", { name: "Add an authenticator app" }).click())
  const secret = (yield* inBrowser(() => page.locator("dd code").first().innerText())).replaceAll(" ", "")
  const code = yield* codeOf({ secret })
  yield* inBrowser(() => page.getByLabel("Code that the new app shows").fill(code))
  yield* confirmed(person, "Add the app")
  yield* said(person, "The authenticator app was added.")
  return { secret }
})

const remove = Effect.fnUntraced(function* (person: Person, name: string) {
  yield* open(person, FACTORS)
  yield* inBrowser(() => person.at.page.getByRole("link", { name: `Remove ${name}` }).click())
  yield* confirmed(person, "Remove it")
  yield* said(person, "was removed.")
})

/** Who has no factor to confirm with proves by mail that it is still the same person, and comes back. */
const addFirst = Effect.fnUntraced(function* (person: Person) {
  const { page } = person.at
  yield* open(person, FACTORS)
  yield* inBrowser(() => page.getByRole("button", { name: "Send me a link" }).click())
  yield* inBrowser(() => page.getByRole("heading", { name: "Look in your mail" }).waitFor())
  const link = yield* (yield* SignInLinks).demo(person.people.ownerEmail)
  yield* inBrowser(() => page.goto(link))
  yield* inBrowser(() => page.locator("button.main").click())
  yield* inBrowser(() => page.waitForURL(new URL(FACTORS, person.at.home).href))
  yield* nameAndAdd(person, "Laptop")
})

type Has = "none" | "passkey" | "app" | "both"

const CASES: ReadonlyArray<readonly [has: Has, by: "nothing" | "passkey" | "code"]> = [
  ["none", "nothing"],
  ["passkey", "passkey"],
  ["app", "code"],
  ["both", "passkey"],
  ["both", "code"]
]

const changeFactors = Effect.fnUntraced(function* (person: Person, has: Has) {
  const { devtools, authenticatorId } = person.at
  if (has === "none") return yield* addFirst(person)
  if (person.by === "passkey") {
    if (has === "passkey") yield* addAppOnPage(person)
    yield* remove(person, "Authenticator app")
    return yield* remove(person, "Laptop")
  }
  // Stands for another device, which has no passkey of this member yet.
  yield* inBrowser(() => devtools.send("WebAuthn.clearCredentials", { authenticatorId }))
  yield* open(person, FACTORS)
  yield* nameAndAdd(person, "Phone")
  yield* remove(person, "Phone")
  yield* remove(person, "Authenticator app")
})

/** An owner with these factors, whose session a mail alone began. */
const ownerWith = Effect.fnUntraced(function* (has: Has, by: "nothing" | "passkey" | "code") {
  const people = yield* openAccount
  const at = yield* openWithAuthenticator(yield* OpenBrowser, people.ownerEmail)
  const token = yield* inBrowser(() => sessionOf(at))
  const person: Person = { at, people, by: "passkey" }
  if (has === "passkey" || has === "both") yield* inBrowser(() => addPasskey(at, "Laptop"))
  const app = has === "app" ? yield* addApp(token) : has === "both" ? yield* addAppOnPage(person) : null
  // The page that adds the second factor is confirmed with the first.
  yield* (yield* Sessions).unconfirmAll([people.by.memberId])
  return { ...person, by: by === "nothing" ? null : by === "code" ? app : by }
})

/** One service and one browser for all cases; each has its own account, and its own context of the browser. */
const shared = Layer.merge(RunningService.layer(), Layer.effect(OpenBrowser, browser))

describe.skipIf(isLeftOut)("factors", () => {
  layer(shared, { excludeTestServices: true, timeout: 240_000 })("in a browser", (it) => {
    it.effect.each(CASES)(
      "%s, confirmed by %s: a session once, each action, and factors that are added and removed",
      ([has, by]) =>
        Effect.gen(function* () {
          const person = yield* ownerWith(has, by)
          yield* confirmOnce(person)
          for (const act of Object.values(actions)) yield* act(person)
          yield* (yield* MovableClock).advance("11 minutes")
          yield* changeFactors(person, has)
          yield* open(person, FACTORS)
          const links = yield* inBrowser(() => person.at.page.getByRole("link", { name: /^Remove / }).allTextContents())
          expect(links).toHaveLength(has === "none" || (has === "both" && by === "code") ? 1 : 0)
        }),
      { timeout: 240_000 }
    )
  })
})
