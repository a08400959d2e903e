// Asks the processor what became of an open quote's payment when a client reads the quote, so that a payment whose notice is late or
// lost counts. Bounded in every way: a read never fails by it, and waits a moment at most.
import { Clock, Context, Deferred, Duration, Effect, Layer } from "effect"
import { isOpen, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { PaymentSessions } from "./PaymentSessions.ts"

/** How long a read waits. The question continues, and the next read shows its answer. */
const PATIENCE = Duration.millis(800)

/** Between two questions about a quote; a bank debit takes days. */
const INTERVAL_MS: Millis = 10_000
export const PENDING_INTERVAL_MS: Millis = 10 * 60_000

/** After a question that failed, about any quote. */
const PAUSE_MS: Millis = 30_000

/** Questions at a time, and in a second: a processor allows about 25 calls a second, which orders need too. */
const MAX_IN_FLIGHT = 4
const MAX_PER_SECOND = 5

/** How many quotes' last questions are remembered. */
const REMEMBERED = 10_000

export class AskProcessor extends Context.Service<
  AskProcessor,
  {
    /** Returns the quote as it is afterwards; the given one if it was not asked about, or there was no answer in time. Never fails. */
    readonly ask: (quote: Quote) => Effect.Effect<Quote>
    /** Whether it was asked about: its time had come, and no bound was reached. Never fails. */
    readonly askIfDue: (quote: Quote) => Effect.Effect<boolean>
  }
>()("backlinks/usecases/ordering/AskProcessor") {
  static readonly layer = Layer.effect(
    AskProcessor,
    Effect.gen(function* () {
      const processor = yield* PaymentProcessor
      const { follow } = yield* PaymentSessions
      const scope = yield* Effect.scope

      const inFlight = new Map<QuoteId, Deferred.Deferred<Quote>>()
      const askedAtMs = new BoundedMap<QuoteId, Millis>(REMEMBERED)
      let pausedUntilMs = Number.NEGATIVE_INFINITY
      let second = { number: 0, questions: 0 }

      const isDue = (quote: Quote, nowMs: Millis): boolean => {
        const interval = isPaymentPending(quote) ? PENDING_INTERVAL_MS : INTERVAL_MS
        const number = Math.floor(nowMs / 1_000)
        if (second.number !== number) second = { number, questions: 0 }
        return (
          nowMs >= pausedUntilMs &&
          inFlight.size < MAX_IN_FLIGHT &&
          second.questions < MAX_PER_SECOND &&
          nowMs - (askedAtMs.get(quote.quoteId) ?? Number.NEGATIVE_INFINITY) >= interval
        )
      }

      const pause = Effect.map(Clock.currentTimeMillis, (nowMs) => {
        pausedUntilMs = nowMs + PAUSE_MS
      })

      const answerTo = (quote: Quote, sessionId: PaymentSessionId) => {
        const session = { quoteId: quote.quoteId, sessionId }
        return processor.look(session).pipe(
          Effect.tapError(() => pause),
          Effect.flatMap((state) => follow(session, state)),
          Effect.map((followed) => followed.quote ?? quote),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logWarning("the processor's word on a quote was not had", quote.quoteId, cause), quote)
          )
        )
      }

      /** The question in flight about the quote, a new one if it is time for it, or none. */
      const questionAbout = Effect.fnUntraced(function* (quote: Quote, sessionId: PaymentSessionId) {
        const { quoteId } = quote
        const running = inFlight.get(quoteId)
        if (running !== undefined) return running
        const nowMs = yield* Clock.currentTimeMillis
        if (!isDue(quote, nowMs)) return null
        const answer = Deferred.makeUnsafe<Quote>()
        askedAtMs.set(quoteId, nowMs)
        second.questions++
        inFlight.set(quoteId, answer)
        const answered = Effect.flatMap(answerTo(quote, sessionId), (known) => Deferred.succeed(answer, known))
        const ended = Effect.andThen(
          Effect.sync(() => inFlight.delete(quoteId)),
          Deferred.succeed(answer, quote)
        )
        yield* Effect.forkIn(Effect.ensuring(answered, ended), scope)
        return answer
      })

      /** The quote afterwards; `null` if it was not asked about. */
      const answered = Effect.fnUntraced(function* (quote: Quote) {
        const { sessionId } = quote
        if (!isOpen(quote) || sessionId === null) return null
        const question = yield* questionAbout(quote, sessionId)
        if (question === null) return null
        return yield* Deferred.await(question).pipe(
          Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.succeed(quote) })
        )
      })

      return AskProcessor.of({
        ask: Effect.fn("AskProcessor.ask")((quote: Quote) => Effect.map(answered(quote), (known) => known ?? quote)),
        askIfDue: Effect.fn("AskProcessor.askIfDue")((quote: Quote) =>
          Effect.map(answered(quote), (known) => known !== null)
        )
      })
    })
  )
}
