// The members of an account: listed, invited, given another role, removed. Their sessions end with them.
import { Clock, Context, Effect, Layer } from "effect"
import { type InviteRefusal, inviteMember, withdrawInvitation } from "#core/decisions/members/Invitations.ts"
import { changeRole, chooseTimeZone, endMembers, type MadeBy, removeMember } from "#core/decisions/members/Members.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import { type Invitation, isOpenInvitation } from "#core/domain/members/Invitation.ts"
import type { GivenRole, Member } from "#core/domain/members/Member.ts"
import type { InvitationNotFound, LastOwner, MemberNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { AccountId, InvitationId, MemberId } from "#core/domain/shared/Ids.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { MailInvitations } from "./MailInvitations.ts"

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
    /** Those that can be accepted, oldest first. */
    readonly invitations: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Invitation>, StoreUnavailable>
    /**
     * Asks a person to join, by mail. Who accepts becomes a member. The answer tells nothing of other accounts; `EmailTaken`: the address
     * is that of a member of this one.
     */
    readonly invite: (
      invited: { readonly accountId: AccountId; readonly email: string; readonly role: GivenRole },
      by: ChangedBy
    ) => Effect.Effect<Invitation, InviteRefusal | StoreUnavailable>
    /** Nothing has to be confirmed: it only takes back. */
    readonly withdraw: (
      invitation: { readonly accountId: AccountId; readonly invitationId: InvitationId },
      by: MadeBy
    ) => Effect.Effect<Invitation, InvitationNotFound | OwnerOnly | StoreUnavailable>
    readonly changeRole: (
      member: OneMember & { readonly role: GivenRole },
      by: ChangedBy
    ) => Effect.Effect<Member, LastOwner | MemberNotFound | OwnerOnly | StoreUnavailable>
    readonly remove: (
      member: OneMember,
      by: ChangedBy
    ) => Effect.Effect<Member, LastOwner | MemberNotFound | OwnerOnly | StoreUnavailable>
    /** The zone in which pages show times to the member, by a name that the pages know. */
    readonly chooseTimeZone: (
      member: OneMember,
      timeZone: string
    ) => Effect.Effect<Member, MemberNotFound | StoreUnavailable>
    /** Removes all members of the account, ends their sessions, and withdraws its invitations. Returns those that it had. */
    readonly endAccess: (accountId: AccountId, actor: Actor) => Effect.Effect<ReadonlyArray<Member>, StoreUnavailable>
  }
>()("backlinks/usecases/members/ManageMembers") {
  static readonly layer = Layer.effect(
    ManageMembers,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const members = yield* Members
      const sessions = yield* Sessions
      const invitations = yield* Invitations
      const { wake } = yield* MailInvitations

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
        invitations: Effect.fn("ManageMembers.invitations")(function* (accountId) {
          const nowMs = yield* Clock.currentTimeMillis
          return (yield* invitations.ofAccount(accountId)).filter((one) => isOpenInvitation(one, nowMs))
        }),
        invite: Effect.fn("ManageMembers.invite")(({ accountId, email, role }, by) =>
          Effect.tap(book.transact(ofAccount(accountId), inviteMember({ accountId, email, role, by })), wake)
        ),
        withdraw: Effect.fn("ManageMembers.withdraw")(({ accountId, invitationId }, by) =>
          book.transact(ofAccount(accountId), withdrawInvitation({ accountId, invitationId, by }))
        ),
        changeRole: Effect.fn("ManageMembers.changeRole")(({ accountId, memberId, role }, by) =>
          book.transact(ofAccount(accountId), changeRole({ accountId, memberId, role, by }))
        ),
        chooseTimeZone: Effect.fn("ManageMembers.chooseTimeZone")(({ accountId, memberId }, timeZone) =>
          book.transact(ofAccount(accountId), chooseTimeZone({ accountId, memberId, timeZone }))
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
