// Reads the activity of the shop, over all instances. The caller keeps its own position.
import { Context, type Effect } from "effect"
import type { ActivityEvent, Position } from "#core/domain/operations/ActivityEvent.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

/**
 * The most time between the position of an entry and its visibility: a decision is positioned by its start and visible when it is
 * committed. No decision takes longer.
 */
export const MAX_COMMIT_LAG_MS = 15_000

export class ActivityLog extends Context.Service<
  ActivityLog,
  {
    /** The position of the current time. A store may keep entries only from the first call on. */
    readonly now: Effect.Effect<Position, StoreUnavailable>
    /** The first `limit` entries after `position`, in order. */
    readonly after: (query: {
      readonly position: Position
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ActivityEvent>, StoreUnavailable>
  }
>()("backlinks/ports/operations/ActivityLog") {}
