// Which query parameters never reach a span, a log or an error. Provide it to whatever serves the router.
import { Layer } from "effect"
import { UrlParams } from "effect/http"

/** `key` is how clients that cannot send headers pass their API key. The rest are the library's own, which this list replaces. */
const SECRET_PARAMS: ReadonlyArray<string | RegExp> = [
  ...UrlParams.CurrentRedactedNames.defaultValue(),
  /^(?:api[_-]?)?key$/i,
  /^(?:access[_-]?)?token$/i
]

export const layer: Layer.Layer<never> = Layer.succeed(UrlParams.CurrentRedactedNames, SECRET_PARAMS)
