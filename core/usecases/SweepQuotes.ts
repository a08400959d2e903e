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

      /** Goes on as long as whole batches succeed, so that a backlog is worked off and a broken quote cannot spin it. */
      const drain = Effect.fnUntraced(function* (pass: () => Effect.Effect<number, StoreUnavailable>) {
        let total = 0
        for (;;) {
          const done = yield* pass()
          total += done
          if (done < BATCH) return total
        }
      })

      return SweepQuotes.of({
        sweep: Effect.fn("SweepQuotes.sweep")(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          const beforeMs = nowMs - ORPHANED_AFTER_MS
          const due = Effect.suspend(() => quotes.due({ nowMs, limit: BATCH }))
          const orphans = Effect.suspend(() => quotes.withoutSession({ beforeMs, limit: BATCH }))
          const expired = yield* drain(() => Effect.flatMap(due, expire))
          const resumed = yield* drain(() => Effect.flatMap(orphans, (quoteIds) => each(quoteIds, payment.open)))
          return { expired, resumed }
        }),
        sweepAccount: Effect.fn("SweepQuotes.sweepAccount")(function* (accountId) {
          const nowMs = yield* Clock.currentTimeMillis
          yield* expire(yield* quotes.due({ nowMs, limit: BATCH, accountId }))
        })
      })
    })
  )
}
