// What every outbox promises: an item goes to one caller at a time over all instances, and comes again until it is done or given up.
import type { Millis } from "#core/domain/shared/DecisionContext.ts"

export interface Claim {
  readonly nowMs: Millis
  /** What is claimed goes to no other caller until `nowMs + leaseMs`, unless its outcome is recorded or it is released before. */
  readonly leaseMs: Millis
  readonly limit: number
}
