// Proves that every record of the store agrees with every other. Looks and tells; mends nothing.
import { Context, type Effect } from "effect"
import type { Finding } from "#core/domain/Finding.ts"
import type { StoreUnavailable } from "./Faults.ts"

export interface Proof {
  /** How much was looked through. */
  readonly looked: {
    readonly accounts: number
    readonly ledgerEntries: number
    readonly quotes: number
    readonly orders: number
    readonly links: number
    readonly events: number
    readonly deliveries: number
  }
  /** Law by law, by subject within a law. None: all of it holds. */
  readonly findings: ReadonlyArray<Finding>
}

export class Reconciliation extends Context.Service<
  Reconciliation,
  {
    /**
     * Looks through everything as it stands at one moment, while business goes on. Of what breaks one law, at most
     * `mostOfEach` findings are told.
     */
    readonly prove: (mostOfEach: number) => Effect.Effect<Proof, StoreUnavailable>
  }
>()("backlinks/ports/Reconciliation") {}
