// Signs people in by a link, once, with the code of their authenticator app where they have one; opens an account for a new address.
import { Clock, Context, Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { CodeRefused, SignInLinkInvalid } from "#core/domain/members/MemberRefusal.ts"
import { linkIsUsable } from "#core/domain/members/Session.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
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
  | { readonly kind: "opens_account"; readonly email: string }

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
      const factors = yield* ManageFactors
      const resetCodes = yield* ResetCodes
      const verify = yield* VerifyFactor
      const digest = yield* Digest.Digest

      const usable = Effect.fnUntraced(function* (token: string) {
        const link = yield* sessions.link(yield* linkHash(digest, token))
        if (link === null || !linkIsUsable(link, yield* Clock.currentTimeMillis)) return yield* new SignInLinkInvalid()
        const known = yield* members.byEmail(link.email)
        if (!mayUseLink(signUp, known)) return yield* new SignInLinkInvalid()
        return { link, known }
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
        if (code === "" || (yield* sessions.countCode(hash)) === null) return yield* new CodeRefused()
        const { memberId } = who.member
        if (yield* verify.code(memberId, code)) return "code" as const
        if (yield* resetCodes.use(memberId, code)) return "reset_code" as const
        return yield* new CodeRefused()
      })

      return SignIn.of({
        look: Effect.fn("SignIn.look")(function* (token) {
          const { link, known } = yield* usable(token)
          if (known === null) return { kind: "opens_account" as const, email: link.email }
          const wantsCode = yield* hasTotp(known)
          return { kind: "signs_in" as const, email: link.email, accountName: known.account.name, wantsCode }
        }),
        use: Effect.fn("SignIn.use")(function* (token, client, code) {
          const { link, known: expected } = yield* usable(token)
          const proof = expected === null ? "none" : yield* secondProof(link.hash, expected, code)
          const used = yield* sessions.consumeLink(link.hash, yield* Clock.currentTimeMillis)
          if (used === null) return yield* new SignInLinkInvalid()
          const known = yield* members.byEmail(link.email)
          const { known: member, opened } = known === null ? yield* open(link.email) : { known, opened: false }
          // A member who was removed meanwhile has no factors to remove.
          if (proof === "reset_code") yield* Effect.ignore(factors.reset(member))
          const session = yield* memberSessions.start(member, link.kind === "demo" ? "demo" : "link", client)
          return { ...session, opened }
        })
      })
    })
  )
}
