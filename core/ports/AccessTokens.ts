// Reads the access tokens that the authorization server has issued.
import { Context, type Effect } from "effect"
import type { AccessToken } from "#core/domain/AccessToken.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /** The token with this SHA-256 (lowercase hex), expired or not; `null` if it was never issued or has been revoked. */
    readonly byHash: (hash: string) => Effect.Effect<AccessToken | null, StoreUnavailable>
  }
>()("backlinks/ports/AccessTokens") {}
