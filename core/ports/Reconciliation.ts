// Proves that every record of the store agrees with every other. Looks and tells; mends nothing.
import { Context, type Effect } from "effect"
import type { Violation } from "#core/domain/Invariant.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export interface ReconciliationReport {
  /** How much was looked through. */
  readonly checked: {
    readonly accounts: number
    readonly ledgerEntries: number
    readonly quotes: number
    readonly orders: number
    readonly links: number
    readonly events: number
    readonly deliveries: number
  }
  /** Law by law, by subject within a law. None: all of it holds. */
  readonly violations: ReadonlyArray<Violation>
}

export class Reconciliation extends Context.Service<
  Reconciliation,
  {
    /**
     * Looks through everything as it stands at one moment, while business goes on. Of what breaks one law, at most
     * `mostOfEach` findings are told.
     */
    readonly reconcile: (limitPerInvariant: number) => Effect.Effect<ReconciliationReport, StoreUnavailable>
  }
>()("backlinks/ports/Reconciliation") {}
