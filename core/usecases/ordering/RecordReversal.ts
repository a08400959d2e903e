// Records refunds and disputes that the payment processor reports, and logs each loudly: the operator has to act.
import { Context, Effect, Layer } from "effect"
import { type RecordedReversal, recordReversal } from "#core/decisions/ordering/RecordReversal.ts"
import type { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { ReversalNotice } from "#core/domain/ordering/ProcessorNotice.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export class RecordReversal extends Context.Service<
  RecordReversal,
  {
    /** Idempotent, in any order of notices. The notice must be authenticated before. */
    readonly record: (notice: ReversalNotice) => Effect.Effect<RecordedReversal, QuoteNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/RecordReversal") {
  static readonly layer = Layer.effect(
    RecordReversal,
    Effect.gen(function* () {
      const book = yield* OrderBook

      return RecordReversal.of({
        record: Effect.fn("RecordReversal.record")(function* (notice) {
          const recorded = yield* book.transact({ _tag: "ForQuote", quoteId: notice.quoteId }, recordReversal(notice))
          const what = notice.kind === "refund" ? "A payment was refunded" : "A payment is disputed"
          const { outcome, reversal } = recorded
          if (outcome === "recorded")
            yield* Effect.logError(reversal.state === "won" ? "A dispute was won" : what, reversal)
          return recorded
        })
      })
    })
  )
}
