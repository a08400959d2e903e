// Keys and connections for operators, who act on any account: issued, limited, revoked and listed. The text of a key is returned once and
// stored nowhere.
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import {
  issueKey,
  limitKey,
  modeOf,
  pauseKey,
  type RotateKey,
  revokeKey,
  rotateKey
} from "#core/decisions/access/Keys.ts"
import { actorOf, asOwner, type MadeBy } from "#core/decisions/members/Members.ts"
import {
  InvalidApiKey,
  type KeyExpiryInvalid,
  type KeyLimitReached,
  type KeyNotFound,
  type KeyRotationLimitReached
} from "#core/domain/access/AccessRefusal.ts"
import type { ApiKey, Scope, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { formatKey, KEY_ENTROPY_BYTES, parseKey } from "#core/domain/access/ApiKeyFormat.ts"
import { asConnection, type Connection } from "#core/domain/access/Connection.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly, SandboxAccount } from "#core/domain/members/MemberRefusal.ts"
import type { Millis, Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId, MemberId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export interface NewKey {
  readonly accountId: AccountId
  readonly mode: Mode
  readonly label: string
  readonly scopes: ReadonlyArray<Scope>
  readonly limits: SpendLimits
  /** When it ends by itself, in the future. */
  readonly expiresAtMs?: Millis
}

export interface IssuedKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted<string>
}

export type Rotation = Pick<RotateKey, "keyId" | "now" | "replaces">

/** An operator, or an owner of the account that has the key. */
type RotatedBy = { readonly operator: Actor } | { readonly memberId: MemberId; readonly accountId: AccountId }

export interface ConnectionWithUsage {
  readonly connection: Connection
  readonly lastUsedAtMs: Millis | null
}

export type IssueFault =
  | AccountClosed
  | AccountNotFound
  | KeyExpiryInvalid
  | KeyLimitReached
  | SandboxAccount
  | StoreUnavailable

export class Credentials extends Context.Service<
  Credentials,
  {
    readonly issue: (newKey: NewKey, actor: Actor) => Effect.Effect<IssuedKey, IssueFault>
    /** The same for an owner of the account. `entropy`: random bytes that the text is made of; the same give the same key, which is made once. */
    readonly issueBy: (
      newKey: NewKey,
      by: MadeBy,
      entropy?: Uint8Array
    ) => Effect.Effect<IssuedKey, IssueFault | OwnerOnly>
    /** Issues a key with a given text, such as the fixed keys of the demo. The mode is that of the text. */
    readonly adopt: (
      text: Redacted.Redacted<string>,
      newKey: Omit<NewKey, "mode">,
      actor: Actor
    ) => Effect.Effect<ApiKey, InvalidApiKey | IssueFault>
    /** Limits that are not given stay as they are. */
    readonly limit: (
      keyId: KeyId,
      limits: Partial<SpendLimits>,
      actor: Actor
    ) => Effect.Effect<ApiKey, KeyNotFound | StoreUnavailable>
    /**
     * Another text for the key, which keeps all else; the present one is good for a day more, unless it ends `now`. `null` if the key was
     * rotated since its text `replaces` was seen. `entropy`: as above.
     */
    readonly rotateBy: (
      rotation: Rotation,
      by: RotatedBy,
      entropy?: Uint8Array
    ) => Effect.Effect<IssuedKey | null, KeyNotFound | KeyRotationLimitReached | OwnerOnly | StoreUnavailable>
    readonly rotate: (
      rotation: Omit<Rotation, "replaces">,
      actor: Actor
    ) => Effect.Effect<IssuedKey, KeyNotFound | KeyRotationLimitReached | StoreUnavailable>
    /** Whether it may not order. It reads all the same. */
    readonly pause: (
      keyId: KeyId,
      paused: boolean,
      actor: Actor
    ) => Effect.Effect<ApiKey, KeyNotFound | StoreUnavailable>
    /** Its quotes that await approval can no longer be approved; the sweeper abandons them. */
    readonly revoke: (keyId: KeyId, actor: Actor) => Effect.Effect<ApiKey, KeyNotFound | StoreUnavailable>
    /** The key with this text, revoked or not. */
    readonly withText: (text: Redacted.Redacted<string>) => Effect.Effect<ApiKey | null, StoreUnavailable>
    /** Revokes every key and connection of the account that is active. Returns those that were. */
    readonly revokeAll: (accountId: AccountId, actor: Actor) => Effect.Effect<ReadonlyArray<ApiKey>, StoreUnavailable>
    /** Oldest first, without connections and the built-in credential of the Shop. */
    readonly list: ApiKeys["Service"]["ofAccount"]
    /** Oldest first, revoked ones too. */
    readonly connections: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ConnectionWithUsage>, StoreUnavailable>
  }
>()("backlinks/usecases/access/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const keys = yield* ApiKeys
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom

      const hashOf = (text: Redacted.Redacted<string>) =>
        digest.digestHex(Digest.sha256, new TextEncoder().encode(Redacted.value(text)))

      const revoke = Effect.fn("Credentials.revoke")((keyId: KeyId, actor: Actor) =>
        book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
      )

      const adoptBy = Effect.fn("Credentials.adopt")(function* (
        text: Redacted.Redacted<string>,
        newKey: Omit<NewKey, "mode">,
        by: MadeBy
      ) {
        const parsed = parseKey(Redacted.value(text))
        if (Result.isFailure(parsed)) return yield* new InvalidApiKey()
        const hash = yield* hashOf(text)
        const { accountId } = newKey
        const decide = issueKey({ ...newKey, ...parsed.success, hash, actor: actorOf(by) })
        return yield* book.transact({ _tag: "ForAccount", accountId }, asOwner(accountId, by, decide))
      })

      const issueBy = Effect.fn("Credentials.issue")(function* (
        { mode, ...newKey }: NewKey,
        by: MadeBy,
        entropy?: Uint8Array
      ) {
        const text = Redacted.make(formatKey(mode, entropy ?? (yield* random.randomBytes(KEY_ENTROPY_BYTES))))
        // A text that was just formatted is valid.
        const key = yield* adoptBy(text, newKey, by).pipe(Effect.catchTag("InvalidApiKey", Effect.die))
        return { key, text }
      })

      /** A text that no one has seen, and what is kept of it. */
      const newText = Effect.fnUntraced(function* (mode: Mode, entropy?: Uint8Array) {
        const text = Redacted.make(formatKey(mode, entropy ?? (yield* random.randomBytes(KEY_ENTROPY_BYTES))))
        const { prefix, lastFour } = Result.getOrThrow(parseKey(Redacted.value(text)))
        return { text, kept: { hash: yield* hashOf(text), prefix, lastFour } }
      })

      const rotateBy = Effect.fn("Credentials.rotate")(function* (
        rotation: Rotation,
        by: RotatedBy,
        entropy?: Uint8Array
      ) {
        const { keyId } = rotation
        const { text, kept } = yield* newText(yield* book.transact({ _tag: "ForKey", keyId }, modeOf(keyId)), entropy)
        const decide = rotateKey({ ...rotation, ...kept, actor: actorOf(by) })
        const key = yield* book.transact(
          { _tag: "ForKey", keyId },
          "operator" in by ? decide : asOwner(by.accountId, by, decide)
        )
        return key === null ? null : { key, text }
      })

      return Credentials.of({
        rotateBy,
        // Nothing that was seen is compared, and operators are no members.
        rotate: (rotation, operator) =>
          rotateBy(rotation, { operator }).pipe(
            Effect.flatMap((issued) =>
              issued === null ? Effect.die("compared with nothing") : Effect.succeed(issued)
            ),
            Effect.catchTag("OwnerOnly", Effect.die)
          ),
        // Operators are no members, so that no rule of members refuses them.
        adopt: (text, newKey, operator) =>
          Effect.catchTag(adoptBy(text, newKey, { operator }), "OwnerOnly", Effect.die),
        issue: (newKey, operator) => Effect.catchTag(issueBy(newKey, { operator }), "OwnerOnly", Effect.die),
        issueBy,
        limit: Effect.fn("Credentials.limit")((keyId, limits, actor) =>
          book.transact({ _tag: "ForKey", keyId }, limitKey(keyId, limits, actor))
        ),
        pause: Effect.fn("Credentials.pause")((keyId, paused, actor) =>
          book.transact({ _tag: "ForKey", keyId }, pauseKey(keyId, paused, actor))
        ),
        revoke,
        withText: Effect.fn("Credentials.withText")((text) => Effect.flatMap(hashOf(text), keys.byHash)),
        revokeAll: Effect.fn("Credentials.revokeAll")(function* (accountId, actor) {
          const all = (yield* keys.ofAccount(accountId)).map(({ key }) => key)
          const active = all.filter((key) => key.revokedAtMs === null && credentialKind(key.keyId) !== "web")
          // Keys are never deleted.
          for (const { keyId } of active) yield* Effect.catchTag(revoke(keyId, actor), "KeyNotFound", Effect.die)
          return active
        }),
        list: (accountId) =>
          Effect.map(keys.ofAccount(accountId), (all) => all.filter(({ key }) => credentialKind(key.keyId) === "key")),
        connections: (accountId) =>
          Effect.map(keys.ofAccount(accountId), (all) =>
            all.flatMap(({ key, lastUsedAtMs }) => {
              const connection = asConnection(key)
              return connection === undefined ? [] : [{ connection, lastUsedAtMs }]
            })
          )
      })
    })
  )
}
