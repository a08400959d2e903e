// The member area in a real browser: every page is accessible, valid and as wide as its screen, in light and dark, and stored text that is
// hostile stays text.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { HtmlValidate } from "html-validate/node"
import type { Browser, Page } from "playwright-core"
import { expect } from "vitest"
import { demoKeys } from "#adapters/demo/Demo.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser, isLeftOut } from "./Browser.ts"
import { signIn } from "./Visitors.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Its style rules are the formatter's business, and spaces at the end of a line mean nothing in HTML. */
const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: { "no-trailing-whitespace": "off", "long-title": "off", "void-style": "off", "no-inline-style": "error" }
})

const HOSTILE = `<script>document.title = "stolen"</script><img src=x onerror="document.title = 'stolen'">"'`

const [demoKey] = demoKeys
const OWNER = "owner@willow-and-spade.example"

/** An order of several links with hostile texts, one of another key that waits for payment, and one link that is online. */
const placeOrders = Effect.fnUntraced(function* (url: string) {
  const post = (key: string, body: unknown) =>
    Effect.promise(() =>
      fetch(new URL("/api/v1/agent/orders", url), {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      }).then((response) => response.text())
    )
  const item = { target_url: `https://shop.example/?q=${encodeURIComponent(HOSTILE)}&b="<b>`, anchor_type: "exact" }
  const items = [1, 2].map((site_id) => ({ ...item, site_id, anchor_text: HOSTILE.slice(0, 110), brief: HOSTILE }))
  const paid = JSON.parse(yield* post(demoKey?.text ?? "", { items }))
  const many = Array.from({ length: 20 }, (_, index) => ({ ...item, site_id: 1 + (index % 5), anchor_text: "a link" }))
  const open = JSON.parse(yield* post(demoKey?.text ?? "", { items: many }))
  return { orderId: String(paid.order_id), quoteId: String(open.quote_id) }
})

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

const check = async (page: Page, url: string): Promise<ReadonlyArray<string>> => {
  const response = await page.goto(url)
  const source = (await response?.text()) ?? ""
  const report = await validator.validateString(source)
  const invalid = report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId} ${line}: ${message}`)
  )
  const wide = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
  // By the debugger, which the page's policy does not bind.
  await page.evaluate(axe)
  // axe defines itself in the page.
  const violations = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as ReadonlyArray<Violation>
  const faults = violations.map(({ id, nodes }) => `axe ${id}: ${nodes.map(({ html }) => html).join(" ")}`)
  const status = response?.status() === 200 ? [] : [`status ${response?.status()}`]
  return [...status, ...invalid, ...faults, ...(wide > 0 ? [`${wide} px too wide`] : [])].map(
    (fault) => `${url} ${fault}`
  )
}

const SCREENS = [
  { width: 360, height: 740, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" }
] as const

const checkAll = async (opened: Browser, url: string, token: string | null, paths: ReadonlyArray<string>) => {
  const faults: Array<string> = []
  for (const { width, height, colorScheme } of SCREENS) {
    const context = await opened.newContext({ viewport: { width, height }, colorScheme })
    if (token !== null) await context.addCookies([{ name: "session", value: token, url }])
    const page = await context.newPage()
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(`${page.url()} ${message.text()}`)
    })
    page.on("pageerror", (error) => faults.push(`${page.url()} ${error}`))
    for (const path of paths) {
      faults.push(...(await check(page, new URL(path, url).href)))
      if ((await page.title()) === "stolen") faults.push(`${path} runs a stored script`)
    }
    await context.close()
  }
  return faults
}

it.live.skipIf(isLeftOut)("every page is accessible, valid and no wider than its screen, and no stored text runs", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const { orderId, quoteId } = yield* placeOrders(url)
    const token = yield* signIn(OWNER)
    const own = [
      "/account",
      "/account/orders",
      "/account/orders?status=cancelled",
      `/account/orders/${orderId}`,
      `/account/quotes/${quoteId}`,
      "/account/credit",
      "/account/credit/top-ups",
      "/account/keys",
      "/account/stop",
      "/account/webhooks",
      "/account/settings"
    ]
    expect(yield* Effect.promise(() => checkAll(opened, url, token, own))).toEqual([])
    expect(
      yield* Effect.promise(() => checkAll(opened, url, null, ["/", "/account/sign-in", "/account/sign-in/sent"]))
    ).toEqual([])
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ DEMO: "on" })))
)

it.live.skipIf(isLeftOut)("the policy keeps a script from running that came into a page all the same", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const token = yield* signIn(OWNER)
    const title = yield* Effect.promise(async () => {
      const context = await opened.newContext()
      await context.addCookies([{ name: "session", value: token, url }])
      const page = await context.newPage()
      // As a template would that forgot to escape.
      await page.route("**/account", async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace(
          "</main>",
          `${HOSTILE}<b style="color:red" onclick="1">x</b></main>`
        )
        await route.fulfill({ response, body })
      })
      await page.goto(new URL("/account", url).href)
      await page.waitForLoadState()
      return page.title()
    })
    expect(title).toContain("Overview")
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ DEMO: "on" })))
)
