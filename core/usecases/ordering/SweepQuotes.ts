// Abandons expired quotes and those that await approval for a revoked key, opens missing payment sessions after a crash, and asks what
// became of bank debits. Any instance may sweep at any time: each quote is leased to one of them, and checked again in a separate transaction.
import { Clock, Context, Effect, Layer } from "effect"
import { awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AbandonQuote, READ_TIMEOUT } from "./AbandonQuote.ts"
import { AskProcessor, PENDING_INTERVAL_MS } from "./AskProcessor.ts"
import { PaymentSessions } from "./PaymentSessions.ts"
import { makeSweepDue, type Sweeping, type SweepOutcome } from "./SweepDue.ts"

const BATCH = 200

/** The request that made a quote has this long to store the link itself. */
const ORPHANED_AFTER_MS = 15_000

/** What a sweep does with the quotes of one list. */
type Finish = Pick<Sweeping<QuoteId>, "leaseMs" | "run" | "inTurn">

type Page = Sweeping<QuoteId>["page"]

export interface Swept {
  readonly expired: number
  readonly resumed: number
}

export class SweepQuotes extends Context.Service<
  SweepQuotes,
  {
    /** One pass over everything that is due. A quote that fails is logged and left for the next pass. */
    readonly sweep: () => Effect.Effect<Swept, StoreUnavailable>
    /** Abandons the quotes of one account that have ended, before its wallet is shown, within `READ_TIMEOUT`. */
    readonly sweepAccount: (accountId: AccountId) => Effect.Effect<void, StoreUnavailable>
    /** Sweeps the account after a key was revoked. What fails is left for the next pass. */
    readonly sweepRevoked: (accountId: AccountId) => Effect.Effect<void>
  }
>()("backlinks/usecases/ordering/SweepQuotes") {
  static readonly layer = Layer.effect(
    SweepQuotes,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const { expire, endUnapproved } = yield* AbandonQuote
      const payment = yield* PaymentSessions
      const { askIfDue } = yield* AskProcessor

      const sweepDue = yield* makeSweepDue

      const finishAll = (page: Page, finish: Finish) => sweepDue({ what: "quote", limit: BATCH, page, ...finish })

      /** Reads the quote once it is leased: another sweeper may have ended it since the list was read. */
      const leased = (run: (quote: Quote) => Effect.Effect<SweepOutcome, unknown>): Finish => ({
        run: Effect.fnUntraced(function* (quoteId) {
          const quote = yield* quotes.byId(quoteId)
          return quote === null ? "left" : yield* run(quote)
        })
      })
      const once = (run: (quote: Quote) => Effect.Effect<unknown, unknown>): Finish =>
        leased((quote) => Effect.as(run(quote), "done"))

      const expired = once(expire)
      const unapproved = once(endUnapproved)
      const unopened = once((quote) =>
        awaitsPayment(quote) && quote.sessionId === null ? payment.open(quote) : Effect.void
      )
      /** The lease is how long no other instance asks again. */
      const asked: Finish = {
        ...leased((quote) => Effect.map(askIfDue(quote), (isAsked) => (isAsked ? "kept" : "done"))),
        leaseMs: PENDING_INTERVAL_MS
      }

      const sweepAccount = Effect.fn("SweepQuotes.sweepAccount")(function* (accountId: AccountId) {
        const nowMs = yield* Clock.currentTimeMillis
        const ended = finishAll((after) => quotes.due({ nowMs, limit: BATCH, accountId, after }), {
          ...expired,
          inTurn: true
        })
        const revoked = finishAll((after) => quotes.ofRevokedKeys({ limit: BATCH, accountId, after }), {
          ...unapproved,
          inTurn: true
        })
        yield* Effect.timeoutOption(Effect.andThen(ended, revoked), READ_TIMEOUT)
      })

      return SweepQuotes.of({
        sweep: Effect.fn("SweepQuotes.sweep")(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          const beforeMs = nowMs - ORPHANED_AFTER_MS
          const ended = yield* finishAll((after) => quotes.due({ nowMs, limit: BATCH, after }), expired)
          const resumed = yield* finishAll(
            (after) => quotes.withoutSession({ beforeMs, limit: BATCH, after }),
            unopened
          )
          yield* finishAll((after) => quotes.ofRevokedKeys({ limit: BATCH, after }), unapproved)
          yield* finishAll((after) => quotes.pending({ nowMs, limit: BATCH, after }), asked)
          return { expired: ended, resumed }
        }),
        sweepAccount,
        sweepRevoked: (accountId) =>
          Effect.catchTag(sweepAccount(accountId), "StoreUnavailable", (fault) =>
            Effect.logWarning("quotes of a revoked key are left for the next sweep", accountId, fault)
          )
      })
    })
  )
}
