// Reads the members of accounts. They are added, changed and removed through the order book.
import { Context, type Effect } from "effect"
import type { Account } from "#core/domain/members/Account.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface MemberWithAccount {
  readonly member: Member
  readonly account: Account
}

export class Members extends Context.Service<
  Members,
  {
    /** Removed or not. */
    readonly byId: (memberId: MemberId) => Effect.Effect<MemberWithAccount | null, StoreUnavailable>
    /** The member with this address in any spelling, if it is not removed. */
    readonly byEmail: (email: string) => Effect.Effect<MemberWithAccount | null, StoreUnavailable>
    /** Those that are not removed, oldest first. */
    readonly ofAccount: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Member>, StoreUnavailable>
  }
>()("backlinks/ports/members/Members") {}
