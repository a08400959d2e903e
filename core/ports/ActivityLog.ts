// Looks at what goes on in the shop, on whichever instance it goes on. Who watches, and from where, is the caller's to keep.
import { Context, type Effect } from "effect"
import type { ActivityEvent, Position } from "#core/domain/ActivityEvent.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

/**
 * How much earlier than what was seen already something may stand that is seen only now: a decision has its place from when it
 * began, and is seen when it is written. No decision takes longer.
 */
export const MAX_COMMIT_LAG_MS = 15_000

export class ActivityLog extends Context.Service<
  ActivityLog,
  {
    /** Where now is. A store that keeps nothing for watchers remembers from the first time it is asked. */
    readonly now: Effect.Effect<Position, StoreUnavailable>
    /** The first `limit` that stand behind `place`, in their order. */
    readonly after: (query: {
      readonly position: Position
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ActivityEvent>, StoreUnavailable>
  }
>()("backlinks/ports/ActivityLog") {}
