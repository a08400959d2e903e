// Keeps the calls that idempotency keys bind, and their answers. Calls of the same hash are the same request, or one that is refused.
import { Context, type Effect } from "effect"
import type { BoundCall } from "#core/domain/access/BoundCall.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class BoundCalls extends Context.Service<
  BoundCalls,
  {
    /** Binds the call unless one of its hash is bound at its time. Returns the one that is: of concurrent calls, all get the same. */
    readonly bind: (call: BoundCall) => Effect.Effect<BoundCall, StoreUnavailable>
    /** Keeps the call with its answer unless one of its hash has an answer at its time. Returns the one that is kept. */
    readonly answer: (call: BoundCall) => Effect.Effect<BoundCall, StoreUnavailable>
    /** Frees a call that has no answer. */
    readonly release: (callHash: string) => Effect.Effect<void, StoreUnavailable>
    /** Deletes calls that are not bound any more, and secrets whose time is over, by the store's time. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/access/BoundCalls") {}
