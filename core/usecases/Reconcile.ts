// Lets an operator prove the books: all laws, over the whole store.
import { Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Reconciliation, type ReconciliationReport } from "#core/ports/Reconciliation.ts"

/** Enough to see what is wrong; who has more of one kind has one fault, not hundreds. */
const MOST_OF_EACH = 100

export class Reconcile extends Context.Service<
  Reconcile,
  {
    /** May take minutes over millions of orders. Nothing waits for it. */
    readonly reconcile: () => Effect.Effect<ReconciliationReport, StoreUnavailable>
  }
>()("backlinks/usecases/Reconcile") {
  static readonly layer = Layer.effect(
    Reconcile,
    Effect.gen(function* () {
      const books = yield* Reconciliation

      return Reconcile.of({
        reconcile: Effect.fn("Reconcile.reconcile")(() => books.reconcile(MOST_OF_EACH))
      })
    })
  )
}
