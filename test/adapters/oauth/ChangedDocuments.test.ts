// A client's document changes after it was read: before the owner decides, between consent and token, and between consent and a refresh.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect, vi } from "vitest"
import { DocumentRefused } from "#core/ports/access/ClientDocuments.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { type Browser, makeBrowser } from "./Browser.ts"
import {
  authorizePath,
  CALLBACK,
  callApi,
  exchange,
  formOf,
  leave,
  newVerifier,
  type Request,
  refresh,
  tokensOf
} from "./Flow.ts"
import { OAuthTestbed, layer as oauthService } from "./OAuthService.ts"

/** A document is kept for a minute at least, by the machine's clock. A code is good for as long. */
const KEPT_MS = 60_000
const LATE_MS = KEPT_MS - 5_000

const later = (ms: number) => Effect.sync(() => void vi.setSystemTime(Date.now() + ms))

/** While the scope is open, the machine's clock stands still, unless the test sets it forward. */
const setClock = Effect.acquireRelease(
  Effect.sync(() => void vi.useFakeTimers({ toFake: ["Date"] })),
  () => Effect.sync(() => void vi.useRealTimers())
)

let number = 0

const publish = (clientId: string, changes: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(OAuthTestbed, ({ documents }) => {
    const metadata = { client_id: clientId, client_name: "A published client", redirect_uris: [CALLBACK], ...changes }
    documents.set(clientId, { text: JSON.stringify(metadata), cacheControl: "max-age=0" })
  })

/** The client begins, with a document that was just read; the owner has the page before them. */
const begin = Effect.gen(function* () {
  const { owner, account } = yield* openAccount
  const browser = yield* makeBrowser(owner)
  const clientId = `https://client.example/changing/${++number}.json`
  yield* publish(clientId)
  const request: Request = { clientId, verifier: newVerifier(), params: { scope: "read order" } }
  const { location } = yield* browser.get(authorizePath(request))
  return { browser, account, request, location }
})

/** Consent close to the end of the minute, so that the code outlives what is kept of the document. */
const codeFor = Effect.fnUntraced(function* (browser: Browser, location: string) {
  yield* later(LATE_MS)
  const page = yield* browser.get(location)
  const answer = yield* leave(browser, yield* browser.post(`${location}/allow`, formOf(page)))
  return answer.searchParams.get("code") ?? ""
})

const OTHER = "http://localhost:33418/another"

/** What the client's document has become, and what the client is told then. */
const invalid: Readonly<Record<string, Readonly<Record<string, unknown>> | DocumentRefused>> = {
  "names another client": { client_id: "https://client.example/other.json" },
  "has an address where the answer could go astray": { redirect_uris: [CALLBACK, "http://evil.example/"] },
  "has a secret": { client_secret: "known to all" },
  "leads to a private address": new DocumentRefused({ reason: "address" }),
  "is too large": new DocumentRefused({ reason: "too_large" })
}

const change = (clientId: string, to: Readonly<Record<string, unknown>> | DocumentRefused) =>
  to instanceof DocumentRefused
    ? Effect.map(OAuthTestbed, ({ documents }) => void documents.set(clientId, to))
    : publish(clientId, to)

const away = ["unreachable", "too_slow", "unavailable", "busy"] as const

layer(oauthService(), { excludeTestServices: true })("A client's document that", (it) => {
  it.effect("is away ends no connection for a day, and begins none", () =>
    Effect.gen(function* () {
      yield* setClock
      const { advance } = yield* MovableClock
      const { documents } = yield* OAuthTestbed
      const { browser, request, location } = yield* begin
      let tokens = tokensOf(yield* exchange(request, yield* codeFor(browser, location)))
      for (const reason of away) {
        documents.set(request.clientId, new DocumentRefused({ reason }))
        yield* later(KEPT_MS)
        const answer = yield* refresh(request.clientId, tokens.refresh)
        expect([reason, answer.status]).toEqual([reason, 200])
        tokens = tokensOf(answer)
        expect((yield* callApi(tokens.access)).status).toBe(200)
        const asking = { clientId: `${request.clientId}?${reason}`, verifier: newVerifier() }
        documents.set(asking.clientId, new DocumentRefused({ reason }))
        expect((yield* browser.get(authorizePath(asking))).status).toBe(400)
      }
      // What says something about the document counts at once.
      documents.set(request.clientId, new DocumentRefused({ reason: "status" }))
      yield* later(KEPT_MS)
      expect((yield* refresh(request.clientId, tokens.refresh)).body["error"]).toBe("invalid_client")
      documents.set(request.clientId, new DocumentRefused({ reason: "unreachable" }))
      yield* advance(86_400_000)
      yield* later(KEPT_MS)
      expect((yield* refresh(request.clientId, tokens.refresh)).body["error"]).toBe("invalid_client")
    }).pipe(Effect.scoped)
  )

  it.effect("does not name the address any more makes its code worthless, at every address", () =>
    Effect.gen(function* () {
      yield* setClock
      for (const redirect_uri of [CALLBACK, OTHER]) {
        const { browser, request, location } = yield* begin
        const code = yield* codeFor(browser, location)
        yield* publish(request.clientId, { redirect_uris: [OTHER] })
        yield* later(KEPT_MS - LATE_MS)
        const { status, body } = yield* exchange(request, code, { redirect_uri })
        expect([status, body["error"], "access_token" in body]).toEqual([400, "invalid_grant", false])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("still names the address changes nothing", () =>
    Effect.gen(function* () {
      yield* setClock
      const { browser, request, location } = yield* begin
      const code = yield* codeFor(browser, location)
      yield* publish(request.clientId, { redirect_uris: [OTHER, CALLBACK], client_name: "Renamed" })
      yield* later(KEPT_MS - LATE_MS)
      const tokens = tokensOf(yield* exchange(request, code))
      yield* publish(request.clientId, { redirect_uris: [OTHER] })
      yield* later(KEPT_MS)
      const next = tokensOf(yield* refresh(request.clientId, tokens.refresh))
      expect((yield* callApi(next.access)).status).toBe(200)
      expect((yield* callApi(next.access)).body["key"]).toMatchObject({ label: "A published client" })
    }).pipe(Effect.scoped)
  )

  for (const [becomes, to] of Object.entries(invalid)) {
    it.effect(`${becomes} stops codes, refreshes until it is mended, and consent`, () =>
      Effect.gen(function* () {
        yield* setClock
        const { browser, request, location } = yield* begin
        const code = yield* codeFor(browser, location)
        yield* change(request.clientId, to)
        yield* later(KEPT_MS - LATE_MS)
        const refused = yield* exchange(request, code)
        expect([refused.status >= 400, "access_token" in refused.body]).toEqual([true, false])

        const again = yield* begin
        const tokens = tokensOf(yield* exchange(again.request, yield* codeFor(again.browser, again.location)))
        yield* change(again.request.clientId, to)
        yield* later(KEPT_MS)
        const held = yield* refresh(again.request.clientId, tokens.refresh)
        expect([held.status >= 400, "access_token" in held.body]).toEqual([true, false])
        yield* publish(again.request.clientId)
        expect((yield* refresh(again.request.clientId, tokens.refresh)).status).toBe(200)

        const waiting = yield* begin
        const form = formOf(yield* waiting.browser.get(waiting.location))
        yield* change(waiting.request.clientId, to)
        yield* later(KEPT_MS)
        expect((yield* waiting.browser.get(waiting.location)).status).toBe(410)
        expect((yield* waiting.browser.post(`${waiting.location}/allow`, form)).status).toBe(303)
        const { connections } = yield* Credentials
        expect(yield* connections(waiting.account.accountId)).toEqual([])
      }).pipe(Effect.scoped)
    )
  }

  it.effect("rules out refresh tokens after the consent gets no more of them", () =>
    Effect.gen(function* () {
      yield* setClock
      const { browser, request, location } = yield* begin
      const tokens = tokensOf(yield* exchange(request, yield* codeFor(browser, location)))
      yield* publish(request.clientId, { grant_types: ["authorization_code"] })
      yield* later(KEPT_MS)
      const { status, body } = yield* refresh(request.clientId, tokens.refresh)
      expect([status, "access_token" in body]).toEqual([400, false])
    }).pipe(Effect.scoped)
  )

  it.effect("has another name while the owner looks at the page is shown again, and let in as what was seen", () =>
    Effect.gen(function* () {
      yield* setClock
      const { browser, request, location, account } = yield* begin
      const form = formOf(yield* browser.get(location))
      yield* publish(request.clientId, { client_name: "Your bank" })
      yield* later(KEPT_MS)
      const stale = yield* browser.post(`${location}/allow`, form)
      expect([stale.status, stale.text.includes("request has changed since you opened this page")]).toEqual([409, true])
      const { connections } = yield* Credentials
      expect(yield* connections(account.accountId)).toEqual([])
      yield* browser.post(`${location}/allow`, formOf(stale))
      expect(yield* connections(account.accountId)).toMatchObject([{ connection: { label: "Your bank" } }])
    }).pipe(Effect.scoped)
  )
})
