// Gives a quote up, by its human, its agent or the clock. The processor's session is made unpayable first; where that turns
// out to have been paid, the quote settles instead.
import { Context, Duration, Effect, Layer } from "effect"
import { abandonQuote } from "#core/decisions/AbandonQuote.ts"
import type { Actor } from "#core/domain/Actor.ts"
import { type AbandonedBy, isOpen, type Quote } from "#core/domain/Quote.ts"
import type { PaymentMismatch, QuoteNotFound } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { PaymentProcessor } from "#core/ports/PaymentProcessor.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/PortErrors.ts"
import { makeCloseSession } from "./CloseSession.ts"
import { SettlePayment } from "./SettlePayment.ts"

/**
 * Whoever only wants to know how things stand waits so long for the processor. What has not been given up by then is the sweeper's:
 * a session whose id was never learnt may have to be looked for among a day's.
 */
export const READ_TIMEOUT = Duration.seconds(5)

export class AbandonQuote extends Context.Service<
  AbandonQuote,
  {
    /** Answers the quote as it then is: `paid` where a payment was quicker. `operator` does it for the human. */
    readonly abandon: (
      quote: Quote,
      by: AbandonedBy,
      actor?: Actor
    ) => Effect.Effect<Quote, QuoteNotFound | PaymentMismatch | ProcessorUnavailable | StoreUnavailable>
  }
>()("backlinks/usecases/AbandonQuote") {
  static readonly layer = Layer.effect(
    AbandonQuote,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const close = makeCloseSession(yield* PaymentProcessor, yield* SettlePayment)

      const abandon = Effect.fn("AbandonQuote.abandon")(function* (quote: Quote, by: AbandonedBy, actor?: Actor) {
        const { quoteId, sessionId, mode } = quote
        if (isOpen(quote) && mode === "live") {
          const paid = yield* close({ quoteId, sessionId })
          if (paid !== null) return paid
        }
        return yield* book.transact({ _tag: "ForQuote", quoteId }, abandonQuote(quoteId, by, actor))
      })

      return AbandonQuote.of({ abandon })
    })
  )
}
