// Checks every invariant over the whole store. Reports violations and repairs nothing.
import { Context, type Effect } from "effect"
import type { Violation } from "#core/domain/operations/Invariant.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface ReconciliationReport {
  /** The number of records that were checked. */
  readonly checked: {
    readonly accounts: number
    readonly ledgerEntries: number
    readonly quotes: number
    readonly orders: number
    readonly links: number
    readonly events: number
    readonly deliveries: number
  }
  /** In the order of the invariants, then by subject. Empty if all of them hold. */
  readonly violations: ReadonlyArray<Violation>
}

export class Reconciliation extends Context.Service<
  Reconciliation,
  {
    /** Checks one consistent snapshot, concurrently with writes. Reports at most `limitPerInvariant` violations of each invariant. */
    readonly reconcile: (limitPerInvariant: number) => Effect.Effect<ReconciliationReport, StoreUnavailable>
  }
>()("backlinks/ports/operations/Reconciliation") {}
