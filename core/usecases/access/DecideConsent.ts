// An owner decides on the request of a client for a connection: consent makes the connection, and the authorization server then
// answers the client.
import { Context, Effect, Layer } from "effect"
import type { ConnectionLimitReached } from "#core/domain/access/AccessRefusal.ts"
import type { SpendLimits } from "#core/domain/access/ApiKey.ts"
import { type Connection, consentedScopes } from "#core/domain/access/Connection.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import { type AuthorizationRequest, AuthorizationRequests } from "#core/ports/access/AuthorizationRequests.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Credentials } from "./Credentials.ts"
import { OwnCredentials } from "./OwnCredentials.ts"

export interface Allowed {
  readonly who: SignedIn
  readonly confirmed: Confirmed
  readonly requestId: string
  readonly mode: Mode
  /** Counts only where the client asked for it. */
  readonly mayOrder: boolean
  readonly limits: SpendLimits
}

export class DecideConsent extends Context.Service<
  DecideConsent,
  {
    /** `null` for a request that is unknown, decided, or too old. */
    readonly find: (requestId: string) => Effect.Effect<AuthorizationRequest | null, StoreUnavailable>
    /** Where a connection of this account is the client's already. */
    readonly present: (
      who: SignedIn,
      request: AuthorizationRequest
    ) => Effect.Effect<Connection | undefined, StoreUnavailable>
    /** `null`, and nothing is done, for a request that does not wait. */
    readonly allow: (
      allowed: Allowed
    ) => Effect.Effect<
      Connection | null,
      AccountClosed | AccountNotFound | ConnectionLimitReached | OwnerOnly | StoreUnavailable
    >
    readonly refuse: (requestId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/usecases/access/DecideConsent") {
  static readonly layer = Layer.effect(
    DecideConsent,
    Effect.gen(function* () {
      const requests = yield* AuthorizationRequests
      const { connections } = yield* Credentials
      const { consent } = yield* OwnCredentials

      return DecideConsent.of({
        find: Effect.fn("DecideConsent.find")(requests.find),
        present: Effect.fn("DecideConsent.present")(function* ({ account }, { client }) {
          const all = yield* connections(account.accountId)
          return all
            .map(({ connection }) => connection)
            .find((one) => one.revokedAtMs === null && one.consent.clientId === client.clientId)
        }),
        allow: Effect.fn("DecideConsent.allow")(function* (allowed) {
          const { requestId, mayOrder, ...given } = allowed
          const request = yield* requests.find(requestId)
          if (request === null) return null
          const { client, resource } = request
          const scopes = consentedScopes(request.scopes, mayOrder)
          const connection = yield* consent({ ...given, client, scopes, resource })
          // The first of two concurrent consents answers the client; both are for the same connection.
          yield* requests.grant(requestId, { connectionId: connection.keyId, scopes })
          return connection
        }),
        refuse: Effect.fn("DecideConsent.refuse")((requestId) => Effect.asVoid(requests.refuse(requestId)))
      })
    })
  )
}
