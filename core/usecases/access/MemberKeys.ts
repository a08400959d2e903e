// The keys of a member's account: listed by every member, made, limited and revoked by owners.
import { Context, Effect, Layer } from "effect"
import type { KeyLimitReached } from "#core/domain/access/AccessRefusal.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly, SandboxAccount } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { ApiKeyWithUsage } from "#core/ports/access/ApiKeys.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type IssuedKey, ManageKeys, type NewKey } from "./ManageKeys.ts"
import { makeOwnCredentials, type OwnCredentials } from "./OwnCredentials.ts"

export class MemberKeys extends Context.Service<
  MemberKeys,
  {
    /** Oldest first, revoked ones too. */
    readonly list: (signedIn: SignedIn) => Effect.Effect<ReadonlyArray<ApiKeyWithUsage>, StoreUnavailable>
    readonly issue: (
      signedIn: SignedIn,
      newKey: Omit<NewKey, "accountId">,
      by: Confirmed
    ) => Effect.Effect<
      IssuedKey,
      AccountClosed | AccountNotFound | KeyLimitReached | OwnerOnly | SandboxAccount | StoreUnavailable
    >
    readonly limit: OwnCredentials["limit"]
    readonly revoke: OwnCredentials["revoke"]
  }
>()("backlinks/usecases/access/MemberKeys") {
  static readonly layer = Layer.effect(
    MemberKeys,
    Effect.gen(function* () {
      const keys = yield* ManageKeys
      const { list, limit, revoke } = yield* makeOwnCredentials("key")

      return MemberKeys.of({
        list: ({ account }) => list(account.accountId),
        issue: Effect.fn("MemberKeys.issue")(({ account: { accountId } }, newKey, by) =>
          keys.issueBy({ ...newKey, accountId }, by)
        ),
        limit,
        revoke
      })
    })
  )
}
