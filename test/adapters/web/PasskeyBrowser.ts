// A browser with an authenticator that Chromium simulates, on the pages of the service.
import { createServer } from "node:http"
import { Effect } from "effect"
import type { Browser, CDPSession, Page } from "playwright-core"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { HANG_TIMEOUT_MS } from "#test/HangTimeout.ts"

const AUTHENTICATOR = {
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true
} as const

export interface PasskeyBrowser {
  readonly page: Page
  readonly devtools: CDPSession
  readonly authenticatorId: string
  /** On `localhost`, because passkeys refuse an IP address. */
  readonly home: string
}

/** Signed in by a link. */
export const openWithAuthenticator = Effect.fnUntraced(function* (opened: Browser, email: string) {
  const link = yield* (yield* SignInLinks).demo(email)
  return yield* Effect.promise(async (): Promise<PasskeyBrowser> => {
    const context = await opened.newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_TIMEOUT_MS)
    const devtools = await context.newCDPSession(page)
    await devtools.send("WebAuthn.enable")
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", { options: AUTHENTICATOR })
    await page.goto(link)
    await page.locator("button.main").click()
    await page.getByRole("status").waitFor()
    return { page, devtools, authenticatorId, home: new URL(link).origin }
  })
})

const FACTORS = "/account/settings/factors"

export const addPasskey = async ({ page, home }: PasskeyBrowser, name: string): Promise<void> => {
  await page.goto(new URL(FACTORS, home).href)
  await page.getByLabel("Name of the passkey").fill(name)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByRole("status").waitFor()
}

export const sessionOf = async ({ page }: PasskeyBrowser): Promise<string> =>
  (await page.context().cookies()).find(({ name }) => name === "session")?.value ?? ""

/** What the browser is asked; `changes` take the place of what the service says. */
interface Ask {
  readonly options: string
  readonly content: Readonly<Record<string, string>>
  readonly changes?: Readonly<Record<string, unknown>>
}

const ASK = `async ({ options, content }) => {
  const response = await fetch(options, { method: "POST", body: new URLSearchParams(content) })
  return response.json()
}`

const ANSWER = `async (optionsJSON) => JSON.stringify(await SimpleWebAuthnBrowser.startAuthentication({ optionsJSON }))`

export const askFor = async ({ page }: PasskeyBrowser, ask: Ask): Promise<object> => ({
  ...(await page.evaluate<object>(`(${ASK})(${JSON.stringify(ask)})`)),
  ...ask.changes
})

/** The browser's response, as the hidden field of a form brings it. The page must have the scripts for passkeys. */
export const answer = ({ page }: PasskeyBrowser, optionsJSON: object): Promise<string> =>
  page.evaluate<string>(`(${ANSWER})(${JSON.stringify(optionsJSON)})`)

const MAKE = `async (optionsJSON) => JSON.stringify(await SimpleWebAuthnBrowser.startRegistration({ optionsJSON }))`

/** A new passkey of this browser, as the hidden field of the form that adds it brings it. */
export const newPasskey = async (at: PasskeyBrowser): Promise<string> => {
  const options = await askFor(at, { options: `${FACTORS}/passkey-options`, content: {} })
  return at.page.evaluate<string>(`(${MAKE})(${JSON.stringify(options)})`)
}

/** For a form that is sent to this path. */
export const confirmation = async (
  at: PasskeyBrowser,
  path: string,
  form: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, unknown>> = {}
): Promise<string> =>
  answer(at, await askFor(at, { options: "/account/confirm", content: { ...form, confirm_path: path }, changes }))

export const signInOptions = (at: PasskeyBrowser): Promise<object> =>
  askFor(at, { options: "/account/sign-in/passkey-options", content: {} })

/** A page of another port: another origin, for which browsers let the same passkeys be used. */
export const anotherOrigin = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer((_, response) =>
            response.setHeader("content-type", "text/html").end("<title>x</title>")
          )
          server.listen(0, "localhost", () => resolve(server))
        })
    ),
    (server) => Effect.sync(() => void server.close())
  ),
  (server) => {
    const address = server.address()
    return `http://localhost:${typeof address === "object" ? address?.port : ""}/`
  }
)

export const answerAt = async (at: PasskeyBrowser, url: string, options: object): Promise<string> => {
  const library = await at.page.request.get(new URL("/account/webauthn.js", at.home).href)
  await at.page.goto(url)
  await at.page.evaluate(await library.text())
  return answer(at, options)
}
