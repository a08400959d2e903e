// An API key that a client sends where keys are not read: in another header, under another scheme, or in the query. It is recognised only to
// tell the client where the key belongs; it admits no caller.
import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { isTokenText } from "#core/domain/access/AccessToken.ts"
import { parseKey } from "#core/domain/access/ApiKeyFormat.ts"
import { MisplacedApiKey } from "../errors/AdapterFailure.ts"

export interface MayHoldKey {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Path and query, as in the request line. */
  readonly url: string
}

const KEY = /sn_(?:live|test)_[0-9A-Za-z]*/

/** The key in this text, masked as its owner is shown it in the member area; `null` if no whole key is in it. */
const maskedIn = (text: string): string | null => {
  const parsed = parseKey(KEY.exec(text)?.[0] ?? "")
  return Result.isSuccess(parsed) ? `${parsed.success.prefix}…${parsed.success.lastFour}` : null
}

const found = (place: string, text: string) => new MisplacedApiKey({ place, shown: maskedIn(text) })

const AUTHORIZATION = "the Authorization header"

const inAuthorization = (value: string): MisplacedApiKey | undefined => {
  const [scheme = "", ...rest] = value.trim().split(/\s+/)
  if (rest.length === 0) {
    return KEY.test(scheme) || isTokenText(scheme) ? found(`${AUTHORIZATION} without a scheme`, scheme) : undefined
  }
  if (/^basic$/i.test(scheme)) {
    const pair = Result.getOrElse(Base64.decodeString(rest.join("")), () => "")
    return KEY.test(pair) ? found(`${AUTHORIZATION} with the scheme Basic`, pair) : undefined
  }
  return KEY.test(value) ? found(`${AUTHORIZATION} with another scheme`, value) : undefined
}

/** A name may be a key itself. */
const headerShown = (name: string): string => {
  if (name === "x-api-key") return "the header X-API-Key"
  return name.length <= 30 && !name.includes("sn_") ? `the header ${name}` : "a header"
}

const API_KEY_HEADER = /^(?:x-)?api-?key$/

/** The address of the page that a request comes from may have a key in it, which is not meant for this service. */
const NOT_SENT_BY_CLIENT: ReadonlySet<string> = new Set(["authorization", "referer"])

const inHeaders = (headers: MayHoldKey["headers"]): MisplacedApiKey | undefined => {
  for (const [name, value = ""] of Object.entries(headers)) {
    if (NOT_SENT_BY_CLIENT.has(name) || value.trim() === "") continue
    if (API_KEY_HEADER.test(name) || KEY.test(value)) return found(headerShown(name), value)
  }
  return undefined
}

const KEY_PARAM = /^(?:(?:api[_-]?)?key|(?:access[_-]?)?token)$/i

const inQuery = (url: string): MisplacedApiKey | undefined => {
  const start = url.indexOf("?")
  if (start === -1) return undefined
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const text = `${name} ${value}`
    if (KEY.test(text) || (KEY_PARAM.test(name) && value !== "")) return found("the query of the URL", text)
  }
  return undefined
}

/** The first place in which a key came; for requests without a bearer token. */
export const misplacedKey = ({ headers, url }: MayHoldKey): MisplacedApiKey | undefined =>
  inAuthorization(headers["authorization"] ?? "") ?? inHeaders(headers) ?? inQuery(url)
