// Leases of what is due to a sweeper, in memory.
import { Clock, Effect } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { PayableId } from "#core/domain/shared/Ids.ts"
import { SweepLeases } from "#core/ports/ordering/SweepLeases.ts"
import { overBooks } from "../../books/OverBooks.ts"

export const layer = overBooks(SweepLeases, () => {
  const ends = new Map<PayableId, Millis>()
  return {
    claim: (id, leaseMs) =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => {
        if ((ends.get(id) ?? nowMs) > nowMs) return null
        ends.set(id, nowMs + leaseMs)
        return { id, untilMs: nowMs + leaseMs }
      }),
    release: ({ id, untilMs }) => {
      if (ends.get(id) === untilMs) ends.delete(id)
    }
  }
})
