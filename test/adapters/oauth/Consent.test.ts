// The page on which an owner consents: reached after a sign-in, for the browser that began alone, framed by no site, and confirmed where
// there is a second factor.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { addApp, nextCode } from "#test/adapters/web/AuthenticatorApps.ts"
import { linkTo, openAccount } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { type Browser, makeBrowser } from "./Browser.ts"
import {
  authorizePath,
  callApi,
  connect,
  consent,
  exchange,
  formOf,
  leave,
  MAY_ORDER,
  newVerifier,
  refresh,
  registeredId,
  tokensOf
} from "./Flow.ts"

const begin = Effect.fnUntraced(function* (browser: Browser, params: Readonly<Record<string, string>> = {}) {
  const request = { clientId: yield* registeredId(), verifier: newVerifier(), params }
  const { location } = yield* browser.get(authorizePath(request))
  return { request, location }
})

const owner = Effect.flatMap(openAccount, ({ owner: session }) => makeBrowser(session))

layer(RunningService.layer(), { excludeTestServices: true })("The consent page", (it) => {
  it.effect("is come back to after a sign-in, once", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const browser = yield* makeBrowser()
      const { location } = yield* begin(browser)
      const toSignIn = yield* browser.get(location)
      expect([toSignIn.status, toSignIn.location]).toEqual([303, "/account/sign-in"])
      const token = yield* linkTo(ownerEmail)
      const signedIn = yield* browser.post("/account/sign-in/use", { token })
      expect(signedIn.location).toBe(location)
      expect(browser.cookies.has("next /")).toBe(false)
      expect((yield* browser.get(location)).text).toContain("Allow An assistant?")
    })
  )

  it.effect("is come back to by its own address alone, whatever the cookie says", () =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      for (const next of [
        "https://evil.example/",
        "//evil.example/",
        "/account/keys",
        "/account/consent/../keys",
        "/account/consent/short"
      ]) {
        const browser = yield* makeBrowser()
        expect((yield* browser.get("/account/keys")).headers.getSetCookie()).toEqual([])
        browser.cookies.set("next /", { path: "/", text: `next=${encodeURIComponent(next)}` })
        const signedIn = yield* browser.post("/account/sign-in/use", { token: yield* linkTo(ownerEmail) })
        expect([next, signedIn.location]).toEqual([next, "/account"])
      }
    })
  )

  it.effect("says who asks, for what and where the answer goes, and warns of programs on this computer", () =>
    Effect.gen(function* () {
      const browser = yield* owner
      const { location } = yield* begin(browser, { scope: "read order" })
      const { text, headers } = yield* browser.get(location)
      for (const shown of [
        "An assistant",
        "localhost:33418",
        "program on this computer",
        "It may also order",
        "Look: "
      ]) {
        expect(text).toContain(shown)
      }
      expect(/name="approve_above"[^>]*value="0.00"/.test(text)).toBe(true)
      expect(text).toContain("An assistant that reads your mail could")
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      const readOnly = yield* browser.get((yield* begin(browser)).location)
      for (const name of ["may_order", "approve_above", "max_order", "max_day"]) {
        expect([name, text.includes(`name="${name}"`), readOnly.text.includes(`name="${name}"`)]).toEqual([
          name,
          true,
          false
        ])
      }
      expect(/<input[^>]*name="may_order"[^>]*>/.exec(text)?.[0]).not.toContain("checked")
    })
  )

  it.effect("lets a client that asks to order read alone, unless the owner ticks that it may", () =>
    Effect.gen(function* () {
      const browser = yield* owner
      const limits = { max_order: "12.50", approve_above: "" }
      const unticked = yield* connect(browser, { scope: "read order" }, limits)
      expect(unticked.tokens.scope).toBe("read")
      const held = (yield* callApi(unticked.tokens.access)).body["key"]
      // Its limits were not asked for: what a browser sends of them does not count.
      expect(held).toMatchObject({ scopes: ["read"], limits: { approve_above_cents: 0, max_order_cents: null } })
      const allowed = yield* consent(browser, unticked.request, { ...MAY_ORDER, ...limits })
      const stepped = tokensOf(yield* exchange(unticked.request, allowed.searchParams.get("code") ?? ""))
      expect(stepped.scope).toBe("read order")
      const now = (yield* callApi(stepped.access)).body["key"]
      expect(now).toMatchObject({
        scopes: ["read", "order"],
        limits: { approve_above_cents: null, max_order_cents: 1_250 }
      })
      // A refresh of the earlier token gives no more than it had.
      expect(tokensOf(yield* refresh(unticked.request.clientId, unticked.tokens.refresh)).scope).toBe("read")
      // It asks again, and is unticked again.
      const again = yield* consent(browser, unticked.request)
      expect(tokensOf(yield* exchange(unticked.request, again.searchParams.get("code") ?? "")).scope).toBe("read")
      expect((yield* callApi(stepped.access)).body["key"]).toMatchObject({ scopes: ["read"] })
      // One that asks to read alone does not order, whatever a form says.
      const reader = yield* connect(browser, { scope: "read" }, MAY_ORDER)
      expect(reader.tokens.scope).toBe("read")
    })
  )

  it.effect("makes a connection with the limits and the mode that were chosen, and the same one again", () =>
    Effect.gen(function* () {
      const browser = yield* owner
      const chosen = { ...MAY_ORDER, mode: "sandbox", max_order: "12.50", max_day: "100", approve_above: "7" }
      const { tokens, request } = yield* connect(browser, { scope: "read order" }, chosen)
      const { body } = yield* callApi(tokens.access)
      const limits = { max_order_cents: 1_250, max_day_cents: 10_000, approve_above_cents: 700 }
      expect(body["key"]).toMatchObject({ mode: "sandbox", limits })
      // Asked again, the page shows what holds, and the connection is the same one.
      const { location } = yield* browser.get(authorizePath(request))
      const page = yield* browser.get(location)
      expect(formOf(page)).toMatchObject({ mode: "sandbox", max_order: "12.50", approve_above: "7.00" })
      const answer = yield* leave(browser, yield* browser.post(`${location}/allow`, formOf(page, MAY_ORDER)))
      const again = tokensOf(yield* exchange(request, answer.searchParams.get("code") ?? ""))
      expect((yield* callApi(again.access)).body["key"]).toEqual(body["key"])
      expect((yield* callApi(tokens.access)).status).toBe(200)
    })
  )

  it.effect("takes the limits by a choice, of which asking before every order is recommended and chosen", () =>
    Effect.gen(function* () {
      const browser = yield* owner
      const { location } = yield* begin(browser, { scope: "read order" })
      expect((yield* browser.get(location)).text).toMatch(/="every" required checked[\s\S]*\(recommended\)/)
      const limitsFor = Effect.fnUntraced(function* (reach: string) {
        const { tokens } = yield* connect(browser, { scope: "read order" }, { ...MAY_ORDER, reach })
        return (yield* callApi(tokens.access)).body["key"]
      })
      expect(yield* limitsFor("ask")).toMatchObject({ limits: { approve_above_cents: 2_000, max_day_cents: 10_000 } })
      expect(yield* limitsFor("every")).toMatchObject({ limits: { approve_above_cents: 0, max_day_cents: null } })
      const form = formOf(yield* browser.get(location), { ...MAY_ORDER, reach: "every", max_day: "50" })
      expect((yield* browser.post(`${location}/allow`, form)).text).toContain('id="reach-error"')
    })
  )

  it.effect("tells the client, with state and issuer, that the owner refused", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const browser = yield* owner
      const { location } = yield* begin(browser)
      const answer = yield* leave(browser, yield* browser.post(`${location}/refuse`))
      expect(Object.fromEntries(answer.searchParams)).toMatchObject({
        error: "access_denied",
        state: "a state",
        iss: url
      })
      expect(answer.searchParams.has("code")).toBe(false)
      // It is decided.
      expect((yield* browser.get(location)).status).toBe(410)
    })
  )

  it.effect("is not for a request that began in another browser, so that a link consents to nothing", () =>
    Effect.gen(function* () {
      const attacker = yield* makeBrowser()
      const { location } = yield* begin(attacker)
      const victim = yield* owner
      expect((yield* victim.get(location)).status).toBe(410)
      for (const step of ["allow", "refuse"]) {
        expect((yield* victim.post(`${location}/${step}`, { mode: "live" })).status).toBe(410)
      }
      // The one who began has no session, and gets nothing by going on.
      const went = yield* attacker.get(location.replace("/account/consent/", "/oauth/authorize/"))
      expect(went.location.includes("code=")).toBe(false)
    })
  )

  it.effect("takes no form of another site, of a viewer, or for something else than was shown", () =>
    Effect.gen(function* () {
      const { owner: session, viewer } = yield* openAccount
      const browser = yield* makeBrowser(session)
      const { location } = yield* begin(browser, { scope: "read order" })
      const form = formOf(yield* browser.get(location))
      const foreign = yield* browser.post(`${location}/allow`, form, { "sec-fetch-site": "cross-site" })
      expect(foreign.status).toBe(403)
      const stale = yield* browser.post(`${location}/allow`, { ...form, scopes: "read" })
      expect([stale.status, stale.text.includes("request has changed since you opened this page")]).toEqual([409, true])
      const wrong = yield* browser.post(`${location}/allow`, { ...form, max_order: "much" })
      expect([wrong.status, wrong.text.includes("is not an amount of euros")]).toEqual([422, true])
      browser.cookies.set("session /", { path: "/", text: `session=${viewer}` })
      expect((yield* browser.post(`${location}/allow`, form)).status).toBe(403)
      browser.cookies.set("session /", { path: "/", text: `session=${session}` })
      expect((yield* leave(browser, yield* browser.post(`${location}/allow`, form))).searchParams.has("code")).toBe(
        true
      )
      // A second press goes on with the answer to the first.
      expect((yield* browser.post(`${location}/allow`, form)).location).toBe(`${location}/continue`)
    })
  )

  it.effect("wants a fresh code where an owner has an app: a session by mail alone consents to nothing", () =>
    Effect.gen(function* () {
      const { owner: session } = yield* openAccount
      const app = yield* addApp(session)
      const browser = yield* makeBrowser(session)
      const { location } = yield* begin(browser)
      const form = formOf(yield* browser.get(location))
      const without = yield* browser.post(`${location}/allow`, form)
      expect([without.status, without.text.includes("Confirm this with your passkey, or")]).toEqual([403, true])
      const wrong = yield* browser.post(`${location}/allow`, { ...form, code: "000000" })
      expect(wrong.status).toBe(403)
      const allowed = yield* browser.post(`${location}/allow`, { ...form, code: yield* nextCode(app) })
      expect((yield* leave(browser, allowed)).searchParams.has("code")).toBe(true)
    })
  )

  it.effect("ends with the connection: what is revoked is refused within a second, tokens and refreshes", () =>
    Effect.gen(function* () {
      const { owner: session } = yield* openAccount
      const browser = yield* makeBrowser(session)
      const { tokens, request } = yield* connect(browser)
      expect((yield* callApi(tokens.access)).status).toBe(200)
      const { connections } = yield* Credentials
      const who = yield* (yield* MemberSessions).authenticate(session)
      const [made] = yield* connections(who.account.accountId)
      yield* (yield* OwnCredentials).revoke(who, made?.connection.keyId ?? KeyId.make(""))
      expect((yield* callApi(tokens.access)).status).toBe(401)
      expect((yield* refresh(request.clientId, tokens.refresh)).body["error"]).toBe("invalid_grant")
    })
  )
})
