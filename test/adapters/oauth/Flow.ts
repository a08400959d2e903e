// The steps of a client and its person at the authorization server, each as plain HTTP.
import { createHash, randomBytes } from "node:crypto"
import { Effect } from "effect"
import { RunningService } from "#test/scenarios/RunningService.ts"
import type { Answer, Browser } from "./Browser.ts"

export const CALLBACK = "http://localhost:33418/callback"

export interface JsonAnswer {
  readonly status: number
  readonly headers: Headers
  /** The members have the types that the test expects. */
  readonly body: Readonly<Record<string, unknown>>
}

const sendJson = (path: string, init: RequestInit) =>
  Effect.flatMap(RunningService, ({ url }) =>
    Effect.promise(async (): Promise<JsonAnswer> => {
      const response = await fetch(new URL(path, url), { redirect: "manual", ...init })
      const text = await response.text()
      // An address that is not served is a page for people.
      const body = text === "" || text.startsWith("<!DOCTYPE html>") ? {} : JSON.parse(text)
      return { status: response.status, headers: response.headers, body }
    })
  )

export const getJson = (path: string, headers: Readonly<Record<string, string>> = {}) => sendJson(path, { headers })

export const postJson = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  sendJson(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

export const register = (metadata: Readonly<Record<string, unknown>> = {}) =>
  postJson("/oauth/register", { client_name: "An assistant", redirect_uris: [CALLBACK], ...metadata })

export const registeredId = (metadata: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(register(metadata), ({ body }) => String(body["client_id"]))

export const newVerifier = (): string => randomBytes(32).toString("base64url")

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url")

export interface Request {
  readonly clientId: string
  readonly verifier: string
  /** In place of the usual parameters; `null` leaves one out. */
  readonly params?: Readonly<Record<string, string | null>>
}

export const authorizePath = ({ clientId, verifier, params = {} }: Request): string => {
  const all: Record<string, string | null> = {
    client_id: clientId,
    response_type: "code",
    redirect_uri: CALLBACK,
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    state: "a state",
    ...params
  }
  const given = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

/** A box that is not ticked sends nothing. */
const FIELD = /<input(?![^>]*type="checkbox"(?![^>]* checked))[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g

/** The person allows what the client asks for: a box that the page shows, unticked. */
export const MAY_ORDER = { may_order: "on" }

const unescape = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&")

/** What the consent form would send, with other values for some fields. */
export const formOf = (page: Answer, changes: Readonly<Record<string, string>> = {}) => {
  const form = page.text.slice(page.text.indexOf('<form class="wide"'))
  const fields = [...form.matchAll(FIELD)].map(([, name = "", value = ""]) => [name, unescape(value)] as const)
  const selected = /<option value="([^"]*)" selected/.exec(form)?.[1] ?? "live"
  return { mode: selected, ...Object.fromEntries(fields), ...changes }
}

/** Where the page after the consent leads. */
export const wayOut = (page: Answer): string => /href="([^"]*\/oauth\/authorize\/[^"]+)"/.exec(page.text)?.[1] ?? ""

/** Goes on from the answer to a form until the browser would leave the service; where to. */
export const leave = Effect.fnUntraced(function* (browser: Browser, after: Answer) {
  const page = yield* browser.get(after.location)
  return new URL((yield* browser.get(wayOut(page))).location)
})

/** The person opens the client's request and consents; where the browser is sent then. */
export const consentAt = Effect.fnUntraced(function* (
  browser: Browser,
  to: string,
  changes: Readonly<Record<string, string>> = {}
) {
  const { location } = yield* browser.get(to)
  const page = yield* browser.get(location)
  return yield* leave(
    browser,
    yield* browser.post(`${new URL(location, "http://x").pathname}/allow`, formOf(page, changes))
  )
})

export const consent = (browser: Browser, request: Request, changes: Readonly<Record<string, string>> = {}) =>
  consentAt(browser, authorizePath(request), changes)

export const exchange = (
  { clientId, verifier }: Request,
  code: string,
  params: Readonly<Record<string, string>> = {}
) =>
  sendJson("/oauth/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...params
    })
  })

export const refresh = (clientId: string, refreshToken: string, params: Readonly<Record<string, string>> = {}) =>
  sendJson("/oauth/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: refreshToken,
      ...params
    })
  })

/** The client gives its token back (RFC 7009). */
export const revokeToken = (clientId: string, token: string) =>
  sendJson("/oauth/revoke", { method: "POST", body: new URLSearchParams({ client_id: clientId, token }) })

export interface Tokens {
  readonly access: string
  readonly refresh: string
  readonly scope: string
}

export const tokensOf = ({ body }: JsonAnswer): Tokens => ({
  access: String(body["access_token"]),
  refresh: String(body["refresh_token"]),
  scope: String(body["scope"])
})

/** Registers, consents and exchanges the code. */
export const connect = Effect.fnUntraced(function* (
  browser: Browser,
  params: Readonly<Record<string, string | null>> = {},
  changes: Readonly<Record<string, string>> = MAY_ORDER
) {
  const request: Request = { clientId: yield* registeredId(), verifier: newVerifier(), params }
  const answer = yield* consent(browser, request, changes)
  const code = answer.searchParams.get("code") ?? ""
  return { request, answer, code, tokens: tokensOf(yield* exchange(request, code)) }
})

export const callApi = (token: string, path = "/api/v1/agent/me") =>
  getJson(path, token === "" ? {} : { authorization: `Bearer ${token}` })
