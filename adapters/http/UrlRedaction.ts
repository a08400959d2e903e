// What of a URL never reaches a span, a log or an error. Provide it to the server below the router.
import { Layer } from "effect"
import { HttpMiddleware, UrlParams } from "effect/http"

/** `key` is how clients that cannot send headers pass their API key. The rest are the library's own, which this list replaces. */
const SECRET_PARAMS: ReadonlyArray<string | RegExp> = [
  ...UrlParams.CurrentRedactedNames.defaultValue(),
  /^(?:api[_-]?)?key$/i,
  /^(?:access[_-]?)?token$/i
]

/**
 * Requests that leave no span of the server's own, whatever the case and the number of slashes they are written with: the path
 * of a payment page is the right to pay, and clients that can send no headers put their key into the URL of `/mcp`, where no
 * redaction knows every way of spelling a parameter. Nor does one that has a key where none belongs, such as in place of an id.
 */
const isSecret = ({ url }: { readonly url: string }): boolean => /^\/+(?:pay|mcp)\b|sn_(?:live|test)_/i.test(url)

export const layer: Layer.Layer<never> = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, SECRET_PARAMS),
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, isSecret)
)
