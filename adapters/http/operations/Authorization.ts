// Admits a call of an operation: authenticates the key, checks the endpoint's scope and counts the call against the key's rate,
// in this order and before the input is read.
import { Context, Effect, Redacted } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { RateLimited } from "#adapters/contract/errors/AdapterFailure.ts"
import { InsufficientScope } from "#core/domain/access/AccessRefusal.ts"
import type { Resource } from "#core/domain/access/AccessToken.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { Authenticate } from "#core/usecases/access/Authenticate.ts"
import { RequiredScope } from "../api/Access.ts"
import { makeRequestRateLimit, type RateStatus, type Rates } from "../server/RequestRateLimit.ts"
import { RequestTurns } from "../server/RequestTurns.ts"

export interface Admitted {
  readonly caller: Caller
  /** What the key has left of its rate, if it has one. */
  readonly rate: RateStatus | undefined
}

export const makeAuthorize = Effect.fnUntraced(function* (rates: Rates) {
  const { authenticate } = yield* Authenticate
  const { recordKey } = yield* RequestTurns
  const countCall = yield* makeRequestRateLimit(rates)
  return ({ annotations }: HttpApiEndpoint.Top) => {
    // An endpoint without the annotation would be open to any key; the stricter scope is the safe reading.
    const scope = Context.getOrElse(annotations, RequiredScope, () => "order" as const)
    const admit = (caller: Caller): Effect.Effect<Admitted, InsufficientScope | RateLimited> =>
      caller.scopes.includes(scope)
        ? Effect.map(countCall(caller.keyId, scope), (rate) => ({ caller, rate }))
        : Effect.fail(new InsufficientScope({ required: scope, held: caller.scopes }))
    return (credential: Redacted.Redacted, resource: Resource) =>
      // An empty credential counts as missing.
      Effect.flatMap(authenticate(Redacted.value(credential) === "" ? undefined : credential, resource), (caller) => {
        recordKey(credential, caller)
        return admit(caller)
      })
  }
})

/** Admits the calls of one endpoint. */
export type Authorize = ReturnType<Effect.Success<ReturnType<typeof makeAuthorize>>>
