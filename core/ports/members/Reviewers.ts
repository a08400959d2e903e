// Keeps the sign-ins of reviewers. Their accounts and members are in the books.
import { Context, type Effect } from "effect"
import type { Reviewer } from "#core/domain/members/Reviewer.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class Reviewers extends Context.Service<
  Reviewers,
  {
    /** `false`, and nothing is kept, where one that is not ended has the name: of concurrent calls with one name, one is kept. */
    readonly add: (reviewer: Reviewer) => Effect.Effect<boolean, StoreUnavailable>
    /** The one with this name in any spelling that is not ended, expired or not. */
    readonly byName: (name: string) => Effect.Effect<Reviewer | null, StoreUnavailable>
    readonly ofMember: (memberId: MemberId) => Effect.Effect<Reviewer | null, StoreUnavailable>
    /** Newest first, ended ones too. */
    readonly all: Effect.Effect<ReadonlyArray<Reviewer>, StoreUnavailable>
    /** Idempotent. */
    readonly end: (memberId: MemberId, atMs: Millis) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/members/Reviewers") {}
