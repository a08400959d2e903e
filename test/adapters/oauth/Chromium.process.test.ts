// An owner consents and approves in a real browser, without script: the policy of the pages lets the answer out, at the client's own
// address.
import { createServer } from "node:http"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { expect } from "vitest"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { browser, isLeftOut } from "#test/adapters/web/Browser.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { authorizePath, CALLBACK, callApi, exchange, newVerifier, registeredId, tokensOf } from "./Flow.ts"
import { makeProvider, withModern } from "./SdkClients.ts"

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

/** A browser without script in which the owner is signed in. Pages of people are on `localhost`. */
const signedIn = async (chromium: Browser, people: string, owner: string) => {
  const context = await chromium.newContext({ javaScriptEnabled: false })
  await context.addCookies([{ name: "session", value: owner, url: people, httpOnly: true, sameSite: "Lax" }])
  return context
}

const onLocalhost = (url: string): string => url.replace("127.0.0.1", "localhost")

layer(RunningService.layer({ DEMO: "on" }), { excludeTestServices: true })("In Chromium", (it) => {
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
        const people = onLocalhost(url)
        const context = await signedIn(chromium, people, owner)
        const page = await context.newPage()
        page.on("console", (message) => refused.push(message.text()))
        await page.goto(`${people}${authorizePath(request)}`)
        const limit = page.getByLabel("Spending limit per order (EUR)")
        expect(await limit.isVisible()).toBe(false)
        await page.getByLabel(/^It may also order/).check()
        expect(await limit.isVisible()).toBe(false)
        await page.getByLabel(/^Limits of my own/).check()
        await limit.fill("20")
        await page.getByRole("button", { name: "Allow", exact: true }).click()
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

  it.effect.skipIf(isLeftOut)("the official client goes the whole way to an order that its owner approves", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const { owner, account } = yield* openAccount
      yield* (yield* ManageAccounts).topUp({ accountId: account.accountId, cents: 10_000, reference: "a test" }, "test")
      const chromium = yield* browser
      yield* Effect.promise(async () => {
        const context = await signedIn(chromium, onLocalhost(url), owner)
        const { provider, asked } = makeProvider()
        const client = await withModern(new URL("/mcp", url), provider)
        const consent = async (mayOrder: boolean) => {
          // A new page: no server answers at the callback, and the browser's error page would end a later visit.
          const page = await context.newPage()
          await page.goto(String(asked.at(-1)))
          const answer = page.waitForRequest((request) => request.url().startsWith(CALLBACK))
          if (mayOrder) await page.getByLabel(/^It may also order/).check()
          await page.getByRole("button", { name: "Allow", exact: true }).click()
          await client.finish(new URL((await answer).url()).searchParams)
          await page.close()
        }

        await expect(client.call("search_sites", { limit: 1 })).rejects.toThrow()
        await consent(false)
        const found = await client.call("search_sites", { limit: 1 })
        const [site] = (found.structuredContent?.["sites"] ?? []) as ReadonlyArray<{ id: number }> // as the tool says
        const order = {
          items: [{ site_id: site?.id, target_url: "https://a.example/", anchor_text: "a", anchor_type: "branded" }],
          idempotency_key: "one-purchase"
        }
        await expect(client.call("create_order", order)).rejects.toThrow()
        await consent(true)

        const waiting = (await client.call("create_order", order)).structuredContent ?? {}
        expect(waiting).toMatchObject({ status: "awaiting_approval" })
        const page = await context.newPage()
        await page.goto(String(waiting["approval_url"]))
        await page.getByRole("button", { name: /^Approve \d/ }).click()
        await page.getByRole("status").filter({ hasText: "You approved it, and the order is placed." }).waitFor()
        const bought = (await client.call("create_order", order)).structuredContent
        expect(bought).toMatchObject({ quote_id: waiting["quote_id"], order_id: expect.stringMatching(/^ord_/) })
        await client.close()
        await context.close()
      })
    }).pipe(Effect.scoped)
  )
})
