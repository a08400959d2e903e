// Server side of the `Access` middleware: provides the caller to the handler, and adds the rate headers to the response.
import { Effect, Layer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Access, CurrentCaller } from "./api/Access.ts"
import { failureResponse } from "./ErrorResponses.ts"
import { Authorization } from "./operations/Authorization.ts"
import { addRateHeaders } from "./RequestRateLimit.ts"

type Response = HttpServerResponse.HttpServerResponse

export const layer: Layer.Layer<Access, never, Authorization> = Layer.effect(
  Access,
  Effect.map(Authorization, ({ authorize }) =>
    Access.of({
      apiKey: (httpEffect, { credential, endpoint }) =>
        Effect.matchEffect(authorize(credential, endpoint), {
          onFailure: (failure): Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest> => {
            if (failure._tag !== "RateLimited") return failureResponse(failure)
            const { kind, limit, retryAfterSeconds: resetSeconds } = failure
            return Effect.andThen(addRateHeaders({ kind, limit, remaining: 0, resetSeconds }), failureResponse(failure))
          },
          onSuccess: ({ caller, rate }) => {
            const handled = Effect.provideService(httpEffect, CurrentCaller, caller)
            return rate === undefined ? handled : Effect.andThen(addRateHeaders(rate), handled)
          }
        })
    })
  )
)
