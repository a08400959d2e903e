// An owner with a passkey and an authenticator app, in a real browser: each confirms, a code that is typed needs no passkey, and what
// only tightens needs neither.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, nextCode } from "./AuthenticatorApps.ts"
import { browser, isLeftOut } from "./Browser.ts"
import { openWithAuthenticator, type PasskeyBrowser, sessionOf } from "./PasskeyBrowser.ts"
import { openAccount } from "./Visitors.ts"

const inBrowser = <A>(act: () => Promise<A>) => Effect.promise(act)

const CODE = "Code of your authenticator app"

/** The form is folded once there is a live key. */
const openForm = (page: PasskeyBrowser["page"]) => page.getByText("Create a key", { exact: true }).press("Enter")

const makeKey = async ({ page, home }: PasskeyBrowser, label: string, code?: string) => {
  await page.goto(new URL("/account/keys", home).href)
  if (!(await page.getByLabel("Name of the key").isVisible())) await openForm(page)
  await page.getByLabel("Name of the key").fill(label)
  const limit = page.getByLabel("Spending limit per order (EUR)")
  expect(await limit.isVisible()).toBe(false)
  await page.getByLabel("Limits of my own").check()
  expect(await limit.isVisible()).toBe(true)
  await page.getByLabel("No limits").check()
  if (code !== undefined) await page.getByLabel(CODE).fill(code)
  await page.getByRole("button", { name: "Create the key" }).click()
  await page.getByRole("heading", { name: "Your new key" }).waitFor()
}

/** What is said after limits were set, or `null` where a confirmation is asked for. */
const limit = async ({ page, home }: PasskeyBrowser, euros: string, code?: string): Promise<string | null> => {
  if (code === undefined) {
    await page.goto(new URL("/account/keys", home).href)
    await page.getByRole("link", { name: "Change the limits of one" }).click()
    expect(await page.getByLabel(CODE).count()).toBe(0)
    await page.getByLabel("Spending limit per order (EUR)").fill(euros)
  } else await page.getByLabel(CODE).fill(code)
  await page.getByRole("button", { name: "Set the limits" }).click()
  await page.locator("[role=status], [role=alert]").first().waitFor()
  return page.url().endsWith("/limits") ? null : page.getByRole("status").textContent()
}

it.live.skipIf(isLeftOut)("both factors confirm, and tightening asks for none", () =>
  Effect.gen(function* () {
    const people = yield* openAccount
    const at = yield* openWithAuthenticator(yield* browser, people.ownerEmail)
    const token = yield* inBrowser(() => sessionOf(at))
    const app = yield* addApp(token)
    const added = yield* nextCode(app)
    yield* inBrowser(async () => {
      await at.page.goto(new URL("/account/settings/factors", at.home).href)
      await at.page.getByLabel("Name of the passkey").fill("Laptop")
      await at.page.getByLabel(CODE).first().fill(added)
      await at.page.getByRole("button", { name: "Add a passkey" }).click()
      await at.page.getByRole("status").waitFor()
    })

    const typed = yield* nextCode(app)
    yield* inBrowser(() => makeKey(at, "one", typed))
    yield* inBrowser(() => makeKey(at, "two"))

    // A form that was refused stands on the answer to it: once the session has ended, the page is asked for afresh and nothing is sent again.
    const sent: Array<string> = []
    yield* inBrowser(async () => {
      await at.page.goto(new URL("/account/keys", at.home).href)
      await openForm(at.page)
      await at.page.getByLabel("Name of the key").fill("three")
      await at.page.getByLabel("No limits").check()
      await at.page.getByLabel(CODE).fill("000000")
      await at.page.getByRole("button", { name: "Create the key" }).click()
      await at.page.getByText("This code was not accepted").first().waitFor()
      const cookies = await at.page.context().cookies()
      await at.page.context().clearCookies({ name: "session" })
      at.page.on("request", (request) => {
        if (request.isNavigationRequest()) sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
      })
      await at.page.getByLabel(CODE).fill("")
      await at.page.getByRole("button", { name: "Create the key" }).click()
      await at.page.waitForURL("**/account/sign-in")
      await at.page.context().addCookies(cookies)
    })
    expect(sent).toEqual(["GET /account/keys", "GET /account/sign-in"])

    // The authenticator is not touched any more: what asked for the passkey would wait for ever.
    const { authenticatorId, devtools } = at
    yield* inBrowser(() =>
      devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: false })
    )
    expect(yield* inBrowser(() => limit(at, "5"))).toContain("5.00 EUR")
    expect(yield* inBrowser(() => limit(at, "4"))).toContain("4.00 EUR")
    expect(yield* inBrowser(() => limit(at, "50"))).toBeNull()
    const loosening = yield* nextCode(app)
    expect(yield* inBrowser(() => limit(at, "50", loosening))).toContain("50.00 EUR")
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer()))
)
