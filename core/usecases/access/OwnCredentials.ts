// What members do with the credentials of one kind, keys or connections, of their account: every member lists them, owners limit and
// revoke them.
import { Effect } from "effect"
import { limitKey, revokeKey, tightenKey } from "#core/decisions/access/Keys.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { asOwner } from "#core/decisions/members/Members.ts"
import { KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import type { ApiKey, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { type CredentialKind, credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { NotConfirmed, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { ApiKeys, type ApiKeyWithUsage } from "#core/ports/access/ApiKeys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { SweepQuotes } from "../ordering/SweepQuotes.ts"

type OneKeyFault = KeyNotFound | OwnerOnly | StoreUnavailable

export interface OwnCredentials {
  /** Oldest first, revoked ones too. */
  readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiKeyWithUsage>, StoreUnavailable>
  /** Limits that are not given stay as they are. Runs `confirm` where the new limits allow more than the present ones. */
  readonly limit: (
    signedIn: SignedIn,
    keyId: KeyId,
    limits: Partial<SpendLimits>,
    confirm: Effect.Effect<Confirmed, NotConfirmed | StoreUnavailable>
  ) => Effect.Effect<ApiKey, NotConfirmed | OneKeyFault>
  /** Its quotes that await approval are abandoned; its webhooks end. */
  readonly revoke: (signedIn: SignedIn, keyId: KeyId) => Effect.Effect<ApiKey, OneKeyFault>
}

export const makeOwnCredentials = Effect.fnUntraced(function* (kind: CredentialKind) {
  const book = yield* OrderBook
  const keys = yield* ApiKeys
  const { sweepRevoked } = yield* SweepQuotes

  const list = (accountId: AccountId) =>
    Effect.map(keys.ofAccount(accountId), (all) => all.filter(({ key }) => credentialKind(key.keyId) === kind))

  /** Another account's key is not found: its books would have other members. */
  const requireOwn = Effect.fnUntraced(function* (accountId: AccountId, keyId: KeyId) {
    if (!(yield* list(accountId)).some(({ key }) => key.keyId === keyId)) return yield* new KeyNotFound({ keyId })
  })

  return {
    list,
    limit: Effect.fn("OwnCredentials.limit")(function* (signedIn, keyId, limits, confirm) {
      const { accountId, memberId } = signedIn.member
      yield* requireOwn(accountId, keyId)
      const transact = <A>(decide: Decide<A, KeyNotFound>) =>
        book.transact({ _tag: "ForKey", keyId }, asOwner(accountId, { memberId }, decide))
      const tightened = yield* transact(tightenKey(keyId, limits, memberId))
      if (tightened !== null) return tightened
      yield* confirm
      return yield* transact(limitKey(keyId, limits, memberId))
    }),
    revoke: Effect.fn("OwnCredentials.revoke")(function* (signedIn, keyId) {
      const { accountId, memberId } = signedIn.member
      yield* requireOwn(accountId, keyId)
      const decide = asOwner(accountId, { memberId }, revokeKey(keyId, memberId))
      return yield* Effect.tap(book.transact({ _tag: "ForKey", keyId }, decide), () => sweepRevoked(accountId))
    })
  } satisfies OwnCredentials
})
