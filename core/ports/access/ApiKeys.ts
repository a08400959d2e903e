// Reads API keys, and what is kept among them, and records their use. Keys are issued and revoked through the order book.
import { Context, type Effect } from "effect"
import type { ApiKey, FoundKey } from "#core/domain/access/ApiKey.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface ApiKeyWithUsage {
  readonly key: ApiKey
  readonly lastUsedAtMs: Millis | null
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * The key with this SHA-256 (lowercase hex) of its text or of a former one, or the connection with this id, revoked or not. That it has
     * expired by the store's clock shows within half a second.
     */
    readonly byHash: (hash: string) => Effect.Effect<FoundKey | null, StoreUnavailable>
    /** Keys whose time is over by the store's clock, and which are not ended yet. */
    readonly expired: (query: { readonly limit: number }) => Effect.Effect<ReadonlyArray<KeyId>, StoreUnavailable>
    /** All keys and connections of an account, and the Shop's credential: of each kind, the oldest first. */
    readonly ofAccount: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiKeyWithUsage>, StoreUnavailable>
    /** Records the use of a key. A store may delay or skip the write, but writes at least once per minute of use. */
    readonly recordUse: (keyId: KeyId, atMs: Millis) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/access/ApiKeys") {}
