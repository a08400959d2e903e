// Abandons expired quotes and those that await approval for a revoked key, opens missing payment sessions after a crash, and asks what
// became of bank debits. Any instance may sweep at any time: each quote is leased to one of them, and checked again in a separate transaction.
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AbandonQuote, READ_TIMEOUT } from "./AbandonQuote.ts"
import { AskProcessor, PENDING_INTERVAL_MS } from "./AskProcessor.ts"
import { PaymentSessions } from "./PaymentSessions.ts"

const BATCH = 200

/** Each quote waits a few hundred milliseconds for the processor: eight at a time stay near its limit of 25 calls a second. */
const CONCURRENCY = 8

/** The request that made a quote has this long to store the link itself. */
const ORPHANED_AFTER_MS = 15_000

/** Longer than the processor mostly takes for one quote; a quote of a sweeper that was killed waits for so long. */
const LEASE_MS: Millis = 20_000

/** Between two looks of a read at a quote that another sweeper has. */
const POLL = "50 millis"

/** What a sweep does with a quote of one list. */
interface Finish {
  readonly leaseMs: Millis
  /** Whether the lease is kept to its end. */
  readonly run: (quote: Quote) => Effect.Effect<boolean, unknown>
}

/** Another sweeper has the quote. */
const LEFT = Effect.succeed("left" as const)

type ClaimQuote = Quotes["Service"]["claim"]

const once = (run: (quote: Quote) => Effect.Effect<unknown, unknown>): Finish => ({
  leaseMs: LEASE_MS,
  run: (quote) => Effect.as(run(quote), false)
})

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

      const expired = once(expire)
      const unapproved = once(endUnapproved)
      /** Another sweeper may have opened it since the list was read. */
      const unopened = once((quote) =>
        awaitsPayment(quote) && quote.sessionId === null ? payment.open(quote) : Effect.void
      )
      /** The lease is how long no other instance asks again. */
      const asked: Finish = { leaseMs: PENDING_INTERVAL_MS, run: askIfDue }

      const finishClaimed = Effect.fnUntraced(function* (quoteId: QuoteId, { run }: Finish) {
        const quote = yield* quotes.byId(quoteId)
        if (quote === null) return "left" as const
        return (yield* run(quote)) ? ("kept" as const) : ("released" as const)
      })

      const claimOnce: ClaimQuote = (quoteId, leaseMs) => quotes.claim(quoteId, leaseMs)

      /** The other sweeper has ended the quote by then, or has left it. */
      const claimInTurn: ClaimQuote = Effect.fnUntraced(function* (quoteId, leaseMs) {
        while (!(yield* quotes.claim(quoteId, leaseMs))) yield* Effect.interruptible(Effect.sleep(POLL))
        return true
      })

      /** Whether it succeeded. A failure is logged and concerns one quote, but a failed read of a list ends the pass. */
      const tryFinish = (quoteId: QuoteId, finish: Finish, claim: ClaimQuote) =>
        Effect.acquireUseRelease(
          claim(quoteId, finish.leaseMs),
          (isClaimed) => (isClaimed ? finishClaimed(quoteId, finish) : LEFT),
          (isClaimed, exit) =>
            !isClaimed || (Exit.isSuccess(exit) && exit.value === "kept")
              ? Effect.void
              : Effect.ignore(quotes.release(quoteId))
        ).pipe(
          Effect.map((outcome) => outcome !== "left"),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logWarning("quote left for the next sweep", quoteId, cause), false)
          )
        )

      /** Goes through all pages, so that failing quotes do not block others. Returns the number of quotes that succeeded. */
      const finishAll = Effect.fnUntraced(function* (
        page: (after: QuoteId | null) => Effect.Effect<ReadonlyArray<QuoteId>, StoreUnavailable>,
        finish: Finish,
        claim = claimOnce
      ) {
        let total = 0
        for (let after: QuoteId | null = null; ; ) {
          const quoteIds: ReadonlyArray<QuoteId> = yield* page(after)
          const each = yield* Effect.forEach(quoteIds, (quoteId) => tryFinish(quoteId, finish, claim), {
            concurrency: CONCURRENCY
          })
          total += each.filter((isFinished) => isFinished).length
          if (quoteIds.length < BATCH) return total
          after = quoteIds.at(-1) ?? null
        }
      })

      const sweepAccount = Effect.fn("SweepQuotes.sweepAccount")(function* (accountId: AccountId) {
        const nowMs = yield* Clock.currentTimeMillis
        const ended = finishAll((after) => quotes.due({ nowMs, limit: BATCH, accountId, after }), expired, claimInTurn)
        const revoked = finishAll(
          (after) => quotes.ofRevokedKeys({ limit: BATCH, accountId, after }),
          unapproved,
          claimInTurn
        )
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
