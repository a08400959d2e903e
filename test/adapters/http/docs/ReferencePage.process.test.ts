// `/docs` in a real browser: accessible, valid and no wider than its screen, in light and dark, and readable without script.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { browser, isLeftOut } from "#test/adapters/web/Browser.ts"
import { checkAll } from "#test/adapters/web/PageChecks.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

it.live.skipIf(isLeftOut)("the page for people has no fault on any screen, and loads nothing from elsewhere", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    expect(yield* Effect.promise(() => checkAll(opened, url, null, [{ path: "/docs" }]))).toEqual([])
    yield* Effect.promise(async () => {
      const context = await opened.newContext({ javaScriptEnabled: false })
      const page = await context.newPage()
      const elsewhere: Array<string> = []
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url())
        if (protocol !== "data:" && origin !== new URL(url).origin) elsewhere.push(request.url())
      })
      await page.goto(new URL("/docs", url).href)
      await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Orders" }).click()
      await page.getByRole("heading", { name: "Order 1 to 20 links" }).waitFor()
      expect(new URL(page.url()).hash).toBe("#group-orders")
      expect(elsewhere).toEqual([])
    })
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ DEMO: "on" })))
)
