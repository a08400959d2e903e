// The cookies of the member area: the session, what the last form did, the page to come back to after a sign-in, by which the browser is known
// at the next one, and for which sign-in mail it asked.
import { Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { cookiePrefix, devicesCookie } from "#adapters/contract/access/Consent.ts"
import { SESSION_MAX_MS, SIGN_IN_LINK_MS } from "#core/domain/members/Session.ts"

type Response = HttpServerResponse.HttpServerResponse

const OPTIONS = { path: "/", httpOnly: true, sameSite: "lax" } as const

/** Shown by the next page, which follows at once. */
const DONE_MAX_AGE = "1 minute"

const MAX_DONE = 500

/** The time for which a request for consent waits. */
const NEXT_MAX_AGE = "1 hour"

/** Browsers keep no cookie for longer. It outlives the session, and a sign-out. */
const DEVICES_MAX_AGE = "400 days"

export const makeCookies = (publicUrl: string) => {
  const secure = publicUrl.startsWith("https:")
  const prefix = cookiePrefix(publicUrl)
  const names = {
    session: `${prefix}session`,
    done: `${prefix}done`,
    next: `${prefix}next`,
    asked: `${prefix}asked`,
    devices: devicesCookie(publicUrl)
  }
  const options = { ...OPTIONS, secure }
  const end = (name: string) => (response: Response) => HttpServerResponse.expireCookieUnsafe(response, name, options)
  return {
    names,
    /** `null` ends it. */
    withSession: (response: Response, token: Redacted.Redacted<string> | null): Response =>
      token === null
        ? end(names.session)(response)
        : HttpServerResponse.setCookieUnsafe(response, names.session, Redacted.value(token), {
            ...options,
            maxAge: SESSION_MAX_MS
          }),
    withDone: (response: Response, text: string): Response =>
      HttpServerResponse.setCookieUnsafe(response, names.done, text.slice(0, MAX_DONE), {
        ...options,
        maxAge: DONE_MAX_AGE
      }),
    withoutDone: end(names.done),
    withDevices: (response: Response, marks: string): Response =>
      HttpServerResponse.setCookieUnsafe(response, names.devices, marks, { ...options, maxAge: DEVICES_MAX_AGE }),
    /** `null` ends it. */
    withAsked: (response: Response, kept: string | null): Response =>
      kept === null
        ? end(names.asked)(response)
        : HttpServerResponse.setCookieUnsafe(response, names.asked, kept, { ...options, maxAge: SIGN_IN_LINK_MS }),
    /** `null` ends it. */
    withNext: (response: Response, path: string | null): Response =>
      path === null
        ? end(names.next)(response)
        : HttpServerResponse.setCookieUnsafe(response, names.next, path, { ...options, maxAge: NEXT_MAX_AGE })
  }
}

export type Cookies = ReturnType<typeof makeCookies>
