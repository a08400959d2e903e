// Frees finished records whose span has passed. Money, live orders and the audit log are never freed.
import { Context, type Effect } from "effect"
import type { FreedRows, FreedTable, RetentionKind } from "#core/domain/operations/Retention.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface RetentionStep {
  readonly kind: RetentionKind
  /** How long records are kept after their end, by the store's clock. */
  readonly spanMs: Millis
  /** Records that are looked at. */
  readonly limit: number
  /** `next` of the step before; `null` for the first. */
  readonly after: string | null
}

export interface FreedStep {
  readonly freed: FreedRows
  /** Where the next step begins; `null` if nothing is left, or if another instance is freeing records at this moment. */
  readonly next: string | null
}

export interface FreedTotal {
  readonly table: FreedTable
  readonly rows: number
  readonly lastAtMs: Millis
}

export class Retention extends Context.Service<
  Retention,
  {
    /**
     * One transaction over at most `limit` records of a kind. A record that changes at this moment is left for a later pass, and one that
     * is freed is not found by the next change. The invariants hold before and after each step.
     */
    readonly free: (step: RetentionStep) => Effect.Effect<FreedStep, StoreUnavailable>
    /** What all instances have freed since the store was made, in the order of `FREED_TABLES`; tables without freed rows are missing. */
    readonly freed: () => Effect.Effect<ReadonlyArray<FreedTotal>, StoreUnavailable>
  }
>()("backlinks/ports/operations/Retention") {}
