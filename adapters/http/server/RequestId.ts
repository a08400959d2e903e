// The id of the current request: in the Request-Id header, in error bodies and on log lines.
import { randomFillSync } from "node:crypto"
import { Context, Effect } from "effect"

/** Outside of any request. */
export const NO_REQUEST_ID = "req_none"

/** Made by `RouterMiddleware` per request; an id sent by a client is ignored. */
export const CurrentRequestId = Context.Reference<string>("backlinks/http/server/RequestId", {
  defaultValue: () => NO_REQUEST_ID
})

const ID_BYTES = 16

/** Random bytes are drawn for many ids at once, which costs a tenth of drawing them one by one. */
const pool = Buffer.alloc(256 * ID_BYTES)
let used = pool.length

export const newRequestId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += ID_BYTES
  return `req_${pool.toString("hex", used - ID_BYTES, used)}`
}

export const makeRequestId: Effect.Effect<string> = Effect.sync(newRequestId)
