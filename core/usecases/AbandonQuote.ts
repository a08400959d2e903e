// Abandons a quote, for its human, its agent or because it expired. The payment session is closed first; if it was paid meanwhile, the
// payment is applied instead.
import { Context, Duration, Effect, Layer } from "effect"
import { abandonQuote, readQuoteInTime, type TimedQuote } from "#core/decisions/AbandonQuote.ts"
import type { Actor } from "#core/domain/Actor.ts"
import { type AbandonedBy, hasExpired, isOpen, type Quote } from "#core/domain/Quote.ts"
import type { QuoteNotFound } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/PortErrors.ts"
import { SettlePayment } from "./SettlePayment.ts"

/**
 * How long a read waits for expired quotes to be abandoned. The sweeper finishes the rest: finding a session whose id was never stored
 * can take the processor longer.
 */
export const READ_TIMEOUT = Duration.seconds(5)

type AbandonFault = QuoteNotFound | ProcessorUnavailable | StoreUnavailable

export class AbandonQuote extends Context.Service<
  AbandonQuote,
  {
    /** Returns the quote as it is afterwards: `paid` if a payment came first. `actor` is the operator who abandons it for the human. */
    readonly abandon: (
      quote: Quote,
      by: Exclude<AbandonedBy, "expiry">,
      actor?: Actor
    ) => Effect.Effect<Quote, AbandonFault>
    /**
     * Abandons the quote if it has expired by the store's clock, and closes no session otherwise: an instance whose clock is ahead
     * must not end a payment page that is still good. `atMs` is the store's time.
     */
    readonly expire: (quote: Quote) => Effect.Effect<TimedQuote, AbandonFault>
  }
>()("backlinks/usecases/AbandonQuote") {
  static readonly layer = Layer.effect(
    AbandonQuote,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { closeSession } = yield* SettlePayment

      const abandon = Effect.fn("AbandonQuote.abandon")(function* (quote: Quote, by: AbandonedBy, actor?: Actor) {
        const { quoteId, sessionId, mode } = quote
        if (isOpen(quote) && mode === "live") {
          const paid = yield* closeSession({ quoteId, sessionId })
          if (paid !== null) return paid
        }
        return yield* book.transact({ _tag: "ForQuote", quoteId }, abandonQuote(quoteId, by, actor))
      })

      const expire = Effect.fn("AbandonQuote.expire")(function* ({ quoteId }: Quote) {
        const read = yield* book.transact({ _tag: "ForQuote", quoteId }, readQuoteInTime(quoteId))
        if (!hasExpired(read.quote, read.atMs)) return read
        return { quote: yield* abandon(read.quote, "expiry"), atMs: read.atMs }
      })

      return AbandonQuote.of({ abandon, expire })
    })
  )
}
