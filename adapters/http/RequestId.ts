// The id of the request in hand: in every answer's Request-Id header, in every error body and on every log line.
import { randomUUID } from "node:crypto"
import { Context, Effect } from "effect"

/** Outside of any request. */
export const NO_REQUEST_ID = "req_none"

/** Made by `Envelope` for each request; nothing a client sends is taken for it. */
export const CurrentRequestId = Context.Reference<string>("backlinks/adapters/http/CurrentRequestId", {
  defaultValue: () => NO_REQUEST_ID
})

export const makeRequestId: Effect.Effect<string> = Effect.sync(() => `req_${randomUUID().replaceAll("-", "")}`)
