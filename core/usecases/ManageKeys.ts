// Issues, limits and revokes API keys. The text of a key is returned once and stored nowhere.
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { issueKey, limitKey, revokeKey } from "#core/decisions/Keys.ts"
import type { Actor } from "#core/domain/Actor.ts"
import type { ApiKey, Scope, SpendLimits } from "#core/domain/ApiKey.ts"
import { formatKey, KEY_ENTROPY_BYTES, parseKey } from "#core/domain/ApiKeyFormat.ts"
import type { Mode } from "#core/domain/DecisionContext.ts"
import { type AccountNotFound, InvalidApiKey, type KeyLimitReached, type KeyNotFound } from "#core/domain/Refusal.ts"
import { ApiKeys } from "#core/ports/ApiKeys.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

export interface NewKey {
  readonly accountId: string
  readonly mode: Mode
  readonly label: string
  readonly scopes: ReadonlyArray<Scope>
  readonly limits: SpendLimits
}

export interface IssuedKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted<string>
}

export class ManageKeys extends Context.Service<
  ManageKeys,
  {
    readonly issue: (
      newKey: NewKey,
      actor: Actor
    ) => Effect.Effect<IssuedKey, AccountNotFound | KeyLimitReached | StoreUnavailable>
    /** Issues a key with a given text, such as the fixed keys of the demo. The mode is that of the text. */
    readonly adopt: (
      text: Redacted.Redacted<string>,
      newKey: Omit<NewKey, "mode">,
      actor: Actor
    ) => Effect.Effect<ApiKey, InvalidApiKey | AccountNotFound | KeyLimitReached | StoreUnavailable>
    readonly limit: (
      keyId: string,
      limits: SpendLimits,
      actor: Actor
    ) => Effect.Effect<ApiKey, KeyNotFound | StoreUnavailable>
    readonly revoke: (keyId: string, actor: Actor) => Effect.Effect<ApiKey, KeyNotFound | StoreUnavailable>
    /** Revokes the key with this text, for a text that became public; `null` if there is none or it is revoked already. */
    readonly revokeText: (
      text: Redacted.Redacted<string>,
      actor: Actor
    ) => Effect.Effect<ApiKey | null, StoreUnavailable>
    readonly list: ApiKeys["Service"]["ofAccount"]
  }
>()("backlinks/usecases/ManageKeys") {
  static readonly layer = Layer.effect(
    ManageKeys,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const keys = yield* ApiKeys
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom

      const hashOf = (text: Redacted.Redacted<string>) =>
        digest.digestHex(Digest.sha256, new TextEncoder().encode(Redacted.value(text)))

      const revoke = Effect.fn("ManageKeys.revoke")((keyId: string, actor: Actor) =>
        book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
      )

      const adopt = Effect.fn("ManageKeys.adopt")(function* (
        text: Redacted.Redacted<string>,
        newKey: Omit<NewKey, "mode">,
        actor: Actor
      ) {
        const parsed = parseKey(Redacted.value(text))
        if (Result.isFailure(parsed)) return yield* new InvalidApiKey()
        const hash = yield* hashOf(text)
        const reads = { _tag: "ForAccount" as const, accountId: newKey.accountId }
        return yield* book.transact(reads, issueKey({ ...newKey, ...parsed.success, hash, actor }))
      })

      return ManageKeys.of({
        adopt,
        issue: Effect.fn("ManageKeys.issue")(function* ({ mode, ...newKey }, actor) {
          const text = Redacted.make(formatKey(mode, yield* random.randomBytes(KEY_ENTROPY_BYTES)))
          // A text that was just formatted is valid.
          const key = yield* adopt(text, newKey, actor).pipe(Effect.catchTag("InvalidApiKey", Effect.die))
          return { key, text }
        }),
        limit: Effect.fn("ManageKeys.limit")((keyId, limits, actor) =>
          book.transact({ _tag: "ForKey", keyId }, limitKey(keyId, limits, actor))
        ),
        revoke,
        revokeText: Effect.fn("ManageKeys.revokeText")(function* (text, actor) {
          const key = yield* keys.byHash(yield* hashOf(text))
          if (key === null || key.revokedAtMs !== null) return null
          // Keys are never deleted.
          return yield* revoke(key.keyId, actor).pipe(Effect.catchTag("KeyNotFound", Effect.die))
        }),
        list: keys.ofAccount
      })
    })
  )
}
