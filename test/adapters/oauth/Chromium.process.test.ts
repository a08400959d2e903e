// An owner consents in a real browser, without script: the policy of the pages lets the answer out, at the client's own address.
import { createServer } from "node:http"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { browser, isLeftOut } from "#test/adapters/web/Browser.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { authorizePath, callApi, exchange, newVerifier, registeredId, tokensOf } from "./Flow.ts"

/** Where the client waits for the answer. */
const listener = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly answer: Promise<URLSearchParams>; readonly close: () => void }>(
    (resume) => {
      const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>()
      const server = createServer((request, response) => {
        response.setHeader("content-type", "text/html").end("<title>Connected</title>")
        const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
        if (pathname === "/callback") resolve(searchParams)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/callback`, answer, close: () => server.close() }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

layer(RunningService.layer(), { excludeTestServices: true })("In Chromium", (it) => {
  it.effect.skipIf(isLeftOut)("consent leads to the client with a code that is good for a token", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const { owner } = yield* openAccount
      const { url: redirectUri, answer } = yield* listener
      const request = {
        clientId: yield* registeredId({ redirect_uris: [redirectUri] }),
        verifier: newVerifier(),
        params: { redirect_uri: redirectUri, scope: "read order" }
      }
      const chromium = yield* browser
      const refused: Array<string> = []
      yield* Effect.promise(async () => {
        const context = await chromium.newContext({ javaScriptEnabled: false })
        const people = url.replace("127.0.0.1", "localhost")
        await context.addCookies([{ name: "session", value: owner, url: people, httpOnly: true, sameSite: "Lax" }])
        const page = await context.newPage()
        page.on("console", (message) => refused.push(message.text()))
        await page.goto(`${people}${authorizePath(request)}`)
        await page.getByLabel("Most that one order may cost, EUR").fill("20")
        await page.getByRole("button", { name: "Let it in" }).click()
        await page.waitForURL(/\/callback\?/)
        await context.close()
      })
      expect(refused).toEqual([])
      const code = (yield* Effect.promise(() => answer)).get("code") ?? ""
      const tokens = tokensOf(yield* exchange(request, code, { redirect_uri: redirectUri }))
      const { body } = yield* callApi(tokens.access)
      expect(body["key"]).toMatchObject({ limits: { max_order_cents: 2_000, approve_above_cents: 0 } })
    }).pipe(Effect.scoped)
  )
})
