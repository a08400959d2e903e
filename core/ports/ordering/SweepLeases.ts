// Leases what is due to one sweeper at a time: a quote, or a top-up.
import { Context, type Effect } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { PayableId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface SweepLease {
  readonly id: PayableId
  /** When it ends, by the store's time. No other lease of this id ends then. */
  readonly untilMs: Millis
}

export class SweepLeases extends Context.Service<
  SweepLeases,
  {
    /** One of concurrent calls gets the lease, the others `null`; so do later calls, until it has ended or was released. */
    readonly claim: (id: PayableId, leaseMs: Millis) => Effect.Effect<SweepLease | null, StoreUnavailable>
    /** Ends this lease, and none that another sweeper got after it. Idempotent. */
    readonly release: (lease: SweepLease) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/ordering/SweepLeases") {}
