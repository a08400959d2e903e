// The second factors of members: listed, reset, and changed with a record in the audit log and a mail to all owners of the account.
import { Clock, Context, Effect, Layer } from "effect"
import { recordFactorChange } from "#core/decisions/members/Factors.ts"
import type { MadeBy } from "#core/decisions/members/Members.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { FactorChange, Passkey, Totp } from "#core/domain/members/Factor.ts"
import {
  type FactorLimitReached,
  type MemberNotFound,
  type NotConfirmed,
  SignInTooOld
} from "#core/domain/members/MemberRefusal.ts"
import { FRESH_SIGN_IN_MS, type SignedIn, signInIsFresh } from "#core/domain/members/Session.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ConfirmAction } from "./ConfirmAction.ts"

export interface OwnFactors {
  /** Oldest first. */
  readonly passkeys: ReadonlyArray<Passkey>
  readonly totp: Totp | null
}

/** Runs once all else was found right, because a proof counts once. */
export type Confirm = Effect.Effect<Confirmed, NotConfirmed | StoreUnavailable>

export type AddFault = FactorLimitReached | MemberNotFound | NotConfirmed | SignInTooOld | StoreUnavailable

export class ManageFactors extends Context.Service<
  ManageFactors,
  {
    readonly list: (member: MemberWithAccount) => Effect.Effect<OwnFactors, StoreUnavailable>
    /** Makes the change after its record, so that no change lacks one, and then announces it. */
    readonly change: <E>(
      member: MemberWithAccount,
      change: FactorChange,
      by: MadeBy,
      make: Effect.Effect<unknown, E>
    ) => Effect.Effect<void, E | MemberNotFound | StoreUnavailable>
    /** Whether the member may add a factor now: shortly after the sign-in, or with a proof by a factor that there is. */
    readonly requireFresh: (signedIn: SignedIn) => Effect.Effect<void, SignInTooOld | StoreUnavailable>
    /** Adds a factor like any other change. All sessions of the account count as begun by mail once its first one is there. */
    readonly add: <E>(
      signedIn: SignedIn,
      change: FactorChange,
      confirm: Confirm,
      make: Effect.Effect<unknown, E>
    ) => Effect.Effect<void, E | MemberNotFound | NotConfirmed | StoreUnavailable>
    /** Removes all factors of a member who signed in with a one-time code instead. */
    readonly reset: (member: MemberWithAccount) => Effect.Effect<void, MemberNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/members/ManageFactors") {
  static readonly layer = Layer.effect(
    ManageFactors,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const members = yield* Members
      const factors = yield* Factors
      const mailer = yield* Mailer
      const sessions = yield* Sessions
      const { need } = yield* ConfirmAction
      const { settingsPage } = yield* MemberArea

      const record = (
        { member: { memberId }, account: { accountId } }: MemberWithAccount,
        change: FactorChange,
        by: MadeBy
      ) =>
        book.transact(
          { _tag: "ForAccount", accountId },
          recordFactorChange({ accountId, memberId, action: `factor.${change}`, by })
        )

      /** A mail that is not taken does not undo what was done. */
      const announce = Effect.fnUntraced(function* ({ member, account }: MemberWithAccount, change: FactorChange) {
        const owners = (yield* members.ofAccount(account.accountId)).filter(({ role }) => role === "owner")
        const about = { accountName: account.name, email: member.email, change, url: settingsPage }
        yield* Effect.forEach(
          owners,
          ({ email }) =>
            Effect.catch(mailer.send(email, { _tag: "FactorChanged", ...about }), (error) =>
              Effect.logWarning("A change of factors was not announced", { reason: error.reason })
            ),
          { concurrency: "unbounded", discard: true }
        )
      })

      const change: ManageFactors["Service"]["change"] = (who, what, by, make) =>
        record(who, what, by).pipe(Effect.andThen(make), Effect.andThen(announce(who, what)))

      /** A confirmation may have outlived the factors that it was made with. */
      const unconfirmSessions = Effect.fnUntraced(function* ({ account }: SignedIn) {
        const everyone = yield* members.ofAccount(account.accountId)
        yield* sessions.unconfirmAll(everyone.map(({ memberId }) => memberId))
      })

      const list = Effect.fn("ManageFactors.list")(function* ({ member: { memberId } }: MemberWithAccount) {
        const kept = yield* factors.ofMembers([memberId])
        return { passkeys: kept.passkeys, totp: kept.totps[0] ?? null }
      })

      return ManageFactors.of({
        list,
        change,
        requireFresh: Effect.fn("ManageFactors.requireFresh")(function* (signedIn) {
          if (signInIsFresh(signedIn.session, yield* Clock.currentTimeMillis)) return
          // A proof has to be given anyway, and is fresher than any sign-in.
          if (!(yield* need(signedIn)).isNeeded) return yield* new SignInTooOld({ minutes: FRESH_SIGN_IN_MS / 60_000 })
        }),
        add: Effect.fnUntraced(function* (signedIn, what, confirm, make) {
          const { isNeeded } = yield* need(signedIn)
          const confirmed = yield* confirm
          if (!isNeeded) yield* unconfirmSessions(signedIn)
          yield* change(signedIn, what, confirmed, make)
        }),
        reset: Effect.fn("ManageFactors.reset")(function* (who) {
          const { memberId } = who.member
          const kept = yield* list(who)
          for (const { passkeyId } of kept.passkeys) {
            yield* change(who, "passkey_removed", { memberId }, factors.removePasskey(memberId, passkeyId))
          }
          if (kept.totp !== null) yield* change(who, "totp_removed", { memberId }, factors.removeTotp(memberId))
        })
      })
    })
  )
}
