// Abandons expired quotes and those that await approval for a revoked key, opens missing payment sessions after a crash, and asks what
// became of bank debits. Any instance may sweep at any time: each quote is checked again in a separate transaction.
import { Clock, Context, Effect, Layer } from "effect"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AbandonQuote, READ_TIMEOUT } from "./AbandonQuote.ts"
import { AskProcessor } from "./AskProcessor.ts"
import { PaymentSessions } from "./PaymentSessions.ts"

const BATCH = 200

/** Each quote waits a few hundred milliseconds for the processor: eight at a time stay near its limit of 25 calls a second. */
const CONCURRENCY = 8

/** The request that made a quote has this long to store the link itself. */
const ORPHANED_AFTER_MS = 15_000

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
      const { ask } = yield* AskProcessor

      /** Whether it succeeded. A failure is logged and concerns one quote, but a failed read of the store ends the pass. */
      const tryFinish = Effect.fnUntraced(function* (
        quoteId: QuoteId,
        finish: (quote: Quote) => Effect.Effect<unknown, unknown>
      ) {
        const quote = yield* quotes.byId(quoteId)
        if (quote === null) return false
        return yield* finish(quote).pipe(
          Effect.as(true),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logWarning("quote left for the next sweep", quoteId, cause), false)
          )
        )
      })

      /** Goes through all pages, so that failing quotes do not block others. Returns the number of quotes that succeeded. */
      const finishAll = Effect.fnUntraced(function* (
        page: (after: QuoteId | null) => Effect.Effect<ReadonlyArray<QuoteId>, StoreUnavailable>,
        finish: (quote: Quote) => Effect.Effect<unknown, unknown>
      ) {
        let total = 0
        for (let after: QuoteId | null = null; ; ) {
          const quoteIds: ReadonlyArray<QuoteId> = yield* page(after)
          const each = yield* Effect.forEach(quoteIds, (quoteId) => tryFinish(quoteId, finish), {
            concurrency: CONCURRENCY
          })
          total += each.filter((isFinished) => isFinished).length
          if (quoteIds.length < BATCH) return total
          after = quoteIds.at(-1) ?? null
        }
      })

      const sweepAccount = Effect.fn("SweepQuotes.sweepAccount")(function* (accountId: AccountId) {
        const nowMs = yield* Clock.currentTimeMillis
        const expired = finishAll((after) => quotes.due({ nowMs, limit: BATCH, accountId, after }), expire)
        const revoked = finishAll((after) => quotes.ofRevokedKeys({ limit: BATCH, accountId, after }), endUnapproved)
        yield* Effect.timeoutOption(Effect.andThen(expired, revoked), READ_TIMEOUT)
      })

      return SweepQuotes.of({
        sweep: Effect.fn("SweepQuotes.sweep")(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          const beforeMs = nowMs - ORPHANED_AFTER_MS
          const expired = yield* finishAll((after) => quotes.due({ nowMs, limit: BATCH, after }), expire)
          const resumed = yield* finishAll(
            (after) => quotes.withoutSession({ beforeMs, limit: BATCH, after }),
            payment.open
          )
          yield* finishAll((after) => quotes.ofRevokedKeys({ limit: BATCH, after }), endUnapproved)
          yield* finishAll((after) => quotes.pending({ nowMs, limit: BATCH, after }), ask)
          return { expired, resumed }
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
