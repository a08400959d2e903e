// The session in which the processor takes the payment of a quote: opened, again after it ended unpaid, closed, and followed by what the
// processor says of it. Each step is safe to repeat from any instance: the processor's idempotency key derives from the quote, and the
// first stored link wins.
import { Context, Effect, Layer } from "effect"
import { endSession, keepWhilePending, type ReportedSession } from "#core/decisions/ordering/PaymentSessionProgress.ts"
import type { Settlement } from "#core/decisions/ordering/SettlePayment.ts"
import { type PlacementResponse, storeSession } from "#core/decisions/ordering/StorePaymentSession.ts"
import { type QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import type { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import { isOpen, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { PaymentProcessor, type SessionState } from "#core/ports/ordering/PaymentProcessor.ts"
import { ProcessorUnavailable, type StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { Payments } from "./Payments.ts"

/** Captures no stack trace, which took 2 % of the CPU time of an order. */
const withOpenSpan = Effect.withSpan("PaymentSessions.open", {}, { captureStackTrace: false })

const logMismatch = (mismatch: PaymentMismatch) => Effect.logError("A payment does not fit its quote", mismatch)

export interface Followed {
  /** The quote afterwards; `null` where nothing was read. */
  readonly quote: Quote | null
  /** `kept`: it waits for its bank debit. `reopened`: it has, or gets, another session. `lapsed`: its time was over, and it ended. */
  readonly outcome: Settlement["outcome"] | "kept" | "reopened" | "lapsed" | "ignored"
}

export class PaymentSessions extends Context.Service<
  PaymentSessions,
  {
    /**
     * For a live quote with a card part. `ProcessorUnavailable` carries the id of the quote that still waits for its link.
     * `QuoteNotOpen`: the quote was abandoned meanwhile.
     */
    readonly open: (
      quote: Quote
    ) => Effect.Effect<PlacementResponse, QuoteNotFound | QuoteNotOpen | ProcessorUnavailable | StoreUnavailable>
    /**
     * Makes a session unpayable and returns `null`. If it was paid first, applies the payment and returns its quote; `null` too if what
     * was paid does not fit the quote, which then ends like any other. If a bank debit is under way, the quote waits for it and is
     * returned; `null` if it cannot wait.
     */
    readonly close: (
      session: Pick<Quote, "quoteId" | "sessionId">
    ) => Effect.Effect<Quote | null, QuoteNotFound | StoreUnavailable | ProcessorUnavailable>
    /**
     * Applies a payment, a bank debit under way, or an end without a payment, after which the quote gets another session. Idempotent, in
     * any order of reports. A notice must be authenticated before.
     */
    readonly follow: (
      session: ReportedSession,
      state: SessionState<QuoteId>
    ) => Effect.Effect<Followed, QuoteNotFound | PaymentMismatch | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/PaymentSessions") {
  static readonly layer = Layer.effect(
    PaymentSessions,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const processor = yield* PaymentProcessor
      const { settle } = yield* Payments
      const { render, paymentPage } = yield* ServiceContext

      const close = Effect.fnUntraced(function* (session: Pick<Quote, "quoteId" | "sessionId">) {
        const { quoteId, sessionId } = session
        const closed = yield* processor.expire(session)
        if (closed.outcome === "expired") return null
        if (closed.outcome === "pending") {
          const decide = keepWhilePending({ quoteId, sessionId: closed.sessionId })
          const { quote } = yield* book.transact({ _tag: "ForQuote", quoteId }, decide)
          return isOpen(quote) && !isPaymentPending(quote) ? null : quote
        }
        const applied = yield* settle(closed.payment, { sessionId }).pipe(
          Effect.catchTag("PaymentMismatch", (mismatch) => Effect.as(logMismatch(mismatch), null))
        )
        return applied === null || isOpen(applied.quote) ? null : applied.quote
      })

      /**
       * Closes a session that was opened while the quote was being abandoned. If that fails, the quote stays as it is: the link was
       * never given out, and the processor would report a payment.
       */
      const withdraw = Effect.fnUntraced(function* (session: ReportedSession) {
        const paid = yield* Effect.catchTag(close(session), "ProcessorUnavailable", () => Effect.succeed(null))
        const status = paid?.status === "paid" ? "paid" : "abandoned"
        return yield* new QuoteNotOpen({ quoteId: session.quoteId, status })
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
          .pipe(Effect.catchTag("QuoteNotOpen", () => withdraw({ quoteId, sessionId: session.sessionId })))
      }, withOpenSpan)

      /** The end is written before, so that the sweeper opens the session if this cannot. */
      const reopen = (quote: Quote) =>
        open(quote).pipe(
          Effect.map(({ placement }) => placement.quote),
          Effect.catchTag(["ProcessorUnavailable", "QuoteNotOpen"], (fault) =>
            Effect.as(Effect.logWarning("a payment session could not be opened again yet", fault), quote)
          )
        )

      const follow = Effect.fn("PaymentSessions.follow")(function* (
        session: ReportedSession,
        state: SessionState<QuoteId>
      ): Effect.fn.Return<Followed, QuoteNotFound | PaymentMismatch | StoreUnavailable> {
        const reads = { _tag: "ForQuote", quoteId: session.quoteId } as const
        switch (state.outcome) {
          case "open":
            return { quote: null, outcome: "ignored" }
          case "paid":
            return yield* settle(state.payment, { sessionId: session.sessionId })
          case "pending":
            return yield* book.transact(reads, keepWhilePending(session))
          case "expired": {
            const { quote, outcome } = yield* book.transact(reads, endSession(session, render))
            return outcome === "reopens" ? { quote: yield* reopen(quote), outcome: "reopened" } : { quote, outcome }
          }
        }
      })

      return PaymentSessions.of({ open, close, follow })
    })
  )
}
