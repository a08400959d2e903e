// What the server does for `Access`: recognises the key, wants the endpoint's scope, counts the call, and lets the request in
// with its caller. In that order, and before anything else of the request is looked at.
import { Context, Effect, Layer, Redacted } from "effect"
import type { HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { InsufficientScope } from "#core/domain/Refusal.ts"
import { Authenticate } from "#core/usecases/Authenticate.ts"
import { Access, CurrentCaller, RequiredScope } from "./api/Access.ts"
import { makeRateGate, type Rates } from "./RateGate.ts"
import { failureResponse } from "./Refusing.ts"

export const layer = (rates: Rates): Layer.Layer<Access, never, Authenticate> =>
  Layer.effect(
    Access,
    Effect.gen(function* () {
      const { authenticate } = yield* Authenticate
      const countCall = yield* makeRateGate(rates)

      const admit = Effect.fnUntraced(function* (credential: Redacted.Redacted, scope: "read" | "order") {
        const caller = yield* authenticate(Redacted.value(credential) === "" ? undefined : credential)
        if (!caller.scopes.includes(scope)) {
          return yield* new InsufficientScope({ required: scope, held: caller.scopes })
        }
        yield* countCall(caller.keyId, scope)
        return caller
      })

      return Access.of({
        apiKey: (httpEffect, { credential, endpoint }) => {
          // An endpoint without the annotation would be open to any key; the stricter scope is the safe reading.
          const scope = Context.getOrElse(endpoint.annotations, RequiredScope, () => "order" as const)
          return Effect.matchEffect(admit(credential, scope), {
            onFailure: (failure): Effect.Effect<HttpServerResponse.HttpServerResponse> => failureResponse(failure),
            onSuccess: (caller) => Effect.provideService(httpEffect, CurrentCaller, caller)
          })
        }
      })
    })
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
