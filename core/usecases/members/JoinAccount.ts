// Lets an invited person join an account. Looking changes nothing, because mail scanners open links too; only accepting makes a member, and
// only then is the person told where their address belongs.
import { Clock, Context, Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { acceptInvitation } from "#core/decisions/members/Invitations.ts"
import { invitationEnd } from "#core/domain/members/Invitation.ts"
import { type EmailTaken, InvitationEnded, type MemberLimitReached } from "#core/domain/members/MemberRefusal.ts"
import type { InvitationId } from "#core/domain/shared/Ids.ts"
import { Invitations, type InvitationView } from "#core/ports/members/Invitations.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type Client, MemberSessions, type NewSession } from "./MemberSessions.ts"
import { linkHash } from "./SignInLinks.ts"

/** An invitation, as its person sees it. */
export type ShownInvitation = InvitationView

export type JoinRefusal = EmailTaken | InvitationEnded | MemberLimitReached

export class JoinAccount extends Context.Service<
  JoinAccount,
  {
    /** The open invitation of a link. */
    readonly look: (token: string) => Effect.Effect<InvitationView, InvitationEnded | StoreUnavailable>
    /** Makes the person a member and signs them in: the link was sent to their address, and counts once. */
    readonly accept: (token: string, client: Client) => Effect.Effect<NewSession, JoinRefusal | StoreUnavailable>
    /** Makes a person a member who has shown otherwise that the address is theirs. */
    readonly join: (
      invitationId: InvitationId,
      email: string
    ) => Effect.Effect<MemberWithAccount, JoinRefusal | StoreUnavailable>
  }
>()("backlinks/usecases/members/JoinAccount") {
  static readonly layer = Layer.effect(
    JoinAccount,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const invitations = yield* Invitations
      const members = yield* Members
      const sessions = yield* MemberSessions
      const digest = yield* Digest.Digest

      const look = Effect.fn("JoinAccount.look")(function* (token: string) {
        const view = yield* invitations.withLink(yield* linkHash(digest, token))
        const reason = invitationEnd(view?.invitation, yield* Clock.currentTimeMillis)
        if (view === null || reason !== null) return yield* new InvitationEnded({ reason: reason ?? "unknown" })
        return view
      })

      const join = Effect.fn("JoinAccount.join")(function* (invitationId: InvitationId, email: string) {
        const accepting = acceptInvitation({ invitationId, email })
        const { memberId } = yield* book.transact({ _tag: "ForInvitation", invitationId }, accepting)
        // An owner may have removed the new member already.
        return (yield* members.byId(memberId)) ?? (yield* new InvitationEnded({ reason: "accepted" }))
      })

      return JoinAccount.of({
        look,
        join,
        accept: Effect.fn("JoinAccount.accept")(function* (token, client) {
          const { invitation } = yield* look(token)
          const joined = yield* join(invitation.invitationId, invitation.email)
          return yield* sessions.start(joined, "link", client)
        })
      })
    })
  )
}
