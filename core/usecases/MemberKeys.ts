// The keys of a member's account: listed by every member, made, limited and revoked by owners.
import { Context, Effect, Layer } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import { limitKey, revokeKey, tightenKey } from "#core/decisions/Keys.ts"
import { asOwner } from "#core/decisions/Members.ts"
import type { ApiKey, SpendLimits } from "#core/domain/ApiKey.ts"
import type { Confirmed } from "#core/domain/Confirmation.ts"
import type { AccountClosed, NotConfirmed, OwnerOnly } from "#core/domain/MemberRefusal.ts"
import { type AccountNotFound, type KeyLimitReached, KeyNotFound } from "#core/domain/Refusal.ts"
import type { SignedIn } from "#core/domain/Session.ts"
import type { ApiKeyWithUsage } from "#core/ports/ApiKeys.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { type IssuedKey, ManageKeys, type NewKey } from "./ManageKeys.ts"
import { SweepQuotes } from "./SweepQuotes.ts"

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
    /** Limits that are not given stay as they are. Runs `confirm` where the new limits allow more than the present ones. */
    readonly limit: (
      signedIn: SignedIn,
      keyId: string,
      limits: Partial<SpendLimits>,
      confirm: Effect.Effect<Confirmed, NotConfirmed | StoreUnavailable>
    ) => Effect.Effect<ApiKey, NotConfirmed | OneKeyFault>
    readonly revoke: (signedIn: SignedIn, keyId: string) => Effect.Effect<ApiKey, OneKeyFault>
  }
>()("backlinks/usecases/MemberKeys") {
  static readonly layer = Layer.effect(
    MemberKeys,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const keys = yield* ManageKeys
      const { sweepRevoked } = yield* SweepQuotes

      const list = (signedIn: SignedIn) => keys.list(signedIn.account.accountId)

      /** Another account's key is not found: its books would have other members. */
      const requireOwn = Effect.fnUntraced(function* (signedIn: SignedIn, keyId: string) {
        const own = (yield* list(signedIn)).find(({ key }) => key.keyId === keyId)
        return own?.key ?? (yield* new KeyNotFound({ keyId }))
      })

      return MemberKeys.of({
        list: Effect.fn("MemberKeys.list")(list),
        issue: Effect.fn("MemberKeys.issue")(({ account: { accountId } }, newKey, by) =>
          keys.issueBy({ ...newKey, accountId }, by)
        ),
        limit: Effect.fn("MemberKeys.limit")(function* (signedIn, keyId, limits, confirm) {
          yield* requireOwn(signedIn, keyId)
          const { accountId, memberId } = signedIn.member
          const transact = <A>(decide: Decide<A, KeyNotFound>) =>
            book.transact({ _tag: "ForKey", keyId }, asOwner(accountId, { memberId }, decide))
          const tightened = yield* transact(tightenKey(keyId, limits, memberId))
          if (tightened !== null) return tightened
          yield* confirm
          return yield* transact(limitKey(keyId, limits, memberId))
        }),
        revoke: Effect.fn("MemberKeys.revoke")(function* (signedIn, keyId) {
          yield* requireOwn(signedIn, keyId)
          const { accountId, memberId } = signedIn.member
          const decide = asOwner(accountId, { memberId }, revokeKey(keyId, memberId))
          return yield* Effect.tap(book.transact({ _tag: "ForKey", keyId }, decide), () => sweepRevoked(accountId))
        })
      })
    })
  )
}
