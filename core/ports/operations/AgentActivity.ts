// What agents did: orders that were refused to keys and connections, and what each spent and did last. Refusals are noted after the answer;
// no order reads or writes them.
import { Context, type Effect } from "effect"
import type { AgentRecords, RefusedAttempts } from "#core/domain/operations/AgentActivity.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class AgentActivity extends Context.Service<
  AgentActivity,
  {
    /** Adds to the records of the same key, day and rule; what was tried last stays. Unknown keys are skipped. */
    readonly noteRefused: (refused: ReadonlyArray<RefusedAttempts>) => Effect.Effect<void, StoreUnavailable>
    /** What these keys did since this UTC day, one record for each, in any order. */
    readonly of: (
      keyIds: ReadonlyArray<KeyId>,
      sinceDay: number
    ) => Effect.Effect<ReadonlyArray<AgentRecords>, StoreUnavailable>
    /** Deletes refusals older than `REFUSALS_KEPT_DAYS`, by the store's time. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/operations/AgentActivity") {}
