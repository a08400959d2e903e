// Authenticates a client by the API key it presents. Keys with a wrong checksum are refused without a look-up.
import { Clock, Context, Effect, Layer, Redacted, Result } from "effect"
import { Digest } from "effect/crypto"
import { type Caller, callerOf } from "#core/domain/ApiKey.ts"
import { parseKey } from "#core/domain/ApiKeyFormat.ts"
import { InvalidApiKey, MissingApiKey, RevokedApiKey } from "#core/domain/Refusal.ts"
import { ApiKeys } from "#core/ports/ApiKeys.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

const bytes = new TextEncoder()

export class Authenticate extends Context.Service<
  Authenticate,
  {
    readonly authenticate: (
      credential: Redacted.Redacted<string> | undefined
    ) => Effect.Effect<Caller, MissingApiKey | InvalidApiKey | RevokedApiKey | StoreUnavailable>
  }
>()("backlinks/usecases/Authenticate") {
  static readonly layer = Layer.effect(
    Authenticate,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const digest = yield* Digest.Digest

      const authenticate = Effect.fnUntraced(function* (credential: Redacted.Redacted<string> | undefined) {
        const text = credential === undefined ? "" : Redacted.value(credential)
        if (text === "") return yield* new MissingApiKey()
        if (Result.isFailure(parseKey(text))) return yield* new InvalidApiKey()
        const key = yield* keys.byHash(yield* digest.digestHex(Digest.sha256, bytes.encode(text)))
        if (key === null) return yield* new InvalidApiKey()
        if (key.revokedAtMs !== null) return yield* new RevokedApiKey()
        yield* keys.recordUse(key.keyId, yield* Clock.currentTimeMillis)
        return callerOf(key)
      })

      return Authenticate.of({ authenticate })
    })
  )
}
