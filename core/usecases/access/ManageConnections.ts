// The connections of an account: made by an owner's consent, listed by every member, limited and revoked by owners.
import { Context, Effect, Layer } from "effect"
import { type ConsentTo, consentTo } from "#core/decisions/access/Connections.ts"
import type { ConnectionLimitReached } from "#core/domain/access/AccessRefusal.ts"
import { asConnection, type Connection } from "#core/domain/access/Connection.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { SweepQuotes } from "../ordering/SweepQuotes.ts"
import { makeOwnCredentials, type OwnCredentials } from "./OwnCredentials.ts"

/** What an owner consents to, and that it was confirmed. The name of the client is the connection's label. */
export interface GivenConsent extends Pick<ConsentTo, "client" | "scopes" | "mode" | "limits"> {
  readonly who: SignedIn
  readonly confirmed: Confirmed
}

export interface ConnectionWithUsage {
  readonly connection: Connection
  readonly lastUsedAtMs: Millis | null
}

export class ManageConnections extends Context.Service<
  ManageConnections,
  {
    /**
     * The connection that the client has from now on: its present one with what was consented to now, or a new one where it has none
     * that is active in this mode.
     */
    readonly consent: (
      given: GivenConsent
    ) => Effect.Effect<
      Connection,
      AccountClosed | AccountNotFound | ConnectionLimitReached | OwnerOnly | StoreUnavailable
    >
    readonly limit: OwnCredentials["limit"]
    readonly revoke: OwnCredentials["revoke"]
    /** Oldest first, revoked ones too. */
    readonly ofAccount: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ConnectionWithUsage>, StoreUnavailable>
  }
>()("backlinks/usecases/access/ManageConnections") {
  static readonly layer = Layer.effect(
    ManageConnections,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { sweepRevoked } = yield* SweepQuotes
      const { list, limit, revoke } = yield* makeOwnCredentials("connection")

      return ManageConnections.of({
        consent: Effect.fn("ManageConnections.consent")(function* ({ who, confirmed, client, scopes, mode, limits }) {
          const { accountId } = who.account
          const { memberId } = confirmed
          const decide = consentTo({ accountId, memberId, client, scopes, mode, limits })
          // Quotes of a connection in the other mode, which has ended.
          return yield* Effect.tap(book.transact({ _tag: "ForAccount", accountId }, decide), () =>
            sweepRevoked(accountId)
          )
        }),
        limit,
        revoke,
        ofAccount: Effect.fn("ManageConnections.ofAccount")(function* (accountId) {
          return (yield* list(accountId)).flatMap(({ key, lastUsedAtMs }) => {
            const connection = asConnection(key)
            return connection === undefined ? [] : [{ connection, lastUsedAtMs }]
          })
        })
      })
    })
  )
}
