// The keys of a member's account: listed by every member, made, limited and revoked by owners.
import { Context, Effect, Layer } from "effect"
import { limitKey, revokeKey } from "#core/decisions/Keys.ts"
import { asOwner } from "#core/decisions/Members.ts"
import type { ApiKey, SpendLimits } from "#core/domain/ApiKey.ts"
import type { Confirmed } from "#core/domain/Confirmation.ts"
import type { AccountClosed, OwnerOnly } from "#core/domain/MemberRefusal.ts"
import { type AccountNotFound, type KeyLimitReached, KeyNotFound } from "#core/domain/Refusal.ts"
import type { SignedIn } from "#core/domain/Session.ts"
import type { ApiKeyWithUsage } from "#core/ports/ApiKeys.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { type IssuedKey, ManageKeys, type NewKey } from "./ManageKeys.ts"

type OneKeyFault = KeyNotFound | OwnerOnly | StoreUnavailable

export class MemberKeys extends Context.Service<
  MemberKeys,
  {
    /** Oldest first, revoked ones too, without the built-in credential of the Shop. */
    readonly list: (signedIn: SignedIn) => Effect.Effect<ReadonlyArray<ApiKeyWithUsage>, StoreUnavailable>
    readonly issue: (
      signedIn: SignedIn,
      newKey: Omit<NewKey, "accountId">,
      by: Confirmed
    ) => Effect.Effect<IssuedKey, AccountClosed | AccountNotFound | KeyLimitReached | OwnerOnly | StoreUnavailable>
    readonly limit: (signedIn: SignedIn, keyId: string, limits: SpendLimits) => Effect.Effect<ApiKey, OneKeyFault>
    readonly revoke: (signedIn: SignedIn, keyId: string) => Effect.Effect<ApiKey, OneKeyFault>
  }
>()("backlinks/usecases/MemberKeys") {
  static readonly layer = Layer.effect(
    MemberKeys,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const keys = yield* ManageKeys

      const list = (signedIn: SignedIn) => keys.list(signedIn.account.accountId)

      /** Another account's key is not found: its books would have other members. */
      const requireOwn = Effect.fnUntraced(function* (signedIn: SignedIn, keyId: string) {
        const own = yield* list(signedIn)
        if (!own.some(({ key }) => key.keyId === keyId)) return yield* new KeyNotFound({ keyId })
      })

      return MemberKeys.of({
        list: Effect.fn("MemberKeys.list")(list),
        issue: Effect.fn("MemberKeys.issue")(({ account: { accountId } }, newKey, by) =>
          keys.issueBy({ ...newKey, accountId }, by)
        ),
        limit: Effect.fn("MemberKeys.limit")(function* (signedIn, keyId, limits) {
          yield* requireOwn(signedIn, keyId)
          const { accountId, memberId } = signedIn.member
          const decide = asOwner(accountId, { memberId }, limitKey(keyId, limits, memberId))
          return yield* book.transact({ _tag: "ForKey", keyId }, decide)
        }),
        revoke: Effect.fn("MemberKeys.revoke")(function* (signedIn, keyId) {
          yield* requireOwn(signedIn, keyId)
          const { accountId, memberId } = signedIn.member
          const decide = asOwner(accountId, { memberId }, revokeKey(keyId, memberId))
          return yield* book.transact({ _tag: "ForKey", keyId }, decide)
        })
      })
    })
  )
}
