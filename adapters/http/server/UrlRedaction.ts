// Keeps secrets in URLs out of spans, logs and errors. Provide it to the server below the router.
import { Layer } from "effect"
import { HttpMiddleware, UrlParams } from "effect/http"

/** `key` carries the API key of clients that cannot send headers. The list replaces the library's defaults, so it repeats them. */
const SECRET_PARAMS: ReadonlyArray<string | RegExp> = [
  ...UrlParams.CurrentRedactedNames.defaultValue(),
  /^(?:api[_-]?)?key$/i,
  /^(?:(?:access|refresh)[_-]?)?token$/i,
  /^(?:code|code[_-]?verifier|state)$/i
]

/** Also undoes repeated encoding of the percent sign. */
const decodeOnce = (url: string): string =>
  url.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The second pass is for an encoding whose own digits are encoded. */
const decode = (url: string): string => (url.includes("%") ? decodeOnce(decodeOnce(url)) : url)

/** The proxy of the operator's manual keeps the same paths out of its logs. */
const SECRET_URL = /^\/+(?:pay|mcp|account|oauth)\b|sn_(?:live|test)_/i

/**
 * Requests without a server span, in any case, any encoding and with any number of leading slashes: the path of a payment page is the
 * right to pay, pages of the member area and of connections have tokens and searches in their queries, URLs of `/mcp` may hold a key in a spelling that redaction misses, and any URL may hold a key by mistake, such as in
 * place of an id.
 */
export const isSecret = ({ url }: { readonly url: string }): boolean => SECRET_URL.test(decode(url))

export const layer: Layer.Layer<never> = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, SECRET_PARAMS),
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, isSecret)
)
