// Keeps what counts once and for a short time: challenges for passkeys, one-time codes that stand in for a lost factor, and secrets on their
// way to the page that shows them.
import { Context, type Effect } from "effect"
import type { Challenge, ResetCode, ShownOnce } from "#core/domain/members/Factor.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export type ShownId = Pick<ShownOnce, "shownId" | "holder">

export class Challenges extends Context.Service<
  Challenges,
  {
    /** Deletes those of the same holder beyond the newest `MAX_CHALLENGES`. */
    readonly keep: (challenge: Challenge) => Effect.Effect<void, StoreUnavailable>
    /** Takes a challenge that has not expired at that time: of concurrent calls, one gets it, the others `null`. */
    readonly take: (challenge: string, atMs: Millis) => Effect.Effect<Challenge | null, StoreUnavailable>
    /** Keeps a challenge that was answered, until it expires: of concurrent calls, and of later ones, one gets `true`. */
    readonly spend: (challenge: Challenge) => Effect.Effect<boolean, StoreUnavailable>
    /** In place of earlier codes of the member. */
    readonly keepCode: (code: ResetCode) => Effect.Effect<void, StoreUnavailable>
    /** Uses a code of this member that has not expired at that time: of concurrent calls, one gets `true`. */
    readonly useCode: (memberId: MemberId, hash: string, atMs: Millis) => Effect.Effect<boolean, StoreUnavailable>
    /** Keeps a secret unless its id is kept already: of concurrent calls, one gets `true`. */
    readonly keepShown: (secret: ShownOnce) => Effect.Effect<boolean, StoreUnavailable>
    /** Keeps a secret in the place of what its holder kept under its id. */
    readonly replaceShown: (secret: ShownOnce) => Effect.Effect<void, StoreUnavailable>
    /** A secret of this holder that has not expired at that time. */
    readonly shown: (secret: ShownId, atMs: Millis) => Effect.Effect<ShownOnce | null, StoreUnavailable>
    /** Idempotent. */
    readonly endShown: (secret: ShownId) => Effect.Effect<void, StoreUnavailable>
    /** Deletes what has expired by the store's time. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/members/Challenges") {}
