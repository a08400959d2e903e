// The id of the request in hand: in every answer's Request-Id header, in every error body and on every log line.
import { randomUUID } from "node:crypto"
import { Context, Effect } from "effect"

const NONE = "req_none"

/** Made by `Envelope` for each request; nothing a client sends is taken for it. */
export const CurrentRequestId = Context.Reference<string>("backlinks/adapters/http/CurrentRequestId", {
  defaultValue: () => NONE
})

export const makeRequestId: Effect.Effect<string> = Effect.sync(() => `req_${randomUUID().replaceAll("-", "")}`)

/** A request that another one makes in process, such as a tool's, goes by the id of that one. */
export const requestIdInHand: Effect.Effect<string> = Effect.flatMap(CurrentRequestId, (id) =>
  id === NONE ? makeRequestId : Effect.succeed(id)
)
