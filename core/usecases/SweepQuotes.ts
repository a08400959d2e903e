// Finishes what time or a crash left undone: expired quotes are given up, quotes without a payment link get one. Every
// instance may sweep at any time; each quote is one transaction of its own, which checks again.
import { Clock, Context, Effect, Layer } from "effect"
import type { Quote } from "#core/domain/Quote.ts"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import { OpenPayment } from "./OpenPayment.ts"

const BATCH = 200

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
    /** The same for the expired quotes of one account, before its wallet is shown. */
    readonly sweepAccount: (accountId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/usecases/SweepQuotes") {
  static readonly layer = Layer.effect(
    SweepQuotes,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const quitter = yield* AbandonQuote
      const payment = yield* OpenPayment

      const each = Effect.fnUntraced(function* (
        quoteIds: ReadonlyArray<string>,
        finish: (quote: Quote) => Effect.Effect<unknown, unknown>
      ) {
        let done = 0
        for (const quoteId of quoteIds) {
          const quote = yield* quotes.byId(quoteId)
          if (quote === null) continue
          const finished = yield* finish(quote).pipe(
            Effect.as(true),
            Effect.catchCause((cause) =>
              Effect.as(Effect.logWarning("quote left for the next sweep", quoteId, cause), false)
            )
          )
          if (finished) done++
        }
        return done
      })

      const expire = (quoteIds: ReadonlyArray<string>) => each(quoteIds, (quote) => quitter.abandon(quote, "expiry"))
      const resume = (quoteIds: ReadonlyArray<string>) => each(quoteIds, payment.open)

      /** Page by page to the end, so that quotes that fail are in nobody's way. How many were finished. */
      const through = Effect.fnUntraced(function* (
        page: (after: string | null) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>,
        finish: (quoteIds: ReadonlyArray<string>) => Effect.Effect<number, StoreUnavailable>
      ) {
        let total = 0
        for (let after: string | null = null; ; ) {
          const quoteIds: ReadonlyArray<string> = yield* page(after)
          total += yield* finish(quoteIds)
          if (quoteIds.length < BATCH) return total
          after = quoteIds.at(-1) ?? null
        }
      })

      return SweepQuotes.of({
        sweep: Effect.fn("SweepQuotes.sweep")(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          const beforeMs = nowMs - ORPHANED_AFTER_MS
          const expired = yield* through((after) => quotes.due({ nowMs, limit: BATCH, after }), expire)
          const resumed = yield* through((after) => quotes.withoutSession({ beforeMs, limit: BATCH, after }), resume)
          return { expired, resumed }
        }),
        sweepAccount: Effect.fn("SweepQuotes.sweepAccount")(function* (accountId) {
          const nowMs = yield* Clock.currentTimeMillis
          yield* through((after) => quotes.due({ nowMs, limit: BATCH, accountId, after }), expire)
        })
      })
    })
  )
}
