// The API reference in a real browser, under its own security policy.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { browser, isLeftOut } from "#test/adapters/web/Browser.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

it.live.skipIf(isLeftOut)(
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
