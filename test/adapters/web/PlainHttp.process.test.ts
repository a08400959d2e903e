// The member area over plain http on a name of a local network, where browsers send no `Sec-Fetch-Site`: who signs in, gets in.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { DEMO_OWNER } from "#adapters/demo/Demo.ts"
import { freePort } from "#adapters/postgres/embedded/Postmaster.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { isLeftOut, launch } from "./Browser.ts"

const HOST = "shop.lan"

it.live.skipIf(isLeftOut)("a person signs in, sends a form, and signs out", () =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    const env = { DEMO: "on", PORT: String(port), PUBLIC_URL: `http://${HOST}:${port}` }
    yield* Effect.gen(function* () {
      const link = yield* (yield* SignInLinks).demo(DEMO_OWNER)
      expect(link).toContain(`http://${HOST}:${port}/`)
      const opened = yield* launch(`--host-resolver-rules=MAP ${HOST} 127.0.0.1`)
      yield* Effect.promise(async () => {
        const page = await opened.newPage()
        const posted: Array<Promise<Record<string, string>>> = []
        page.on("request", (request) => {
          if (request.method() === "POST") posted.push(request.allHeaders())
        })
        await page.goto(link)
        await page.getByRole("button", { name: "Sign in" }).click()
        expect(await page.textContent("h1")).toBe("Overview")
        const [headers = {}] = await Promise.all(posted)
        expect(headers).not.toHaveProperty("sec-fetch-site")
        expect(headers["origin"]).toBe(`http://${HOST}:${port}`)
        expect(headers["referer"] ?? "").not.toContain("token")
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.goto(`http://${HOST}:${port}/account`)
        expect(new URL(page.url()).pathname).toBe("/account/sign-in")
      })
    }).pipe(Effect.provide(RunningService.layer(env)), Effect.scoped)
  })
)
