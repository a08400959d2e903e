// Admits a call of an operation: authenticates the key, checks the endpoint's scope and counts the call against the key's rate,
// in this order and before the input is decoded.
import { Context, Effect, Layer, Redacted } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { InsufficientScope } from "#core/domain/Refusal.ts"
import { Authenticate } from "#core/usecases/Authenticate.ts"
import { RequiredScope } from "../api/Access.ts"
import { makeRequestRateLimit, type Rates } from "../RequestRateLimit.ts"

export class Authorization extends Context.Service<Authorization>()("backlinks/adapters/http/Authorization", {
  make: Effect.fnUntraced(function* (rates: Rates) {
    const { authenticate } = yield* Authenticate
    const countCall = yield* makeRequestRateLimit(rates)

    const authorize = Effect.fnUntraced(function* (credential: Redacted.Redacted, endpoint: HttpApiEndpoint.Top) {
      const caller = yield* authenticate(Redacted.value(credential) === "" ? undefined : credential)
      // An endpoint without the annotation would be open to any key; the stricter scope is the safe reading.
      const scope = Context.getOrElse(endpoint.annotations, RequiredScope, () => "order" as const)
      if (!caller.scopes.includes(scope)) {
        return yield* new InsufficientScope({ required: scope, held: caller.scopes })
      }
      return { caller, rate: yield* countCall(caller.keyId, scope) }
    })

    return { authorize }
  })
}) {
  static readonly layer = (rates: Rates) =>
    Layer.effect(Authorization, Authorization.make(rates)).pipe(
      Layer.provide(RateLimiter.layer),
      Layer.provide(RateLimiter.layerStoreMemory)
    )
}
