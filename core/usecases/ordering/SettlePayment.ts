// Applies payments to their quotes: those that a processor reports, and those that show when a payment session is closed.
import { Context, Effect, Layer } from "effect"
import { keepWhilePending } from "#core/decisions/ordering/PaymentSessionProgress.ts"
import { type PaymentSource, type Settlement, settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import type { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import { isOpen, isPaymentPending, type Payment, type Quote } from "#core/domain/ordering/Quote.ts"
import type { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"

type SettleFault = QuoteNotFound | PaymentMismatch | StoreUnavailable

/** Money has moved that no quote accounts for: the operator has to act. */
const logSetAside = (payment: Payment) => Effect.logError("A payment does not fit its quote and was set aside", payment)

const logMismatch = (mismatch: PaymentMismatch) => Effect.logError("A payment does not fit its quote", mismatch)

export class SettlePayment extends Context.Service<
  SettlePayment,
  {
    /** Idempotent per payment. The notice must be authenticated before. */
    readonly settle: (payment: Payment, source?: PaymentSource) => Effect.Effect<Settlement, SettleFault>
    /**
     * Makes a payment session unpayable and returns `null`. If it was paid first, applies the payment and returns its quote; `null`
     * too if what was paid does not fit the quote, which then ends like any other. If a bank debit is under way, the quote waits for
     * it and is returned; `null` if it cannot wait.
     */
    readonly closeSession: (session: {
      readonly quoteId: QuoteId
      readonly sessionId: PaymentSessionId | null
    }) => Effect.Effect<Quote | null, QuoteNotFound | StoreUnavailable | ProcessorUnavailable>
  }
>()("backlinks/usecases/ordering/SettlePayment") {
  static readonly layer = Layer.effect(
    SettlePayment,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const processor = yield* PaymentProcessor
      const rules = yield* ServiceContext

      const settle = Effect.fn("SettlePayment.settle")((payment: Payment, source?: PaymentSource) => {
        const { quoteId, paymentId } = payment
        return book
          .transact({ _tag: "ForQuote", quoteId, paymentId }, settlePayment(payment, rules, source))
          .pipe(Effect.tap(({ outcome }) => (outcome === "set_aside" ? logSetAside(payment) : Effect.void)))
      })

      const closeSession = Effect.fnUntraced(function* (session: {
        readonly quoteId: QuoteId
        readonly sessionId: PaymentSessionId | null
      }) {
        const closed = yield* processor.expire(session)
        if (closed.outcome === "expired") return null
        const { quoteId, sessionId } = session
        if (closed.outcome === "pending") {
          const pending = { quoteId, sessionId: closed.sessionId }
          const { quote } = yield* book.transact({ _tag: "ForQuote", quoteId }, keepWhilePending(pending))
          return isOpen(quote) && !isPaymentPending(quote) ? null : quote
        }
        const applied = yield* settle(closed.payment, { sessionId }).pipe(
          Effect.catchTag("PaymentMismatch", (mismatch) => Effect.as(logMismatch(mismatch), null))
        )
        return applied === null || isOpen(applied.quote) ? null : applied.quote
      })

      return SettlePayment.of({ settle, closeSession })
    })
  )
}
