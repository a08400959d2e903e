// The members of an account: listed, added, given another role, removed. Their sessions end with them.
import { Clock, Context, Effect, Layer } from "effect"
import { addMember, changeRole, endMembers, removeMember } from "#core/decisions/members/Members.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { GivenRole, Member } from "#core/domain/members/Member.ts"
import type {
  AccountNotFound,
  EmailTaken,
  LastOwner,
  MemberLimitReached,
  MemberNotFound,
  OwnerOnly,
  SandboxAccount
} from "#core/domain/members/MemberRefusal.ts"
import type { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

interface OneMember {
  readonly accountId: AccountId
  readonly memberId: MemberId
}

/** A member confirms what it changes, where the account has a second factor. */
type ChangedBy = { readonly operator: Actor } | Confirmed

export class ManageMembers extends Context.Service<
  ManageMembers,
  {
    /** Oldest first. */
    readonly list: Members["Service"]["ofAccount"]
    /** `EmailTaken`: the address belongs to an account, maybe this one. */
    readonly add: (
      member: { readonly accountId: AccountId; readonly email: string; readonly role: GivenRole },
      by: ChangedBy
    ) => Effect.Effect<
      Member,
      AccountNotFound | EmailTaken | MemberLimitReached | OwnerOnly | SandboxAccount | StoreUnavailable
    >
    readonly changeRole: (
      member: OneMember & { readonly role: GivenRole },
      by: ChangedBy
    ) => Effect.Effect<Member, LastOwner | MemberNotFound | OwnerOnly | StoreUnavailable>
    readonly remove: (
      member: OneMember,
      by: ChangedBy
    ) => Effect.Effect<Member, LastOwner | MemberNotFound | OwnerOnly | StoreUnavailable>
    /** Removes all members of the account, and ends their sessions. Returns those that it had. */
    readonly endAccess: (accountId: AccountId, actor: Actor) => Effect.Effect<ReadonlyArray<Member>, StoreUnavailable>
  }
>()("backlinks/usecases/members/ManageMembers") {
  static readonly layer = Layer.effect(
    ManageMembers,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const members = yield* Members
      const sessions = yield* Sessions

      const ofAccount = (accountId: AccountId) => ({ _tag: "ForAccount" as const, accountId })

      const endSessions = (ended: ReadonlyArray<MemberId>) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) => sessions.endAll(ended, nowMs, null))

      return ManageMembers.of({
        endAccess: Effect.fn("ManageMembers.endAccess")(function* (accountId, actor) {
          const ended = yield* book.transact(ofAccount(accountId), endMembers(accountId, actor))
          yield* endSessions(ended.map(({ memberId }) => memberId))
          return ended
        }),
        list: members.ofAccount,
        add: Effect.fn("ManageMembers.add")(({ accountId, email, role }, by) =>
          book.transact({ _tag: "ForEmail", email, accountId }, addMember({ accountId, email, role, by }))
        ),
        changeRole: Effect.fn("ManageMembers.changeRole")(({ accountId, memberId, role }, by) =>
          book.transact(ofAccount(accountId), changeRole({ accountId, memberId, role, by }))
        ),
        remove: Effect.fn("ManageMembers.remove")(function* ({ accountId, memberId }, by) {
          const removed = yield* book.transact(ofAccount(accountId), removeMember({ accountId, memberId, by }))
          // A session that begins after this is refused all the same, because each request asks for its member.
          yield* endSessions([memberId])
          return removed
        })
      })
    })
  )
}
