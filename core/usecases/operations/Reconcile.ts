// Checks all invariants over the whole store, for the operator.
import { Context, Effect, Layer } from "effect"
import { Reconciliation, type ReconciliationReport } from "#core/ports/operations/Reconciliation.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** More violations of one invariant usually have the same cause. */
const LIMIT_PER_INVARIANT = 100

export class Reconcile extends Context.Service<
  Reconcile,
  {
    /** Takes minutes over millions of orders, and blocks no other call. */
    readonly reconcile: () => Effect.Effect<ReconciliationReport, StoreUnavailable>
  }
>()("backlinks/usecases/operations/Reconcile") {
  static readonly layer = Layer.effect(
    Reconcile,
    Effect.gen(function* () {
      const { reconcile } = yield* Reconciliation

      return Reconcile.of({
        reconcile: Effect.fn("Reconcile.reconcile")(() => reconcile(LIMIT_PER_INVARIANT))
      })
    })
  )
}
