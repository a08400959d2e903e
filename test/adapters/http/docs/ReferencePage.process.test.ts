// The API reference in a real browser, under its own security policy. The browser is Debian's: `apt-get install chromium`, or another
// one whose path `CHROMIUM` names.
import { access } from "node:fs/promises"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { type Browser, chromium } from "playwright-core"
import { expect } from "vitest"
import * as RunningService from "#test/scenarios/RunningService.ts"

const { CHROMIUM: executablePath = "/usr/bin/chromium", CI } = process.env

const MISSING = `There is no browser at ${executablePath}: apt-get install chromium, or name one by CHROMIUM.`

const isInstalled = await access(executablePath).then(
  () => true,
  () => false
)

// CI never leaves it out: without a browser the launch fails there.
if (!isInstalled && CI === undefined) console.warn(`Left out: the reference page in a browser. ${MISSING}`)

const browser = Effect.acquireRelease(
  Effect.promise((): Promise<Browser> => {
    if (!isInstalled) throw new Error(MISSING)
    // Root may not use the sandbox; the page is the service's own.
    return chromium.launch({ executablePath, args: ["--no-sandbox"] })
  }),
  (opened) => Effect.promise(() => opened.close())
)

it.live.skipIf(!isInstalled && CI === undefined)(
  "the reference page renders under its policy without a violation or an error, and loads nothing from elsewhere",
  () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const opened = yield* browser
      yield* Effect.promise(async () => {
        const page = await opened.newPage()
        const faults: Array<string> = []
        const elsewhere: Array<string> = []
        page.on("console", (message) => {
          if (message.type() === "error" || message.type() === "warning") faults.push(message.text())
        })
        page.on("pageerror", (error) => faults.push(String(error)))
        page.on("request", (request) => {
          const { origin, protocol } = new URL(request.url())
          if (protocol !== "data:" && origin !== new URL(url).origin) elsewhere.push(request.url())
        })
        await page.goto(new URL("/docs", url).href)
        await page.getByText("/api/v1/agent/orders", { exact: true }).first().click()
        await page.getByText("Idempotency-Key").first().waitFor()
        expect(await page.locator(".opblock").count()).toBeGreaterThan(20)
        expect([faults, elsewhere]).toEqual([[], []])
      })
    }).pipe(Effect.scoped, Effect.provide(RunningService.layer()))
)
