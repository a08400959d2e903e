// Opens the payment session of a quote, or another one after it ended unpaid, and stores its link. Safe to repeat from any instance:
// the processor's idempotency key derives from the quote, and the first stored link wins.
import { Context, Effect, Layer } from "effect"
import { type PlacementResponse, storeSession } from "#core/decisions/ordering/StorePaymentSession.ts"
import { type QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { ProcessorUnavailable, type StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { SettlePayment } from "./SettlePayment.ts"

/** Captures no stack trace, which took 2 % of the CPU time of an order. */
const withSpan = Effect.withSpan("OpenPayment.open", {}, { captureStackTrace: false })

export class OpenPayment extends Context.Service<
  OpenPayment,
  {
    /**
     * For a live quote with a card part. `ProcessorUnavailable` carries the id of the quote that still waits for its link.
     * `QuoteNotOpen`: the quote was abandoned meanwhile.
     */
    readonly open: (
      quote: Quote
    ) => Effect.Effect<PlacementResponse, QuoteNotFound | QuoteNotOpen | ProcessorUnavailable | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/OpenPayment") {
  static readonly layer = Layer.effect(
    OpenPayment,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const processor = yield* PaymentProcessor
      const { closeSession } = yield* SettlePayment
      const { render, paymentPage } = yield* ServiceContext

      /**
       * Closes a session that was opened while the quote was being abandoned. If that fails, the quote stays as it is: the link was
       * never given out, and the processor would report a payment.
       */
      const withdraw = Effect.fnUntraced(function* (quoteId: QuoteId, sessionId: PaymentSessionId) {
        const paid = yield* closeSession({ quoteId, sessionId }).pipe(
          Effect.catchTag("ProcessorUnavailable", () => Effect.succeed(null))
        )
        return yield* new QuoteNotOpen({ quoteId, status: paid?.status === "paid" ? "paid" : "abandoned" })
      })

      const open = Effect.fnUntraced(function* (quote: Quote) {
        const { quoteId, endedSessionId, cardCents, expiresAtMs, paymentToken, lines } = quote
        const session = yield* processor
          .open({
            quoteId,
            endedSessionId,
            amountCents: cardCents,
            currency: "EUR",
            description: lines.length === 1 ? "1 backlink" : `${lines.length} backlinks`,
            expiresAtMs,
            pageUrl: paymentPage(paymentToken)
          })
          .pipe(Effect.mapError(({ retryAfterSeconds }) => new ProcessorUnavailable({ retryAfterSeconds, quoteId })))
        return yield* book
          .transact({ _tag: "ForQuote", quoteId }, storeSession({ quoteId, endedSessionId, ...session }, render))
          .pipe(Effect.catchTag("QuoteNotOpen", () => withdraw(quoteId, session.sessionId)))
      }, withSpan)

      return OpenPayment.of({ open })
    })
  )
}
