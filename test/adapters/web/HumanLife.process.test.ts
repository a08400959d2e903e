// The life of a person in the member area, in a browser without script, on a small and on a wide screen: sign-up by a mailed link, a key, orders by
// that key over REST and MCP, payment, the export, a top-up, a second member who accepts an invitation, the end of the key and of the session, the code of a mail, an authenticator app.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TOTP } from "otpauth"
import type { Browser, Page } from "playwright-core"
import { expect } from "vitest"
import { smtpServer } from "#test/adapters/mail/SmtpServer.ts"
import { bearer, connectors } from "#test/adapters/mcp/Clients.ts"
import { HANG_TIMEOUT_MS } from "#test/HangTimeout.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser, goTo, isLeftOut, signOut } from "./Browser.ts"
import { mailedCode, mailedLink } from "./MailedSecrets.ts"

const order = (url: string, key: string, idempotencyKey = "one") =>
  fetch(new URL("/api/v1/agent/orders", url), {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify({
      items: [{ site_id: 1, target_url: "https://shop.example/", anchor_text: "garden tools", anchor_type: "exact" }]
    })
  })

const openAccount = async (page: Page, link: string, email: string) => {
  await page.goto(link)
  expect(await page.textContent("main")).toContain(email)
  await page.getByRole("button", { name: "Open the account" }).click()
  expect(await page.getByRole("status").textContent()).toContain("Your account is open")
  await page.reload()
  expect(await page.getByRole("status").count()).toBe(0)
}

const createKey = async (page: Page): Promise<string> => {
  await goTo(page, "Keys")
  await page.getByLabel("Name of the key").fill("Assistant")
  await page.getByLabel("Limits of my own").check()
  await page.getByLabel("Spending limit per order (EUR)").fill("twelve")
  await page.getByRole("button", { name: "Create the key" }).click()
  expect(await page.getByLabel("Spending limit per order (EUR)").inputValue()).toBe("twelve")
  expect(await page.getByLabel("Name of the key").inputValue()).toBe("Assistant")
  expect(await page.textContent("#max_order-error")).toContain("such as 12.50")
  await page.getByLabel("Spending limit per order (EUR)").fill("12,50")
  await page.getByRole("button", { name: "Create the key" }).click()
  const key = await page.getByLabel("The key").innerText()
  expect(await page.textContent("pre")).toContain(key)
  await page.getByRole("button", { name: "I have saved it" }).click()
  expect(await page.textContent("main")).toContain("12.50 EUR an order")
  expect(await page.content()).not.toContain(key)
  return key
}

const pay = async (page: Page, orderUrl: string, key: string) => {
  expect((await order(orderUrl, key)).status).toBe(201)
  await goTo(page, "Overview")
  await page.getByRole("link", { name: "Pay 5.00 EUR" }).click()
  await page.getByRole("button", { name: "Pay 5.00 EUR" }).click()
  // Back at the order, which says what happens next.
  expect(new URL(page.url()).pathname).toMatch(/^\/account\/orders\/ord_/)
  expect(await page.getByRole("status").textContent()).toContain("5.00 EUR paid: thank you")
  expect(await page.textContent("main")).toContain("What happens next")
}

const lookAtOrder = async (page: Page, home: string) => {
  await page.goto(new URL("/account/orders", home).href)
  await page.locator("tbody a[href^='/account/orders/ord_']").click()
  expect(await page.textContent("main")).toContain("“garden tools” to https://shop.example/")
  expect(await page.locator(".timeline .reached").count()).toBeGreaterThan(0)
  await goTo(page, "Orders")
  await page.getByLabel("Search", { exact: true }).fill("GARDEN")
  await page.getByRole("button", { name: "Filter" }).click()
  expect(await page.locator("tbody a[href^='/account/orders/ord_']").count()).toBe(1)
  await page.getByLabel("Search", { exact: true }).fill("nothing like it")
  await page.getByRole("button", { name: "Filter" }).click()
  expect(await page.textContent(".empty")).toContain("No order matches")
  const csv = await page.request.get(new URL("/account/orders.csv", home).href)
  expect(csv.headers()["content-disposition"]).toContain("orders.csv")
  expect((await csv.text()).split("\r\n")).toHaveLength(3)
}

const topUp = async (page: Page) => {
  await goTo(page, "Credit")
  await page.getByRole("link", { name: "Top up" }).click()
  await page.getByLabel("Amount (EUR)").fill("30")
  await page.getByRole("button", { name: "Go to payment" }).click()
  await page.getByRole("link", { name: "Pay 30.00 EUR" }).click()
  await page.getByRole("button", { name: "Pay 30.00 EUR" }).click()
  expect(await page.textContent("h1")).toBe("Paid: thank you")
  await page.getByRole("link", { name: "Back to this top-up in the member area" }).click()
  await page.getByRole("link", { name: "See your credit" }).click()
  expect(await page.textContent(".figure")).toBe("30.00 EUR")
}

/** Paid at once from the credit. */
const orderOverMcp = async (page: Page, home: string, key: string) => {
  const target = "https://garden.example/"
  const items = [{ site_id: 1, target_url: target, anchor_text: "by MCP", anchor_type: "exact" }]
  const bought = Effect.gen(function* () {
    const client = yield* connectors["2026-07-28"]({ url: `${home}/mcp`, headers: bearer(key) })
    return yield* client.call("create_order", { items, idempotency_key: "over-mcp" })
  })
  expect(await Effect.runPromise(Effect.scoped(bought))).toMatchObject({ structuredContent: { status: "paid" } })
  await goTo(page, "Orders")
  expect(await page.locator("tbody a[href^='/account/orders/ord_']").count()).toBe(2)
  await page.locator("tbody a[href^='/account/orders/ord_']").first().click()
  expect(await page.textContent("main")).toContain(`“by MCP” to ${target}`)
}

/** The invited person accepts in another browser, after a mail scanner has opened the link; the owner sees both. */
const inviteMember = async (page: Page, { invited, invitation }: Person) => {
  await goTo(page, "Settings")
  await page.getByText("Invite a person").click()
  await page.getByRole("textbox", { name: "E-mail address" }).fill(invited)
  await page.getByRole("button", { name: "Send the invitation" }).click()
  expect(await page.getByRole("status").textContent()).toContain(`${invited} is invited, as viewer`)
  expect(await page.getByRole("button", { name: `Withdraw: ${invited}` }).count()).toBe(1)
  const link = await invitation()
  await fetch(link)
  const theirs = await page.context().browser()?.newPage({ javaScriptEnabled: false })
  await theirs?.goto(link)
  expect(await theirs?.textContent("main")).toContain(`invites ${invited} to the account`)
  await theirs?.getByRole("button", { name: "Accept the invitation" }).click()
  expect(await theirs?.getByRole("status").textContent()).toContain("You are a member of")
  await theirs?.close()
  await page.reload()
  expect(await page.getByRole("button", { name: `Withdraw: ${invited}` }).count()).toBe(0)
  expect(await page.getByRole("button", { name: `Remove: ${invited}` }).count()).toBe(1)
}

const leave = async (page: Page, home: string, key: string) => {
  await goTo(page, "Keys")
  // One press, in the header of every page.
  await page.getByRole("button", { name: "Stop all agents" }).click()
  expect(await page.getByRole("status").textContent()).toContain("All agents are stopped")
  expect((await order(home, key, "two")).status).toBe(403)
  await page.getByRole("button", { name: "Let agents order again" }).click()
  expect((await order(home, key, "two")).status).toBe(201)
  await goTo(page, "Keys")
  await page.getByRole("link", { name: "Revoke Assistant" }).click()
  await page.getByRole("button", { name: "Revoke Assistant" }).click()
  expect(await page.getByRole("status").textContent()).toContain("Assistant is revoked")
  expect((await order(home, key)).status).toBe(401)
  await signOut(page)
  await page.goto(new URL("/account", home).href)
  expect(new URL(page.url()).pathname).toBe("/account/sign-in")
}

interface Person {
  readonly email: string
  /** Another person, who joins the account. */
  readonly invited: string
  /** The link in the mail to that person. */
  readonly invitation: () => Promise<string>
  readonly width: number
  /** Asks for a link on the page, and takes it out of the mail. */
  readonly newLink: (page: Page) => Promise<string>
  /** The code in the last of these mails, as the mail shows it. */
  readonly mailedCode: () => string
  /** Waits for a code that the app has not shown before. */
  readonly nextCode: (secret: string) => Promise<string>
}

/** Signs in by the code of the mail, which was wrong at first. */
const useCode = async (page: Page, { newLink, mailedCode }: Person) => {
  await newLink(page)
  const code = mailedCode()
  const field = page.getByLabel("Code in the mail")
  await field.fill(code.replaceAll(/\d/g, (digit) => String(9 - Number(digit))))
  await page.getByRole("button", { name: "Sign in" }).click()
  expect(await page.textContent("#code-error")).toContain("This code was not accepted")
  await field.fill(code)
  await page.getByRole("button", { name: "Sign in" }).click()
}

/** Signs in, adds the app, leaves, and comes back with a link and the app's code. */
const useApp = async (page: Page, person: Person) => {
  const { newLink, nextCode } = person
  await useCode(page, person)
  await goTo(page, "Settings")
  await page.getByRole("link", { name: "Passkeys and apps" }).click()
  await page.getByRole("link", { name: "Add an authenticator app" }).click()
  const secret = ((await page.textContent("dd code")) ?? "").replaceAll(" ", "")
  const first = await nextCode(secret)
  await page.getByLabel("Code that the new app shows").fill(first)
  await page.getByRole("button", { name: "Add the app" }).click()
  expect(await page.getByRole("status").count()).toBe(1)
  await signOut(page)
  await page.goto(await newLink(page))
  await page.locator("#code").fill(first)
  await page.getByRole("button", { name: "Sign in" }).click()
  expect(await page.textContent("#code-error")).toContain("This code was not accepted")
  await page.locator("#code").fill(await nextCode(secret))
  await page.getByRole("button", { name: "Sign in" }).click()
  expect(new URL(page.url()).pathname).toBe("/account")
}

const live = async (opened: Browser, person: Person) => {
  const { email, width } = person
  const context = await opened.newContext({ javaScriptEnabled: false, viewport: { width, height: 800 } })
  const page = await context.newPage()
  page.setDefaultTimeout(HANG_TIMEOUT_MS)
  const link = await person.newLink(page)
  const home = new URL(link).origin
  await openAccount(page, link, email)
  const key = await createKey(page)
  await pay(page, home, key)
  await lookAtOrder(page, home)
  await topUp(page)
  await orderOverMcp(page, home, key)
  await inviteMember(page, person)
  await leave(page, home, key)
  await useApp(page, person)
  await context.close()
}

for (const width of [360, 1280]) {
  it.live.skipIf(isLeftOut)(`a person lives in the member area without script, ${width} pixels wide`, () =>
    Effect.gen(function* () {
      const mailbox = yield* smtpServer
      const mail = { SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`, MAIL_FROM: "service@shop.example" }
      yield* Effect.gen(function* () {
        const { url } = yield* RunningService.RunningService
        const opened = yield* browser
        const { advance, nowMs } = yield* MovableClock
        const [email, invited] = [`person-${width}@example.com`, `viewer-${width}@example.com`]
        const run = Effect.runPromiseWith(yield* Effect.context())
        let links = 0
        const person: Person = {
          email,
          invited,
          invitation: () => mailedLink(mailbox, invited),
          width,
          newLink: async (page) => {
            await page.goto(new URL("/account/sign-in", url).href)
            await page.getByLabel("Your e-mail address").fill(email)
            await page.getByRole("button", { name: "Send me a link" }).click()
            expect(await page.textContent("h1")).toBe("Look in your mail")
            return mailedLink(mailbox, email, links++)
          },
          mailedCode: () => mailedCode(mailbox, email),
          nextCode: async (secret) => {
            await run(advance("30 seconds"))
            return new TOTP({ secret }).generate({ timestamp: nowMs() })
          }
        }
        yield* Effect.promise(() => live(opened, person))
      }).pipe(Effect.provide(RunningService.layer({ DEMO: "on", ...mail })))
    }).pipe(Effect.scoped)
  )
}
