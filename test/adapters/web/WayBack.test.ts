// The page that a mail or an agent named is come back to through the sign-in, and no browser is answered with JSON where people go.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeBrowser } from "#test/adapters/oauth/Browser.ts"
import { cart, issueKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { linkTo, openAccount, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

/** An account in which an order waits for approval; its pages by what a mail calls them. */
const named = Effect.gen(function* () {
  const people = yield* openAccount
  const quote = yield* (yield* agentOf(people, 5_000)).order()
  const { path, quoteId } = pageOf(quote)
  return {
    ...people,
    paths: {
      approval: path,
      quote: `/account/quotes/${quoteId}`,
      stop: "/account/stop",
      connections: "/account/connections"
    }
  }
})

layer(RunningService.layer())("the way back through a sign-in", (it) => {
  it.effect("leads to the approval, the quote, the stop button and the connections that were asked for, once", () =>
    Effect.gen(function* () {
      const { ownerEmail, paths } = yield* named
      for (const path of Object.values(paths)) {
        const browser = yield* makeBrowser()
        assert.strictEqual((yield* browser.get(path)).location, "/account/sign-in")
        const { location } = yield* browser.post("/account/sign-in/use", { token: yield* linkTo(ownerEmail) })
        assert.strictEqual(location, path)
        assert.isFalse(browser.cookies.has("next /"))
        assert.notStrictEqual((yield* browser.get(path)).location, "/account/sign-in")
      }
    })
  )

  it.effect("leads to the top-up that an agent asked for, with its amount", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      for (const [asked, value] of [
        ["?amount_eur=50.00", 'value="50.00"'],
        ["?amount_eur=7.5", 'value="7.50"'],
        ["", 'name="amount"']
      ] as const) {
        const path = `/account/credit/top-ups${asked}`
        const browser = yield* makeBrowser()
        assert.strictEqual((yield* browser.get(path)).location, "/account/sign-in")
        const { location } = yield* browser.post("/account/sign-in/use", { token: yield* linkTo(ownerEmail) })
        assert.strictEqual(location, path)
        assert.include((yield* browser.get(path)).text, value)
      }
    })
  )

  it.effect("leads back to the page of a form that was sent after the session had ended", () =>
    Effect.gen(function* () {
      const { ownerEmail, paths } = yield* named
      const browser = yield* makeBrowser()
      const refused = yield* browser.post(`${paths.approval}/decline`)
      assert.strictEqual(refused.status, 401)
      const { location } = yield* browser.post("/account/sign-in/use", { token: yield* linkTo(ownerEmail) })
      assert.strictEqual(location, paths.approval)
    })
  )

  it.effect("ends at the overview where the page is another account's", () =>
    Effect.gen(function* () {
      const { paths } = yield* named
      const other = yield* openAccount
      for (const path of [paths.approval, paths.quote]) {
        const browser = yield* makeBrowser()
        yield* browser.get(path)
        const signedIn = yield* browser.post("/account/sign-in/use", { token: yield* linkTo(other.ownerEmail) })
        assert.strictEqual(signedIn.location, path)
        const led = yield* browser.get(path)
        assert.deepStrictEqual([led.status, led.location], [303, "/account"])
        assert.include((yield* browser.get("/account")).text, `as ${other.ownerEmail}.`)
        // A page that is opened by itself is missing, and says so.
        assert.strictEqual((yield* browser.get(path)).status, 404)
      }
    })
  )

  it.effect("leads to the overview, whatever else the cookie says", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      for (const next of [
        "https://evil.example/",
        "//evil.example/",
        "/account/approvals//evil.example",
        "/account/approvals/../keys",
        "/account/approvals/quo_1/approve",
        "/account/stop?all",
        "/account/credit/top-ups?amount_eur=1e3",
        "/account/credit/top-ups?amount_eur=50&next=//evil.example",
        "/account/credit/top-ups/top_1?amount_eur=50",
        "/account/keys"
      ]) {
        const browser = yield* makeBrowser()
        browser.cookies.set("next /", { path: "/", text: `next=${encodeURIComponent(next)}` })
        const { location } = yield* browser.post("/account/sign-in/use", { token: yield* linkTo(ownerEmail) })
        assert.deepStrictEqual([next, location], [next, "/account"])
      }
    })
  )
})

const HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

layer(RunningService.layer())("an address that is not served", (it) => {
  it.effect("is a page where people go, whatever the client accepts, and for browsers everywhere but the API", () =>
    Effect.gen(function* () {
      const requests = [
        ...["/account/none", "/oauth/none", "/pay/a/b/c", "/pay"].map((path) => ({ path, accept: "*/*", status: 404 })),
        { path: "/oauth/token", accept: "*/*", status: 405 },
        { path: "/account/sign-in/use", accept: "application/json", status: 405 },
        { path: "/pay/token/pay", accept: HTML, status: 405 },
        { path: "/none", accept: HTML, status: 404 },
        { path: "/mcp", accept: HTML, status: 405 }
      ]
      for (const { path, accept, status } of requests) {
        const answer = yield* visit({ path, headers: { accept } })
        assert.deepStrictEqual([path, answer.status], [path, status])
        assert.include(answer.headers.get("content-type"), "text/html")
        assert.include(answer.text, status === 404 ? "There is no page at this address." : "Only forms and programs")
        assert.strictEqual(answer.headers.has("allow"), status === 405)
        assert.isTrue(answer.headers.has("request-id"))
      }
    })
  )

  it.effect("leads those who are signed in back to their pages", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const [mine, other] = [
        yield* visit({ path: "/account/none", token: owner }),
        yield* visit({ path: "/account/none" })
      ]
      assert.include(mine.text, 'href="/account">To your overview</a>')
      assert.include(mine.text, '<a href="/account/orders">Orders</a>')
      assert.notInclude(mine.text, ">Sign in</a>")
      assert.notInclude(other.text, "To your overview")
      assert.include(other.text, ">Sign in</a>")
      const refused = yield* visit({
        method: "POST",
        path: "/account/keys",
        token: (yield* openAccount).viewer,
        form: {}
      })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, "As a viewer you can look at everything")
    })
  )

  it.effect("is JSON under the API for every client, and elsewhere for programs", () =>
    Effect.gen(function* () {
      for (const [path, accept] of [
        ["/api/v1/agent/none", HTML],
        ["/api", HTML],
        ["/none", "*/*"],
        ["/accounts", "*/*"]
      ] as const) {
        const answer = yield* visit({ path, headers: { accept } })
        assert.strictEqual(answer.status, 404)
        assert.include(answer.headers.get("content-type"), "application/json")
        assert.strictEqual(JSON.parse(answer.text).ok, false)
      }
    })
  )
})

layer(RunningService.layer())("the page of a payment that was not made", (it) => {
  it.effect("leads a member back to the quote, and strangers to where members sign in", () =>
    Effect.gen(function* () {
      const { account, owner } = yield* openAccount
      const other = yield* openAccount
      const { siteId } = yield* listSite()
      const { key } = yield* issueKey(account.accountId)
      const quote = placedBy(yield* postOrder(key, cart([item(siteId)])))
      const { pathname: path } = new URL(quote.payment_url ?? "")
      yield* visit({ method: "POST", path: `${path}/abandon` })
      const back = `<a href="/account/quotes/${quote.quote_id}">Back to your account</a>`
      const seen = yield* visit({ path, token: owner })
      assert.include(seen.text, back)
      assert.include(seen.text, "This order was for 1 backlink at 5.00 EUR. You decided not to buy.")
      for (const stranger of [yield* visit({ path }), yield* visit({ path, token: other.owner })]) {
        assert.include(stranger.text, "You can close this page.")
        assert.include(stranger.text, 'Are you a member of the account? <a href="/account/quotes?state=ended">')
        assert.notInclude(stranger.text, "/account/quotes/")
      }
      const unknown = yield* visit({ path: "/pay/none" })
      assert.strictEqual(unknown.status, 404)
      for (const says of ["Nothing was charged.", 'href="/account/quotes?state=payment"'])
        assert.include(unknown.text, says)
    })
  )
})
