// Admits a call of an operation: authenticates the key, checks the endpoint's scope and counts the call against the key's rate,
// in this order and before the input is read.
import { Context, Effect, Redacted } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Resource } from "#core/domain/AccessToken.ts"
import { InsufficientScope } from "#core/domain/Refusal.ts"
import { Authenticate } from "#core/usecases/Authenticate.ts"
import { RequiredScope } from "../api/Access.ts"
import { makeRequestRateLimit, type Rates } from "../RequestRateLimit.ts"
import { RequestTurns } from "../RequestTurns.ts"

/** An empty credential is none. */
export const makeAuthorize = Effect.fnUntraced(function* (rates: Rates) {
  const { authenticate } = yield* Authenticate
  const { recordKey } = yield* RequestTurns
  const countCall = yield* makeRequestRateLimit(rates)
  return ({ annotations }: HttpApiEndpoint.Top) => {
    // An endpoint without the annotation would be open to any key; the stricter scope is the safe reading.
    const scope = Context.getOrElse(annotations, RequiredScope, () => "order" as const)
    return Effect.fnUntraced(function* (credential: Redacted.Redacted, resource: Resource) {
      const caller = yield* authenticate(Redacted.value(credential) === "" ? undefined : credential, resource)
      recordKey(credential, caller)
      if (!caller.scopes.includes(scope)) {
        return yield* new InsufficientScope({ required: scope, held: caller.scopes })
      }
      return { caller, rate: yield* countCall(caller.keyId, scope) }
    })
  }
})

/** Admits the calls of one endpoint. */
export type Authorize = ReturnType<Effect.Success<ReturnType<typeof makeAuthorize>>>
