// Keeps what the authorization server issued. Artifacts move no money, so they are kept beside the books, each call atomic by itself.
import { Context, type Effect } from "effect"
import type { ArtifactKind, OAuthArtifact } from "#core/domain/access/OAuthArtifact.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class Grants extends Context.Service<
  Grants,
  {
    /** Consumed and expired ones too, until they are pruned; none whose grant has ended. */
    readonly find: (kind: ArtifactKind, hash: string) => Effect.Effect<OAuthArtifact | null, StoreUnavailable>
    /**
     * Keeps an artifact, or the payload and times of one that is kept already; that a code or token is consumed stays. Its grant, and the
     * registration of the grant's client, are then kept as long as the artifact at least, and the registration counts as used.
     */
    readonly upsert: (artifact: OAuthArtifact) => Effect.Effect<void, StoreUnavailable>
    /**
     * Stores an unused artifact. Beyond `bound`, or up to a hundredth of it earlier, unused ones of its kind end: always the oldest of the
     * requester who has most.
     */
    readonly upsertUnused: (artifact: OAuthArtifact, bound: number) => Effect.Effect<void, StoreUnavailable>
    /** Counts an unused registration among those of this requester from now on. */
    readonly claim: (clientHash: string, requester: string) => Effect.Effect<void, StoreUnavailable>
    /** Whether an owner has let the client in: a grant of it is kept. */
    readonly isGranted: (clientHash: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Marks it as consumed, unless it is; of concurrent calls, one gets `true`. */
    readonly consume: (kind: ArtifactKind, hash: string, atMs: Millis) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Consumes a refresh token, and returns its sealed successor: this one for the first call, and the same one for all calls within
     * `ROTATION_GRACE_MS` after it; `null` later, and for an unknown token.
     */
    readonly rotate: (hash: string, sealed: string, atMs: Millis) => Effect.Effect<string | null, StoreUnavailable>
    /** Deletes the sealed successors whose grace has passed by the store's time. */
    readonly forgetSuccessors: Effect.Effect<void, StoreUnavailable>
    /** Idempotent. */
    readonly destroy: (kind: ArtifactKind, hash: string) => Effect.Effect<void, StoreUnavailable>
    /** Ends a grant with its codes and tokens, also with those that are kept afterwards. */
    readonly revokeGrant: (grantHash: string) => Effect.Effect<void, StoreUnavailable>
    /** Deletes at most `limit` of what has expired by the store's time; how many. */
    readonly prune: (limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("backlinks/ports/access/Grants") {}
