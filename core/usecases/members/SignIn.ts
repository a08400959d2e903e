// Signs people in by a link, once, with the code of their authenticator app where they have one; opens an account for a new address.
import { Clock, Context, Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { CodeRefused, SignInLinkInvalid } from "#core/domain/members/MemberRefusal.ts"
import { linkIsUsable, MAX_CODE_ATTEMPTS } from "#core/domain/members/Session.ts"
import type { InvitationId } from "#core/domain/shared/Ids.ts"
import { Invitations, type InvitationView } from "#core/ports/members/Invitations.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { JoinAccount, type JoinRefusal } from "./JoinAccount.ts"
import { ManageFactors } from "./ManageFactors.ts"
import { type Client, MemberSessions, type NewSession } from "./MemberSessions.ts"
import { ResetCodes } from "./ResetCodes.ts"
import { linkHash, mayUseLink } from "./SignInLinks.ts"
import { VerifyFactor } from "./VerifyFactor.ts"

/** What the button of a link would do. */
export type LinkView =
  | {
      readonly kind: "signs_in"
      readonly email: string
      readonly accountName: string
      /** The member has an authenticator app, whose code is wanted beside the link. */
      readonly wantsCode: boolean
    }
  | {
      readonly kind: "opens_account"
      readonly email: string
      /** Whether it may open one, or only join one of those that invite it. */
      readonly mayOpen: boolean
      /** The open invitations for this address, oldest first. */
      readonly invitations: ReadonlyArray<InvitationView>
    }

/** `opened`: the account is new. */
export interface LinkUse extends NewSession {
  readonly opened: boolean
}

export class SignIn extends Context.Service<
  SignIn,
  {
    /** Changes nothing. */
    readonly look: (token: string) => Effect.Effect<LinkView, SignInLinkInvalid | StoreUnavailable>
    /**
     * Once per link; of concurrent uses, one signs in. `code` is of the member's app, if there is one; `CodeRefused` leaves the link as it
     * is until it has had five codes. A one-time code instead of the app's removes the member's factors.
     */
    readonly use: (
      token: string,
      client: Client,
      code: string
    ) => Effect.Effect<LinkUse, CodeRefused | SignInLinkInvalid | StoreUnavailable>
    /** Joins an account that invites the link's address, instead of opening one. What is refused leaves the link as it is. */
    readonly join: (
      token: string,
      client: Client,
      invitationId: InvitationId
    ) => Effect.Effect<NewSession, JoinRefusal | SignInLinkInvalid | StoreUnavailable>
  }
>()("backlinks/usecases/members/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const members = yield* Members
      const sessions = yield* Sessions
      const memberSessions = yield* MemberSessions
      const { signUp } = yield* MemberArea
      const { join } = yield* JoinAccount
      const invitations = yield* Invitations
      const factors = yield* ManageFactors
      const resetCodes = yield* ResetCodes
      const verify = yield* VerifyFactor
      const digest = yield* Digest.Digest

      const usable = Effect.fnUntraced(function* (token: string) {
        const link = yield* sessions.link(yield* linkHash(digest, token))
        if (link === null || !linkIsUsable(link, yield* Clock.currentTimeMillis)) return yield* new SignInLinkInvalid()
        const known = yield* members.byEmail(link.email)
        const open = yield* known === null
          ? invitations.openTo(link.email, yield* Clock.currentTimeMillis)
          : Effect.succeed([])
        const mayOpen = mayUseLink(signUp, known)
        if (!mayOpen && open.length === 0) return yield* new SignInLinkInvalid()
        return { link, known, mayOpen, invitations: open }
      })

      /** Another link of the same address may have opened the account meanwhile: then this one signs in to it. */
      const open = Effect.fnUntraced(function* (email: string) {
        const input = { name: email, email, actor: null, selfOpened: true as const }
        const opened = yield* book.transact({ _tag: "ForEmail", email }, openAccount(input)).pipe(
          Effect.as(true),
          Effect.catchTag("EmailTaken", () => Effect.succeed(false))
        )
        const known = yield* members.byEmail(email)
        if (known === null) return yield* new SignInLinkInvalid()
        return { known, opened }
      })

      const hasTotp = (member: MemberWithAccount) => Effect.map(factors.list(member), ({ totp }) => totp !== null)

      /** What shows beside the link that this is the member; fails unless it does. */
      const secondProof = Effect.fnUntraced(function* (hash: string, who: MemberWithAccount, code: string) {
        if (!(yield* hasTotp(who))) return "none" as const
        if (code === "") return yield* new CodeRefused({})
        const left = MAX_CODE_ATTEMPTS - ((yield* sessions.countCode(hash)) ?? MAX_CODE_ATTEMPTS + 1)
        if (left < 0) return yield* new CodeRefused({ left: 0 })
        const { memberId } = who.member
        if (yield* verify.code(memberId, code)) return "code" as const
        if (yield* resetCodes.use(memberId, code)) return "reset_code" as const
        return yield* new CodeRefused({ left })
      })

      return SignIn.of({
        look: Effect.fn("SignIn.look")(function* (token) {
          const { link, known, ...may } = yield* usable(token)
          if (known === null) return { kind: "opens_account" as const, email: link.email, ...may }
          const wantsCode = yield* hasTotp(known)
          return { kind: "signs_in" as const, email: link.email, accountName: known.account.name, wantsCode }
        }),
        use: Effect.fn("SignIn.use")(function* (token, client, code) {
          const { link, known: expected, mayOpen } = yield* usable(token)
          if (expected === null && !mayOpen) return yield* new SignInLinkInvalid()
          const proof = expected === null ? "none" : yield* secondProof(link.hash, expected, code)
          const used = yield* sessions.consumeLink(link.hash, yield* Clock.currentTimeMillis)
          if (used === null) return yield* new SignInLinkInvalid()
          const known = yield* members.byEmail(link.email)
          const { known: member, opened } = known === null ? yield* open(link.email) : { known, opened: false }
          // A member who was removed meanwhile has no factors to remove.
          if (proof === "reset_code") yield* Effect.ignore(factors.reset(member))
          const method = link.kind === "demo" ? "demo" : "link"
          const session = yield* memberSessions.start(member, method, client, proof === "code")
          return { ...session, opened }
        }),
        join: Effect.fn("SignIn.join")(function* (token, client, invitationId) {
          const { link } = yield* usable(token)
          const member = yield* join(invitationId, link.email)
          const used = yield* sessions.consumeLink(link.hash, yield* Clock.currentTimeMillis)
          // Another use of the link was quicker; the person is a member all the same, and signs in by another link.
          if (used === null) return yield* new SignInLinkInvalid()
          return yield* memberSessions.start(member, "link", client)
        })
      })
    })
  )
}
