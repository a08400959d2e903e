// Finishes what time or a crash left undone: expired quotes are given up, quotes without a payment link get one. Every
// instance may sweep at any time; each quote is one transaction of its own, which checks again.
import { Clock, Context, Effect, Layer } from "effect"
import type { Quote } from "#core/domain/Quote.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { AbandonQuote, READ_TIMEOUT } from "./AbandonQuote.ts"
import { OpenPayment } from "./OpenPayment.ts"

const BATCH = 200

/**
 * Most of a quote's time is the processor's, a few hundred milliseconds for each: so many finish well over a thousand a minute, and
 * ask a processor that takes 25 calls a second for hardly more than that.
 */
const AT_ONCE = 8

/** A request that is still at work is given this long to store its own link. */
const ORPHANED_AFTER_MS = 15_000

export interface Swept {
  readonly expired: number
  readonly resumed: number
}

export class SweepQuotes extends Context.Service<
  SweepQuotes,
  {
    /** One pass over everything that is due now. A quote that fails is logged and left for the next pass. */
    readonly sweep: () => Effect.Effect<Swept, StoreUnavailable>
    /** The same for the expired quotes of one account, before its wallet is shown, as far as that goes while somebody waits for it. */
    readonly sweepAccount: (accountId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/usecases/SweepQuotes") {
  static readonly layer = Layer.effect(
    SweepQuotes,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const { abandon } = yield* AbandonQuote
      const payment = yield* OpenPayment

      /** Whether it could be finished. A store that cannot even be asked for a quote ends the pass; what else fails is that quote's own affair. */
      const finished = Effect.fnUntraced(function* (
        quoteId: string,
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

      /** Page by page to the end, so that quotes that fail are in nobody's way. How many were finished. */
      const through = Effect.fnUntraced(function* (
        page: (after: string | null) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>,
        finish: (quote: Quote) => Effect.Effect<unknown, unknown>
      ) {
        let total = 0
        for (let after: string | null = null; ; ) {
          const quoteIds: ReadonlyArray<string> = yield* page(after)
          const each = yield* Effect.forEach(quoteIds, (quoteId) => finished(quoteId, finish), { concurrency: AT_ONCE })
          total += each.filter((isFinished) => isFinished).length
          if (quoteIds.length < BATCH) return total
          after = quoteIds.at(-1) ?? null
        }
      })

      const expire = (quote: Quote) => abandon(quote, "expiry")

      return SweepQuotes.of({
        sweep: Effect.fn("SweepQuotes.sweep")(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          const beforeMs = nowMs - ORPHANED_AFTER_MS
          const expired = yield* through((after) => quotes.due({ nowMs, limit: BATCH, after }), expire)
          const resumed = yield* through(
            (after) => quotes.withoutSession({ beforeMs, limit: BATCH, after }),
            payment.open
          )
          return { expired, resumed }
        }),
        sweepAccount: Effect.fn("SweepQuotes.sweepAccount")(function* (accountId) {
          const nowMs = yield* Clock.currentTimeMillis
          const expired = through((after) => quotes.due({ nowMs, limit: BATCH, accountId, after }), expire)
          yield* Effect.timeoutOption(expired, READ_TIMEOUT)
        })
      })
    })
  )
}
