// Any payment processor, with troubles to order: out of reach, or answering nothing after it did what was asked. For tests and
// demonstrations of what the service does then; a running shop is never built with it.
import { Context, Effect, HashMap, Layer, Option, Ref } from "effect"
import { PaymentProcessor } from "#core/ports/PaymentProcessor.ts"
import { ProcessorUnavailable } from "#core/ports/PortErrors.ts"

const RETRY_AFTER_SECONDS = 1

export class ProcessorFaults extends Context.Service<
  ProcessorFaults,
  {
    /** While true nothing reaches the processor. What it knows it keeps, as one that is restarted would. */
    readonly down: Ref.Ref<boolean>
    /** How many of the next calls to `open` make their session and then fail, as a time-out would look to us. */
    readonly lostAnswers: Ref.Ref<number>
    /** What happens between a call to `open` and the making of its session. */
    readonly meanwhile: Ref.Ref<(quoteId: string) => Effect.Effect<void>>
    /** Sessions that the processor was asked for, by its own ids, and how often. */
    readonly sessions: Ref.Ref<HashMap.HashMap<string, number>>
  }
>()("backlinks/payments/ProcessorFaults") {}

const counted = (sessions: HashMap.HashMap<string, number>, sessionId: string): HashMap.HashMap<string, number> =>
  HashMap.modifyAt(sessions, sessionId, (times) => Option.some(Option.getOrElse(times, () => 0) + 1))

/** Stands in for the processor it is given, and provides the switches beside it. */
export const layer: Layer.Layer<PaymentProcessor | ProcessorFaults, never, PaymentProcessor> = Layer.effectContext(
  Effect.gen(function* () {
    const processor = yield* PaymentProcessor
    const down = yield* Ref.make(false)
    const lostAnswers = yield* Ref.make(0)
    const meanwhile = yield* Ref.make((_quoteId: string): Effect.Effect<void> => Effect.void)
    const sessions = yield* Ref.make(HashMap.empty<string, number>())

    const unavailable = (quoteId: string) =>
      new ProcessorUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, quoteId })

    const reached = <A>(quoteId: string, call: Effect.Effect<A, ProcessorUnavailable>) =>
      Effect.flatMap(Ref.get(down), (isDown) => (isDown ? Effect.fail(unavailable(quoteId)) : call))

    const losesAnswer = Ref.modify(lostAnswers, (left) => [left > 0, Math.max(0, left - 1)] as const)

    const { simulatePayment } = processor
    return Context.make(ProcessorFaults, { down, lostAnswers, meanwhile, sessions }).pipe(
      Context.add(PaymentProcessor, {
        open: Effect.fnUntraced(function* (request) {
          yield* (yield* Ref.get(meanwhile))(request.quoteId)
          const session = yield* reached(request.quoteId, processor.open(request))
          yield* Ref.update(sessions, (seen) => counted(seen, session.sessionId))
          return (yield* losesAnswer) ? yield* unavailable(request.quoteId) : session
        }),
        expire: (session) => reached(session.quoteId, processor.expire(session)),
        simulatePayment:
          simulatePayment && ((quoteId, amountCents) => reached(quoteId, simulatePayment(quoteId, amountCents)))
      })
    )
  })
)
