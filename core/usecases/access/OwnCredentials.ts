// What owners do with the keys and connections of their account: make, limit and revoke them. A connection is made by consent.
import { Context, Effect, Layer } from "effect"
import { type ConsentTo, consentTo, setAccountView } from "#core/decisions/access/Connections.ts"
import { limitKey, pauseKey, revokeKey, tightenKey } from "#core/decisions/access/Keys.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { asOwner } from "#core/decisions/members/Members.ts"
import {
  type ConnectionLimitReached,
  KeyNotFound,
  type KeyRotationLimitReached
} from "#core/domain/access/AccessRefusal.ts"
import type { ApiKey, SpendLimits } from "#core/domain/access/ApiKey.ts"
import type { Connection } from "#core/domain/access/Connection.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { AccountClosed, AccountNotFound, NotConfirmed, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { SweepQuotes } from "../ordering/SweepQuotes.ts"
import { Credentials, type IssuedKey, type IssueFault, type NewKey, type Rotation } from "./Credentials.ts"

type ChangeFault = KeyNotFound | OwnerOnly | StoreUnavailable

type ConsentFault = AccountClosed | AccountNotFound | ConnectionLimitReached | OwnerOnly | StoreUnavailable

/** What an owner consents to, and that it was confirmed. The name of the client is the connection's label. */
export interface GivenConsent extends Pick<ConsentTo, "client" | "scopes" | "mode" | "limits" | "resource"> {
  readonly who: SignedIn
  readonly confirmed: Confirmed
}

export class OwnCredentials extends Context.Service<
  OwnCredentials,
  {
    /** `entropy`: see `Credentials.issueBy`. */
    readonly issue: (
      signedIn: SignedIn,
      newKey: Omit<NewKey, "accountId">,
      by: Confirmed,
      entropy?: Uint8Array
    ) => Effect.Effect<IssuedKey, IssueFault | OwnerOnly>
    /**
     * The connection that the client has from now on: its present one with what was consented to now, or a new one where it has none
     * that is active in this mode.
     */
    readonly consent: (given: GivenConsent) => Effect.Effect<Connection, ConsentFault>
    /** Limits that are not given stay as they are. Runs `confirm` where the new limits allow more than the present ones. */
    readonly limit: (
      signedIn: SignedIn,
      keyId: KeyId,
      limits: Partial<SpendLimits>,
      confirm: Effect.Effect<Confirmed, NotConfirmed | StoreUnavailable>
    ) => Effect.Effect<ApiKey, NotConfirmed | ChangeFault>
    /** Whether a connection may list what all credentials of the account placed. Runs `confirm` before it may. */
    readonly setAccountView: (
      signedIn: SignedIn,
      connectionId: KeyId,
      sees: boolean,
      confirm: Effect.Effect<Confirmed, NotConfirmed | StoreUnavailable>
    ) => Effect.Effect<Connection, NotConfirmed | ChangeFault>
    /** Another text for a key, as `Credentials.rotateBy` says. */
    readonly rotate: (
      signedIn: SignedIn,
      rotation: Rotation,
      by: Confirmed,
      entropy?: Uint8Array
    ) => Effect.Effect<IssuedKey | null, ChangeFault | KeyRotationLimitReached>
    /** It orders no more until it is resumed. Never wants a confirmation, so that it is done at once. */
    readonly pause: (signedIn: SignedIn, keyId: KeyId) => Effect.Effect<ApiKey, ChangeFault>
    readonly resume: (signedIn: SignedIn, keyId: KeyId, by: Confirmed) => Effect.Effect<ApiKey, ChangeFault>
    /** Its quotes that await approval are abandoned; its webhooks end. */
    readonly revoke: (signedIn: SignedIn, keyId: KeyId) => Effect.Effect<ApiKey, ChangeFault>
  }
>()("backlinks/usecases/access/OwnCredentials") {
  static readonly layer = Layer.effect(
    OwnCredentials,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const keys = yield* ApiKeys
      const credentials = yield* Credentials
      const { sweepRevoked } = yield* SweepQuotes

      /** Another account's key is not found: its books would have other members. Nor is the built-in credential of the Shop. */
      const requireOwn = Effect.fnUntraced(function* (accountId: AccountId, keyId: KeyId) {
        const all = credentialKind(keyId) === "web" ? [] : yield* keys.ofAccount(accountId)
        if (!all.some(({ key }) => key.keyId === keyId)) return yield* new KeyNotFound({ keyId })
      })

      const setPaused = Effect.fnUntraced(function* ({ member }: SignedIn, keyId: KeyId, paused: boolean) {
        const { accountId, memberId } = member
        yield* requireOwn(accountId, keyId)
        const decide = asOwner(accountId, { memberId }, pauseKey(keyId, paused, memberId))
        return yield* book.transact({ _tag: "ForKey", keyId }, decide)
      })

      return OwnCredentials.of({
        pause: Effect.fn("OwnCredentials.pause")((signedIn, keyId) => setPaused(signedIn, keyId, true)),
        resume: Effect.fn("OwnCredentials.resume")((signedIn, keyId) => setPaused(signedIn, keyId, false)),
        issue: Effect.fn("OwnCredentials.issue")(({ account: { accountId } }, newKey, by, entropy) =>
          credentials.issueBy({ ...newKey, accountId }, by, entropy)
        ),
        consent: Effect.fn("OwnCredentials.consent")(({ who, confirmed, ...given }) => {
          const { accountId } = who.account
          const { memberId } = confirmed
          const decide = consentTo({ accountId, memberId, ...given })
          // Quotes of a connection in the other mode, which has ended.
          return Effect.tap(book.transact({ _tag: "ForAccount", accountId }, decide), () => sweepRevoked(accountId))
        }),
        limit: Effect.fn("OwnCredentials.limit")(function* (signedIn, keyId, limits, confirm) {
          const { accountId, memberId } = signedIn.member
          yield* requireOwn(accountId, keyId)
          const transact = <A>(decide: Decide<A, KeyNotFound>) =>
            book.transact({ _tag: "ForKey", keyId }, asOwner(accountId, { memberId }, decide))
          const tightened = yield* transact(tightenKey(keyId, limits, memberId))
          if (tightened !== null) return tightened
          yield* confirm
          return yield* transact(limitKey(keyId, limits, memberId))
        }),
        setAccountView: Effect.fn("OwnCredentials.setAccountView")(function* (signedIn, keyId, sees, confirm) {
          const { accountId, memberId } = signedIn.member
          yield* requireOwn(accountId, keyId)
          if (sees) yield* confirm
          const decide = asOwner(accountId, { memberId }, setAccountView(keyId, sees, memberId))
          return yield* book.transact({ _tag: "ForKey", keyId }, decide)
        }),
        rotate: Effect.fn("OwnCredentials.rotate")(function* (signedIn, rotation, { memberId }, entropy) {
          const { accountId } = signedIn.member
          yield* requireOwn(accountId, rotation.keyId)
          return yield* credentials.rotateBy(rotation, { memberId, accountId }, entropy)
        }),
        revoke: Effect.fn("OwnCredentials.revoke")(function* (signedIn, keyId) {
          const { accountId, memberId } = signedIn.member
          yield* requireOwn(accountId, keyId)
          const decide = asOwner(accountId, { memberId }, revokeKey(keyId, memberId))
          return yield* Effect.tap(book.transact({ _tag: "ForKey", keyId }, decide), () => sweepRevoked(accountId))
        })
      })
    })
  )
}
