// Server side of the `Access` middleware: provides the caller to the handler, and adds the rate headers to the response.
import { Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Access, CurrentCaller } from "./api/Access.ts"
import { failureResponse } from "./ErrorResponses.ts"
import { Authorization } from "./operations/Authorization.ts"
import { addRateHeaders } from "./RequestRateLimit.ts"

type Response = HttpServerResponse.HttpServerResponse
type Authorized = Effect.Success<ReturnType<Authorization["Service"]["authorize"]>>
type AccessFailure = Effect.Error<ReturnType<Authorization["Service"]["authorize"]>>

export const layer: Layer.Layer<Access, never, Authorization> = Layer.effect(
  Access,
  Effect.map(Authorization, ({ authorize }) => {
    const refuse = (failure: AccessFailure) => {
      if (failure._tag !== "RateLimited") return failureResponse(failure)
      const { kind, limit, retryAfterSeconds: resetSeconds } = failure
      return Effect.andThen(addRateHeaders({ kind, limit, remaining: 0, resetSeconds }), failureResponse(failure))
    }
    const admit = <E, R>(httpEffect: Effect.Effect<Response, E, R>, { caller, rate }: Authorized) => {
      const handled = Effect.provideService(httpEffect, CurrentCaller, caller)
      return rate === undefined ? handled : Effect.andThen(addRateHeaders(rate), handled)
    }
    return Access.of({
      apiKey: (httpEffect, { credential, endpoint }) =>
        Effect.matchEffect(authorize(credential, endpoint), {
          onFailure: refuse,
          onSuccess: (authorized) => admit(httpEffect, authorized)
        })
    })
  })
)
