// What an owner does on the pages, in a browser, and how it is confirmed there: by nothing, by a passkey, or by a code that is typed.
import { Effect } from "effect"
import { expect } from "vitest"
import { type App, nextCode } from "./AuthenticatorApps.ts"
import { consentPage } from "./HostileRecords.ts"
import { type PasskeyBrowser, sessionOf } from "./PasskeyBrowser.ts"
import type { openAccount } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

const CODE = "Code of your authenticator app"

/** An owner in front of a browser. */
export interface Person {
  readonly at: PasskeyBrowser
  readonly people: Effect.Success<typeof openAccount>
  /** `null`: there is no factor. `passkey`: the browser's own. */
  readonly by: "passkey" | App | null
}

export const inBrowser = <A>(act: () => Promise<A>) => Effect.promise(act)

export const open = ({ at: { page, home } }: Person, path: string) =>
  inBrowser(() => page.goto(new URL(path, home).href))

const pressed = ({ at: { page } }: Person, button: string | RegExp) =>
  inBrowser(() => page.getByRole("button", { name: button }).first().click())

/** Presses the button of a form that wants a proof, with it. */
export const confirmed = Effect.fnUntraced(function* (person: Person, button: string | RegExp) {
  const { at, by } = person
  if (by !== null && by !== "passkey") {
    const code = yield* nextCode(by)
    const form = at.page.locator("form", { has: at.page.getByRole("button", { name: button }) }).first()
    yield* inBrowser(() => form.getByLabel(CODE).fill(code))
  }
  yield* pressed(person, button)
})

/** What the page says was done. */
export const said = ({ at: { page } }: Person, text: string) =>
  inBrowser(() => page.getByRole("status").filter({ hasText: text }).waitFor())

/** A button whose form has no room for a proof: it asks on a further page, where there is a factor. */
const asked = Effect.fnUntraced(function* (
  person: Person,
  button: string | RegExp,
  confirms: string | RegExp = button
) {
  yield* pressed(person, button)
  if (person.by === null) return
  yield* inBrowser(() => person.at.page.getByText("Confirm that it is you").waitFor())
  yield* confirmed(person, confirms)
})

/** A session by mail is asked once, goes on with what was typed, and is not asked again. */
export const confirmOnce = Effect.fnUntraced(function* (person: Person) {
  const { page } = person.at
  yield* open(person, "/account/settings/billing")
  yield* inBrowser(async () => {
    await page.getByLabel("Name").fill("Garden & Tools")
    await page.getByLabel("Address").fill("Gartenweg 7\n10115 Berlin")
    await page.getByLabel("Country").selectOption("DE")
  })
  yield* pressed(person, "Save")
  if (person.by !== null) {
    yield* inBrowser(() => page.getByRole("heading", { name: "Confirm once in this browser" }).waitFor())
    yield* confirmed(person, "Confirm and continue")
  }
  yield* said(person, "Saved.")
  const present = yield* inBrowser(() => page.locator("section.card").innerText())
  for (const typed of ["Garden & Tools", "Gartenweg 7", "10115 Berlin", "Germany"]) expect(present).toContain(typed)
  yield* open(person, "/account/settings/mails")
  yield* inBrowser(() => page.getByLabel("An agent bought from your credit").uncheck())
  yield* pressed(person, "Save")
  yield* said(person, "Saved. You get the mails that you chose.")
})

/** Its page shows it until it is kept: loaded again, it makes no other. */
const createKey = Effect.fnUntraced(function* (person: Person) {
  const { page } = person.at
  yield* open(person, "/account/keys")
  yield* inBrowser(() => page.getByLabel("Name of the key").fill("Assistant one"))
  yield* inBrowser(() => page.getByLabel("No limits").check())
  yield* confirmed(person, "Create the key")
  yield* inBrowser(() => page.getByRole("heading", { name: "Your new key" }).waitFor())
  const key = yield* inBrowser(() => page.getByLabel("The key").innerText())
  expect(key).toMatch(/^sn_live_\w{38}$/)
  yield* inBrowser(() => page.reload())
  expect(yield* inBrowser(() => page.getByLabel("The key").innerText())).toBe(key)
  yield* pressed(person, "I have saved it")
  yield* said(person, "It is not shown any more.")
  expect(yield* inBrowser(() => page.getByRole("link", { name: "Revoke Assistant one" }).count())).toBe(1)
})

const LIMIT = "Spending limit per order (EUR)"

const loosenLimits = Effect.fnUntraced(function* (person: Person) {
  const { page } = person.at
  const limit = Effect.fnUntraced(function* (euros: string) {
    yield* open(person, "/account/keys")
    yield* inBrowser(() => page.getByRole("link", { name: "Change the limits of Assistant one" }).click())
    yield* inBrowser(() => page.getByLabel(LIMIT).fill(euros))
  })
  yield* limit("5")
  yield* pressed(person, "Set the limits")
  yield* said(person, "5.00 EUR an order")
  yield* limit("50")
  yield* asked(person, "Set the limits")
  yield* said(person, "50.00 EUR an order")
})

const approve = Effect.fnUntraced(function* (person: Person) {
  const { path } = pageOf(yield* (yield* agentOf(person.people)).order())
  yield* open(person, path)
  yield* confirmed(person, /^Approve \d/)
  yield* said(person, "You approved it, and the order is placed.")
})

const consent = Effect.fnUntraced(function* (person: Person) {
  const { page, home } = person.at
  const { path, cookie } = yield* consentPage(yield* inBrowser(() => sessionOf(person.at)))
  yield* inBrowser(() => page.context().addCookies([{ ...cookie, url: home }]))
  yield* open(person, path)
  // The page leads on at once, to an application that is not there.
  const next = "**/oauth/**"
  yield* inBrowser(() => page.route(next, (route) => route.fulfill({ contentType: "text/html", body: "Led on" })))
  yield* confirmed(person, "Allow")
  yield* inBrowser(() => page.getByText("Led on").waitFor())
  yield* inBrowser(() => page.unroute(next))
  yield* open(person, "/account/connections")
  expect(yield* inBrowser(() => page.getByRole("link", { name: /^Revoke/ }).count())).toBe(1)
})

const changeMembers = Effect.fnUntraced(function* (person: Person) {
  const { viewerEmail } = person.people
  const settings = open(person, "/account/settings")
  yield* settings
  yield* asked(person, `Make owner: ${viewerEmail}`, `Make ${viewerEmail} owner`)
  yield* said(person, "is owner now.")
  yield* asked(person, `Code for a lost passkey: ${viewerEmail}`, `Make a one-time code for ${viewerEmail}`)
  yield* inBrowser(() => person.at.page.getByRole("button", { name: "I have saved it" }).waitFor())
  yield* settings
  yield* asked(person, `Remove: ${viewerEmail}`, `Remove ${viewerEmail}`)
  yield* said(person, "is signed out everywhere.")
})

const stopAndResume = Effect.fnUntraced(function* (person: Person) {
  yield* open(person, "/account")
  yield* pressed(person, "Stop all agents")
  yield* said(person, "All agents are stopped")
  yield* asked(person, "Let agents order again")
  yield* said(person, "Agents may order again")
})

/** All that wants a fresh proof in every session, but for changes of factors. */
export const actions = { createKey, loosenLimits, approve, consent, changeMembers, stopAndResume }
