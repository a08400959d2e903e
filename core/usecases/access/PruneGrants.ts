// Deletes what the authorization server issued and has expired, in bounded steps.
import { Clock, Context, Effect, Layer } from "effect"
import { Grants } from "#core/ports/access/Grants.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Rows of one step. */
const STEP = 500

export class PruneGrants extends Context.Service<
  PruneGrants,
  {
    /** How many were deleted. */
    readonly pass: () => Effect.Effect<number, StoreUnavailable>
  }
>()("backlinks/usecases/access/PruneGrants") {
  static readonly layer = Layer.effect(
    PruneGrants,
    Effect.gen(function* () {
      const grants = yield* Grants
      return PruneGrants.of({
        pass: Effect.fn("PruneGrants.pass")(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          let pruned = 0
          for (;;) {
            const rows = yield* grants.prune(nowMs, STEP)
            pruned += rows
            if (rows < STEP) return pruned
          }
        })
      })
    })
  )
}
