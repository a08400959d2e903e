// The second factors of members: listed, added shortly after a sign-in, removed, and announced by mail to all owners of the account.
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { recordFactorChange } from "#core/decisions/members/Factors.ts"
import type { MadeBy } from "#core/decisions/members/Members.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import {
  type FactorChange,
  MAX_PASSKEYS,
  type Passkey,
  TOTP_SECRET_BYTES,
  type Totp,
  totpCodeKey,
  totpSeal
} from "#core/domain/members/Factor.ts"
import {
  CodeRefused,
  FactorLimitReached,
  FactorNotFound,
  type MemberNotFound,
  type NotConfirmed,
  PasskeyRefused,
  SignInTooOld
} from "#core/domain/members/MemberRefusal.ts"
import { FRESH_SIGN_IN_MS, type SignedIn, signInIsFresh } from "#core/domain/members/Session.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { Passkeys } from "#core/ports/members/Passkeys.ts"
import { TotpCodes } from "#core/ports/members/TotpCodes.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import { VerifyFactor } from "./VerifyFactor.ts"

export interface OwnFactors {
  /** Oldest first. */
  readonly passkeys: ReadonlyArray<Passkey>
  readonly totp: Totp | null
}

/** A secret that is not kept yet: the form that shows it brings `sealed` back, which opens for this member alone. */
export interface NewTotp {
  /** Base32. */
  readonly secret: string
  readonly uri: string
  readonly sealed: string
}

/** Runs once all else was found right, because a proof counts once. */
type Confirm = Effect.Effect<Confirmed, NotConfirmed | StoreUnavailable>

type AddFault = FactorLimitReached | MemberNotFound | NotConfirmed | SignInTooOld | StoreUnavailable

export class ManageFactors extends Context.Service<
  ManageFactors,
  {
    readonly list: (member: MemberWithAccount) => Effect.Effect<OwnFactors, StoreUnavailable>
    /** JSON for the member's browser, whose response adds a passkey in this session. */
    readonly passkeyOptions: (signedIn: SignedIn) => Effect.Effect<string, SignInTooOld | StoreUnavailable>
    readonly addPasskey: (
      signedIn: SignedIn,
      passkey: { readonly name: string; readonly response: string },
      confirm: Confirm
    ) => Effect.Effect<Passkey, AddFault | PasskeyRefused>
    readonly newTotp: (
      signedIn: SignedIn
    ) => Effect.Effect<NewTotp, FactorLimitReached | SignInTooOld | StoreUnavailable>
    /** What a form brought back shows again; `CodeRefused` for a text that was not sealed for this member. */
    readonly openTotp: (signedIn: SignedIn, sealed: string) => Effect.Effect<NewTotp, CodeRefused>
    /** `code`: of the new app, to show that it has the secret. It counts for nothing else. */
    readonly addTotp: (
      signedIn: SignedIn,
      totp: { readonly sealed: string; readonly code: string },
      confirm: Confirm
    ) => Effect.Effect<void, AddFault | CodeRefused>
    readonly removePasskey: (
      signedIn: SignedIn,
      passkeyId: string,
      by: Confirmed
    ) => Effect.Effect<void, FactorNotFound | MemberNotFound | StoreUnavailable>
    readonly removeTotp: (
      signedIn: SignedIn,
      by: Confirmed
    ) => Effect.Effect<void, FactorNotFound | MemberNotFound | StoreUnavailable>
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
      const passkeys = yield* Passkeys
      const totpCodes = yield* TotpCodes
      const vault = yield* Vault
      const mailer = yield* Mailer
      const verify = yield* VerifyFactor
      const random = yield* SecureRandom.SecureRandom

      const requireFresh = Effect.fnUntraced(function* ({ session }: SignedIn) {
        if (!signInIsFresh(session, yield* Clock.currentTimeMillis))
          return yield* new SignInTooOld({ minutes: FRESH_SIGN_IN_MS / 60_000 })
      })

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
        const mail = { _tag: "FactorChanged" as const, accountName: account.name, email: member.email, change }
        yield* Effect.forEach(
          owners,
          ({ email }) =>
            Effect.catch(mailer.send(email, mail), (error) =>
              Effect.logWarning("A change of factors was not announced", { reason: error.reason })
            ),
          { concurrency: "unbounded", discard: true }
        )
      })

      /** Written down before it is made, so that no change lacks its record. */
      const changed = <E, R>(
        who: MemberWithAccount,
        change: FactorChange,
        by: MadeBy,
        make: Effect.Effect<unknown, E, R>
      ) => record(who, change, by).pipe(Effect.andThen(make), Effect.andThen(announce(who, change)))

      const list = Effect.fnUntraced(function* ({ member: { memberId } }: MemberWithAccount) {
        const kept = yield* factors.ofMembers([memberId])
        return { passkeys: kept.passkeys, totp: kept.totps[0] ?? null }
      })

      const described = (secret: string, sealed: string, { member }: SignedIn): NewTotp => ({
        secret,
        sealed,
        uri: totpCodes.uri(secret, member.email)
      })

      const open = (signedIn: SignedIn, sealed: string) =>
        vault.unseal(sealed, totpSeal(signedIn.member.memberId)).pipe(
          // A form can bring back any text; the vault takes it for a mistake of the configuration.
          Effect.catchDefect(() => Effect.fail(new CodeRefused())),
          Effect.map((secret) => described(secret, sealed, signedIn))
        )

      return ManageFactors.of({
        list: Effect.fn("ManageFactors.list")(list),
        passkeyOptions: Effect.fn("ManageFactors.passkeyOptions")(function* (signedIn) {
          yield* requireFresh(signedIn)
          const { member, account, session } = signedIn
          const { passkeys: existing } = yield* list(signedIn)
          const challenge = yield* verify.newChallenge(`session ${session.sessionId}`, { kind: "add_passkey" })
          return yield* passkeys.registrationOptions({ member, accountName: account.name, challenge, existing })
        }),
        addPasskey: Effect.fn("ManageFactors.addPasskey")(function* (signedIn, { name, response }, confirm) {
          yield* requireFresh(signedIn)
          const { memberId } = signedIn.member
          const holder = `session ${signedIn.session.sessionId}`
          const challenge = yield* verify.takeChallenge(response, { kind: "add_passkey" }, holder)
          const made = yield* passkeys.verifyRegistration(response, challenge)
          const createdAtMs = yield* Clock.currentTimeMillis
          const passkey: Passkey = { ...made, memberId, name, createdAtMs, lastUsedAtMs: null }
          const { passkeys: own } = yield* list(signedIn)
          if (own.length >= MAX_PASSKEYS) return yield* new FactorLimitReached({ limit: MAX_PASSKEYS })
          if ((yield* factors.passkey(passkey.passkeyId)) !== null) return yield* new PasskeyRefused()
          const add = Effect.flatMap(factors.addPasskey(passkey), (isAdded) =>
            isAdded ? Effect.void : Effect.fail(new FactorLimitReached({ limit: MAX_PASSKEYS }))
          )
          yield* changed(signedIn, "passkey_added", yield* confirm, add)
          return passkey
        }),
        newTotp: Effect.fn("ManageFactors.newTotp")(function* (signedIn) {
          yield* requireFresh(signedIn)
          if ((yield* list(signedIn)).totp !== null) return yield* new FactorLimitReached({ limit: 1 })
          const secret = totpCodes.secretOf(yield* random.randomBytes(TOTP_SECRET_BYTES))
          return described(secret, yield* vault.seal(secret, totpSeal(signedIn.member.memberId)), signedIn)
        }),
        openTotp: Effect.fn("ManageFactors.openTotp")(open),
        addTotp: Effect.fn("ManageFactors.addTotp")(function* (signedIn, { sealed, code }, confirm) {
          yield* requireFresh(signedIn)
          const { memberId } = signedIn.member
          const { secret } = yield* open(signedIn, sealed)
          const nowMs = yield* Clock.currentTimeMillis
          const lastStep = totpCodes.stepOf(secret, totpCodeKey(code) ?? "", nowMs)
          if (lastStep === null) return yield* new CodeRefused()
          const totp = { memberId, sealedSecret: sealed, createdAtMs: nowMs, lastStep, lastUsedAtMs: null }
          if ((yield* list(signedIn)).totp !== null) return yield* new FactorLimitReached({ limit: 1 })
          const add = Effect.flatMap(factors.addTotp(totp), (isAdded) =>
            isAdded ? Effect.void : Effect.fail(new FactorLimitReached({ limit: 1 }))
          )
          yield* changed(signedIn, "totp_added", yield* confirm, add)
        }),
        removePasskey: Effect.fn("ManageFactors.removePasskey")(function* (signedIn, passkeyId, by) {
          const { passkeys: own } = yield* list(signedIn)
          const isOwn = own.some((passkey) => passkey.passkeyId === passkeyId)
          if (!isOwn) return yield* new FactorNotFound({ factorId: passkeyId })
          yield* changed(signedIn, "passkey_removed", by, factors.removePasskey(signedIn.member.memberId, passkeyId))
        }),
        removeTotp: Effect.fn("ManageFactors.removeTotp")(function* (signedIn, by) {
          if ((yield* list(signedIn)).totp === null) return yield* new FactorNotFound({ factorId: "totp" })
          yield* changed(signedIn, "totp_removed", by, factors.removeTotp(signedIn.member.memberId))
        }),
        reset: Effect.fn("ManageFactors.reset")(function* (who) {
          const { memberId } = who.member
          const kept = yield* list(who)
          for (const { passkeyId } of kept.passkeys) {
            yield* changed(who, "passkey_removed", { memberId }, factors.removePasskey(memberId, passkeyId))
          }
          if (kept.totp !== null) yield* changed(who, "totp_removed", { memberId }, factors.removeTotp(memberId))
        })
      })
    })
  )
}
