// The requests of clients that wait for a person's consent, at the authorization server.
import { Context, type Effect } from "effect"
import type { Resource } from "#core/domain/access/AccessToken.ts"
import type { Scope } from "#core/domain/access/ApiKey.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface AuthorizationRequest {
  readonly client: {
    readonly clientId: string
    /** The name that the client gives itself, which proves nothing. */
    readonly name: string
    /** Where the client's document is, or else where the answer goes. */
    readonly host: string
  }
  /** Where the answer goes. */
  readonly redirect: { readonly host: string; readonly isLoopback: boolean }
  readonly scopes: ReadonlyArray<Scope>
  /** What its tokens open. */
  readonly resource: Resource
}

export interface Granted {
  /** The subject of the grant. */
  readonly connectionId: KeyId
  readonly scopes: ReadonlyArray<Scope>
}

export class AuthorizationRequests extends Context.Service<
  AuthorizationRequests,
  {
    /** A request that waits; `null` for one that is unknown, answered, or too old. */
    readonly find: (requestId: string) => Effect.Effect<AuthorizationRequest | null, StoreUnavailable>
    /** Answers a request; the client gets the answer when its browser continues. `false` for a request that does not wait any more. */
    readonly grant: (requestId: string, granted: Granted) => Effect.Effect<boolean, StoreUnavailable>
    readonly refuse: (requestId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("backlinks/ports/access/AuthorizationRequests") {}
