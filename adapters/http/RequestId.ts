// The id of the current request: in the Request-Id header, in error bodies and on log lines.
import { randomUUID } from "node:crypto"
import { Context, Effect } from "effect"

/** Outside of any request. */
export const NO_REQUEST_ID = "req_none"

/** Made by `RouterMiddleware` per request; an id sent by a client is ignored. */
export const CurrentRequestId = Context.Reference<string>("backlinks/adapters/http/RequestId", {
  defaultValue: () => NO_REQUEST_ID
})

export const makeRequestId: Effect.Effect<string> = Effect.sync(() => `req_${randomUUID().replaceAll("-", "")}`)
