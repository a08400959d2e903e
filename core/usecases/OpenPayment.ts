// Gives a quote its payment link. Safe to repeat from anywhere: the quote's id is the processor's idempotency key, and the
// first stored link wins. A link that came too late is given to nobody.
import { Context, Effect, Layer } from "effect"
import { type StoredSession, storeSession } from "#core/decisions/StoreSession.ts"
import { counted } from "#core/domain/Counted.ts"
import type { Quote } from "#core/domain/Quote.ts"
import { type QuoteNotFound, QuoteNotOpen } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { PaymentProcessor } from "#core/ports/PaymentProcessor.ts"
import { ProcessorUnavailable, type StoreUnavailable } from "#core/ports/PortErrors.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"
import { makeCloseSession } from "./CloseSession.ts"
import { SettlePayment } from "./SettlePayment.ts"

export class OpenPayment extends Context.Service<
  OpenPayment,
  {
    /**
     * For a live quote with something to pay. Fails with the quote's id, so that the caller can be told what waits. `QuoteNotOpen`: it
     * was given up meanwhile.
     */
    readonly open: (
      quote: Quote
    ) => Effect.Effect<StoredSession, QuoteNotFound | QuoteNotOpen | ProcessorUnavailable | StoreUnavailable>
  }
>()("backlinks/usecases/OpenPayment") {
  static readonly layer = Layer.effect(
    OpenPayment,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const processor = yield* PaymentProcessor
      const close = makeCloseSession(processor, yield* SettlePayment)
      const { render, paymentPage } = yield* ServiceContext

      /**
       * Whoever gave the quote up could not close a session that was not there yet. A processor that cannot be asked, or tells of a
       * misfit, which is logged, changes nothing about the quote: nobody was given the link, and a payment would be told of by notice.
       */
      const withdraw = Effect.fnUntraced(function* (quoteId: string, sessionId: string) {
        const paid = yield* close({ quoteId, sessionId }).pipe(
          Effect.catchTag(["ProcessorUnavailable", "PaymentMismatch"], () => Effect.succeed(null))
        )
        return yield* new QuoteNotOpen({ quoteId, status: paid?.status === "paid" ? "paid" : "abandoned" })
      })

      const open = Effect.fn("OpenPayment.open")(function* (quote: Quote) {
        const { quoteId, cardCents, expiresAtMs, paymentToken, lines } = quote
        const session = yield* processor
          .open({
            quoteId,
            amountCents: cardCents,
            currency: "EUR",
            description: counted(lines.length, "backlink"),
            expiresAtMs,
            pageUrl: paymentPage(paymentToken)
          })
          .pipe(Effect.mapError(({ retryAfterSeconds }) => new ProcessorUnavailable({ retryAfterSeconds, quoteId })))
        return yield* book
          .transact({ _tag: "ForQuote", quoteId }, storeSession({ quoteId, ...session }, render))
          .pipe(Effect.catchTag("QuoteNotOpen", () => withdraw(quoteId, session.sessionId)))
      })

      return OpenPayment.of({ open })
    })
  )
}
