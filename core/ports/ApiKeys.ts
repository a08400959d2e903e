// Finds API keys. They are issued and revoked through the order book.
import { Context, type Effect } from "effect"
import type { ApiKey } from "#core/domain/ApiKey.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export interface ApiKeyWithUsage {
  readonly key: ApiKey
  readonly lastUsedAtMs: Millis | null
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** The key with this SHA-256 (lowercase hex), revoked or not. */
    readonly byHash: (hash: string) => Effect.Effect<ApiKey | null, StoreUnavailable>
    /** All keys of an account, oldest first. */
    readonly ofAccount: (accountId: string) => Effect.Effect<ReadonlyArray<ApiKeyWithUsage>, StoreUnavailable>
    /** Notes that a key was used; a store may note it late and not every time, but at least once a minute of use. */
    readonly recordUse: (keyId: string, atMs: Millis) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/ApiKeys") {}
