// Payments in the books: applied to their quotes, given back, or set aside until the operator says what became of them.
import { Context, Effect, Layer } from "effect"
import { type RecordedReversal, recordReversal } from "#core/decisions/ordering/RecordReversal.ts"
import { type Resolution, resolvePayment } from "#core/decisions/ordering/ResolvePayment.ts"
import { type PaymentSource, type Settlement, settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import type { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { type PaymentMismatch, PaymentNotFound, type PaymentResolved } from "#core/domain/ordering/PaymentRefusal.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import type { ReversalNotice } from "#core/domain/ordering/ProcessorNotice.ts"
import type { Payment, PaymentFor } from "#core/domain/ordering/Quote.ts"
import type { Reversal } from "#core/domain/ordering/Reversal.ts"
import { type PayableId, QuoteId } from "#core/domain/shared/Ids.ts"
import { isTopUpId } from "#core/domain/wallet/TopUp.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"

/** Money has moved that no quote accounts for: the operator has to act. */
export const logSetAside = (payment: PaymentFor<PayableId>) =>
  Effect.logError("A payment could not be booked and was set aside", payment)

type ReversalFacts = Pick<Reversal, "kind" | "state">

/** Says it once: a repeated notice is not logged. */
export const logReversal = ({
  outcome,
  reversal
}: Pick<RecordedReversal, "outcome"> & { readonly reversal: ReversalFacts }) => {
  const what = reversal.kind === "refund" ? "A payment was refunded" : "A payment is disputed"
  return outcome === "recorded"
    ? Effect.logError(reversal.state === "won" ? "A dispute was won" : what, reversal)
    : Effect.void
}

export class Payments extends Context.Service<
  Payments,
  {
    /** Idempotent per payment. The notice must be authenticated before. */
    readonly settle: (
      payment: Payment,
      source?: PaymentSource
    ) => Effect.Effect<Settlement, QuoteNotFound | PaymentMismatch | StoreUnavailable>
    /** Records a refund or a dispute, and logs it loudly. Idempotent, in any order of notices. The notice must be authenticated before. */
    readonly reverse: (notice: ReversalNotice) => Effect.Effect<RecordedReversal, QuoteNotFound | StoreUnavailable>
    /** Those that wait for a decision first, then the newest. */
    readonly setAside: (limit: number) => Effect.Effect<ReadonlyArray<PaymentSetAside>, StoreUnavailable>
    /** Records what became of a payment that was set aside. */
    readonly resolve: (
      resolution: Resolution
    ) => Effect.Effect<PaymentSetAside, PaymentNotFound | PaymentResolved | PaymentMismatch | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/Payments") {
  static readonly layer = Layer.effect(
    Payments,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes
      const rules = yield* ServiceContext

      return Payments.of({
        settle: Effect.fn("Payments.settle")((payment, source) => {
          const { quoteId, paymentId } = payment
          return book
            .transact({ _tag: "ForQuote", quoteId, paymentId }, settlePayment(payment, rules, source))
            .pipe(Effect.tap(({ outcome }) => (outcome === "set_aside" ? logSetAside(payment) : Effect.void)))
        }),
        reverse: Effect.fn("Payments.reverse")((notice) =>
          book
            .transact({ _tag: "ForQuote", quoteId: notice.quoteId }, recordReversal(notice))
            .pipe(Effect.tap(logReversal))
        ),
        setAside: Effect.fn("Payments.setAside")((limit) => quotes.setAside({ limit })),
        resolve: Effect.fn("Payments.resolve")(function* (resolution) {
          const { paymentId } = resolution
          const [found] = yield* quotes.setAside({ limit: 1, paymentId })
          if (found === undefined) return yield* new PaymentNotFound({ paymentId })
          const { quoteId: id } = found
          const reads = isTopUpId(id)
            ? ({ _tag: "ForTopUp", topUpId: id, reference: paymentId } as const)
            : ({ _tag: "ForQuote", quoteId: QuoteId.make(id), paymentId } as const)
          return yield* book.transact(reads, resolvePayment(resolution))
        })
      })
    })
  )
}
