// Abandons a quote, for its human, its agent or because it expired. The payment session is closed first; if it was paid meanwhile, the
// payment is applied instead.
import { Context, Duration, Effect, Layer } from "effect"
import { abandonQuote, readQuoteInTime, type TimedQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { abandonUnapproved } from "#core/decisions/ordering/ApproveQuote.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { PaymentUnderWay } from "#core/domain/ordering/PaymentRefusal.ts"
import {
  type AbandonedBy,
  awaitsPayment,
  hasExpired,
  isOpen,
  isPaymentPending,
  type Quote
} from "#core/domain/ordering/Quote.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { ProcessorUnavailable, type StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { PaymentSessions } from "./PaymentSessions.ts"

/**
 * How long a read waits for expired quotes to be abandoned. The sweeper finishes the rest: finding a session whose id was never stored
 * can take the processor longer.
 */
export const READ_TIMEOUT = Duration.seconds(5)

/** Sessions of one quote that are closed in turn: another one is opened rarely, and hardly ever twice at the same moment. */
const ATTEMPTS = 3

type AbandonFault = QuoteNotFound | ProcessorUnavailable | StoreUnavailable

export class AbandonQuote extends Context.Service<
  AbandonQuote,
  {
    /**
     * Returns the quote as it is afterwards: `paid` if a payment came first. `PaymentUnderWay`: a bank debit has started and cannot be stopped.
     * `actor` is the operator who abandons it for the human.
     */
    readonly abandon: (
      quote: Quote,
      by: Exclude<AbandonedBy, "expiry">,
      actor?: Actor
    ) => Effect.Effect<Quote, AbandonFault | PaymentUnderWay>
    /**
     * Abandons the quote if it has expired by the store's clock, and closes no session otherwise: an instance whose clock is ahead
     * must not end a payment page that is still good. A quote whose bank debit is found to be under way stays open. `atMs` is the
     * store's time.
     */
    readonly expire: (quote: Quote) => Effect.Effect<TimedQuote, AbandonFault>
    /** Abandons a quote that awaits approval although its key was revoked or its account closed. Returns it as it is afterwards. */
    readonly endUnapproved: (quote: Quote) => Effect.Effect<Quote, QuoteNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/AbandonQuote") {
  static readonly layer = Layer.effect(
    AbandonQuote,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { close } = yield* PaymentSessions
      const { render } = yield* ServiceContext

      /** The quote has no session that could be paid afterwards: one that was opened in between is closed in another attempt. */
      const closeAndAbandon = Effect.fnUntraced(function* (found: Quote, by: AbandonedBy, actor?: Actor) {
        let quote = found
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const { quoteId, sessionId: closedSessionId, mode } = quote
          if (awaitsPayment(quote) && mode === "live") {
            const kept = yield* close({ quoteId, sessionId: closedSessionId })
            if (kept !== null) return kept
          }
          const decide = abandonQuote(quoteId, by, { actor, closedSessionId, render })
          quote = yield* book.transact({ _tag: "ForQuote", quoteId }, decide)
          if (quote.sessionId === closedSessionId || !isOpen(quote)) return quote
        }
        return yield* new ProcessorUnavailable({ retryAfterSeconds: 1, quoteId: found.quoteId })
      })

      const abandon = Effect.fn("AbandonQuote.abandon")(function* (
        found: Quote,
        by: Exclude<AbandonedBy, "expiry">,
        actor?: Actor
      ) {
        const quote = yield* closeAndAbandon(found, by, actor)
        return isPaymentPending(quote) ? yield* new PaymentUnderWay({ quoteId: quote.quoteId }) : quote
      })

      const expire = Effect.fn("AbandonQuote.expire")(function* ({ quoteId }: Quote) {
        const read = yield* book.transact({ _tag: "ForQuote", quoteId }, readQuoteInTime(quoteId))
        if (!hasExpired(read.quote, read.atMs)) return read
        // `PaymentUnderWay` is not for expiry: a quote with a payment under way does not expire.
        const quote = yield* closeAndAbandon(read.quote, "expiry").pipe(Effect.catchTag("PaymentUnderWay", Effect.die))
        return { quote, atMs: read.atMs }
      })

      const endUnapproved = Effect.fn("AbandonQuote.endUnapproved")(({ quoteId }: Quote) =>
        book.transact({ _tag: "ForApproval", quoteId }, abandonUnapproved(quoteId, render))
      )

      return AbandonQuote.of({ abandon, expire, endUnapproved })
    })
  )
}
