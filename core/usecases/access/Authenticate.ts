// Authenticates a client by the API key or the access token it presents. Keys with a wrong checksum are refused without a look-up.
import { Cache, Clock, Context, Effect, Exit, Layer, Redacted, Result } from "effect"
import { Digest } from "effect/crypto"
import {
  type ExpiredApiKey,
  InvalidApiKey,
  MissingApiKey,
  ReplacedApiKey,
  type RevokedApiKey
} from "#core/domain/access/AccessRefusal.ts"
import { isTokenText, type Resource, TOKEN_FRESH_MS } from "#core/domain/access/AccessToken.ts"
import { type Caller, callerOf, checkFound, type FoundKey, formerText, type Scope } from "#core/domain/access/ApiKey.ts"
import { isKeyText, parseKey } from "#core/domain/access/ApiKeyFormat.ts"
import { accessTokenOf } from "#core/domain/access/OAuthArtifact.ts"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

const bytes = new TextEncoder()

const MAX_CACHED_TOKENS = 10_000

const MAX_KNOWN_KEYS = 10_000

type CredentialFault = ExpiredApiKey | InvalidApiKey | ReplacedApiKey | RevokedApiKey | StoreUnavailable

/** The catalogue shows what the caller placed itself, at most. */
const withoutAccount = (caller: Caller): Caller => ({ ...caller, seesAccount: false })

export class Authenticate extends Context.Service<
  Authenticate,
  {
    /** `resource` is what the client calls; tokens of another one are refused. Keys open every resource. */
    readonly authenticate: (
      credential: Redacted.Redacted<string> | undefined,
      resource?: Resource
    ) => Effect.Effect<Caller, MissingApiKey | CredentialFault>
  }
>()("backlinks/usecases/access/Authenticate") {
  static readonly layer = Layer.effect(
    Authenticate,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { find } = yield* Grants
      const digest = yield* Digest.Digest
      // A token that is not known may be issued at any time, so that this is not remembered.
      const tokenWithHash = (hash: string) =>
        Effect.map(find("AccessToken", hash), (artifact) => artifact && accessTokenOf(artifact))
      const tokens = yield* Cache.makeWith(tokenWithHash, {
        capacity: MAX_CACHED_TOKENS,
        timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== null ? TOKEN_FRESH_MS : 0)
      })

      const hashOf = (text: string) => digest.digestHex(Digest.sha256, bytes.encode(text))

      /** Hashes of keys that were admitted, so that a key in use is neither checked nor hashed again. A `Cache` would retain requests. */
      const hashes = new BoundedMap<string, string>(MAX_KNOWN_KEYS)

      const admit = (
        key: FoundKey | null,
        nowMs: number,
        scopes?: ReadonlyArray<Scope>
      ): Effect.Effect<Caller, ExpiredApiKey | InvalidApiKey | RevokedApiKey | StoreUnavailable> => {
        if (key === null) return Effect.fail(new InvalidApiKey())
        const ended = checkFound(key)
        if (Result.isFailure(ended)) return Effect.fail(ended.failure)
        const caller = callerOf(key)
        const allowed =
          scopes === undefined ? caller : { ...caller, scopes: key.scopes.filter((one) => scopes.includes(one)) }
        return Effect.as(keys.recordUse(key.keyId, nowMs), allowed)
      }

      const byToken = Effect.fnUntraced(function* (text: string, resource: Resource) {
        const token = isTokenText(text) ? yield* Cache.get(tokens, yield* hashOf(text)) : null
        const nowMs = yield* Clock.currentTimeMillis
        if (token === null || token.resource !== resource || token.expiresAtMs <= nowMs)
          return yield* new InvalidApiKey()
        // The hash of a connection is its id.
        return yield* admit(yield* keys.byHash(token.connectionId), nowMs, token.scopes)
      })

      const byKeyHash = (hash: string) =>
        Effect.clockWith((clock) =>
          Effect.flatMap(keys.byHash(hash), (key): Effect.Effect<Caller, CredentialFault> => {
            const nowMs = clock.currentTimeMillisUnsafe()
            const former = key?.former === undefined ? undefined : formerText(key, hash)
            const isReplaced = former !== undefined && former.untilMs <= nowMs
            return isReplaced && key !== null && Result.isSuccess(checkFound(key))
              ? Effect.fail(new ReplacedApiKey())
              : admit(key, nowMs)
          })
        )

      const byNewKey = Effect.fnUntraced(function* (text: string) {
        if (Result.isFailure(parseKey(text))) return yield* new InvalidApiKey()
        const hash = yield* hashOf(text)
        const caller = yield* byKeyHash(hash)
        hashes.set(text, hash)
        return caller
      })

      const authenticate: Authenticate["Service"]["authenticate"] = (credential, resource = "service") => {
        const text = credential === undefined ? "" : Redacted.value(credential)
        if (text === "") return Effect.fail(new MissingApiKey())
        const hash = hashes.get(text)
        const found = !isKeyText(text) ? byToken(text, resource) : hash === undefined ? byNewKey(text) : byKeyHash(hash)
        return resource === "service" ? found : Effect.map(found, withoutAccount)
      }

      return Authenticate.of({ authenticate })
    })
  )
}
