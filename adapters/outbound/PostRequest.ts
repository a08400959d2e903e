// One POST of a webhook over a dispatcher, by a handler of undici's: its `request` would make streams and promises for the response. At
// most 4 KiB of the response's body are read.
import type { Dispatcher } from "@effect/platform-node/Undici"
import { Effect } from "effect"
import type { Dispatch } from "#core/ports/webhooks/WebhookSender.ts"
import { type DialFault, dialFault } from "./DialFault.ts"

const MAX_RESPONSE_BYTES = 4 * 1_024

export interface ReceiverResponse {
  readonly httpStatus: number
  readonly retryAfter: string | undefined
}

// One time limit covers the whole attempt, so undici's are off.
const timeouts = { headersTimeout: 0, bodyTimeout: 0 }

const first = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" ? header : header?.[0]

/** An interruption closes the connection; a body read to its end leaves it open for the next request. */
export const post = (
  { origin, pathname, search }: URL,
  { headers, body }: Dispatch,
  dispatcher: Dispatcher
): Effect.Effect<ReceiverResponse, DialFault> =>
  Effect.callback<ReceiverResponse, DialFault>((resume) => {
    let controller: Dispatcher.DispatchController | undefined
    let response: ReceiverResponse | undefined
    let bytes = 0
    let isEnded = false
    const abort = () => controller?.abort(new Error("the attempt has ended"))

    // In a microtask, because undici's parser is not done with the response.
    const end = (result: Effect.Effect<ReceiverResponse, DialFault>) => {
      if (isEnded) return
      isEnded = true
      queueMicrotask(() => resume(result))
    }

    const options = { origin, path: `${pathname}${search}`, method: "POST", headers, body, ...timeouts } as const
    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        controller = started
        // It was interrupted while it waited for a connection.
        if (isEnded) abort()
      },
      onResponseStart: (_, httpStatus, received) => {
        // A status below 200 announces the response.
        if (httpStatus >= 200) response = { httpStatus, retryAfter: first(received["retry-after"]) }
      },
      onResponseData: (_, chunk) => {
        bytes += chunk.length
        if (bytes <= MAX_RESPONSE_BYTES || response === undefined) return
        end(Effect.succeed(response))
        abort()
      },
      onResponseEnd: () => end(response === undefined ? Effect.fail("invalid_response") : Effect.succeed(response)),
      onResponseError: (_, error) => end(Effect.fail(dialFault(error)))
    })
    return Effect.sync(() => {
      isEnded = true
      abort()
    })
  })
