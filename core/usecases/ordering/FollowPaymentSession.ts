// Applies what a processor says of a quote's payment session, by a notice or when it is asked: a payment, a bank debit under way, or
// an end without a payment, after which the quote gets another session.
import { Context, Effect, Layer } from "effect"
import { endSession, keepWhilePending, type ReportedSession } from "#core/decisions/ordering/PaymentSessionProgress.ts"
import type { Settlement } from "#core/decisions/ordering/SettlePayment.ts"
import type { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { SessionState } from "#core/ports/ordering/PaymentProcessor.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { OpenPayment } from "./OpenPayment.ts"
import { SettlePayment } from "./SettlePayment.ts"

export interface Followed {
  /** The quote afterwards; `null` where nothing was read. */
  readonly quote: Quote | null
  /** `kept`: it waits for its bank debit. `reopened`: it has, or gets, another session. `lapsed`: its time was over, and it ended. */
  readonly outcome: Settlement["outcome"] | "kept" | "reopened" | "lapsed" | "ignored"
}

export class FollowPaymentSession extends Context.Service<
  FollowPaymentSession,
  {
    /** Idempotent, in any order of reports. A notice must be authenticated before. */
    readonly follow: (
      session: ReportedSession,
      state: SessionState<QuoteId>
    ) => Effect.Effect<Followed, QuoteNotFound | PaymentMismatch | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/FollowPaymentSession") {
  static readonly layer = Layer.effect(
    FollowPaymentSession,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const payments = yield* SettlePayment
      const { open } = yield* OpenPayment
      const { render } = yield* ServiceContext

      /** The end is written before, so that the sweeper opens the session if this cannot. */
      const reopen = (quote: Quote) =>
        open(quote).pipe(
          Effect.map(({ placement }) => placement.quote),
          Effect.catchTag(["ProcessorUnavailable", "QuoteNotOpen"], (fault) =>
            Effect.as(Effect.logWarning("a payment session could not be opened again yet", fault), quote)
          )
        )

      const follow = Effect.fn("FollowPaymentSession.follow")(function* (
        session: ReportedSession,
        state: SessionState<QuoteId>
      ): Effect.fn.Return<Followed, QuoteNotFound | PaymentMismatch | StoreUnavailable> {
        const { quoteId, sessionId } = session
        const reads = { _tag: "ForQuote", quoteId } as const
        switch (state.outcome) {
          case "open":
            return { quote: null, outcome: "ignored" }
          case "paid":
            return yield* payments.settle(state.payment, { sessionId })
          case "pending":
            return yield* book.transact(reads, keepWhilePending(session))
          case "expired": {
            const end = yield* book.transact(reads, endSession(session, render))
            const { quote, outcome } = end
            return outcome === "reopens" ? { quote: yield* reopen(quote), outcome: "reopened" } : { quote, outcome }
          }
        }
      })

      return FollowPaymentSession.of({ follow })
    })
  )
}
