// Test double around any payment processor: it can be unreachable, or lose the response to a call that it completed. A running
// service is never built with it.
import { Context, Effect, HashMap, Layer, Option, Ref } from "effect"
import type { PayableId, PaymentSessionId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { ProcessorUnavailable } from "#core/ports/shared/PortErrors.ts"

const RETRY_AFTER_SECONDS = 1

export class ProcessorFaults extends Context.Service<
  ProcessorFaults,
  {
    /** While true every call fails. Sessions survive, as they do when a processor restarts. */
    readonly down: Ref.Ref<boolean>
    /** How many of the next calls to `open` create their session and then fail, as on a timeout. */
    readonly lostAnswers: Ref.Ref<number>
    /** Runs between a call to `open` and the creation of its session. */
    readonly meanwhile: Ref.Ref<(quoteId: PayableId) => Effect.Effect<void>>
    /** How often each session was opened, by the processor's own ids. */
    readonly sessions: Ref.Ref<HashMap.HashMap<PaymentSessionId, number>>
  }
>()("backlinks/bench/service/ProcessorFaults") {}

const counted = (
  sessions: HashMap.HashMap<PaymentSessionId, number>,
  sessionId: PaymentSessionId
): HashMap.HashMap<PaymentSessionId, number> =>
  HashMap.modifyAt(sessions, sessionId, (times) => Option.some(Option.getOrElse(times, () => 0) + 1))

/** Wraps the processor it is given, and provides its switches. */
export const layer: Layer.Layer<PaymentProcessor | ProcessorFaults, never, PaymentProcessor> = Layer.effectContext(
  Effect.gen(function* () {
    const processor = yield* PaymentProcessor
    const down = yield* Ref.make(false)
    const lostAnswers = yield* Ref.make(0)
    const meanwhile = yield* Ref.make((_quoteId: PayableId): Effect.Effect<void> => Effect.void)
    const sessions = yield* Ref.make(HashMap.empty<PaymentSessionId, number>())

    const unavailable = (quoteId: PayableId) =>
      new ProcessorUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, quoteId })

    const reached = <A>(quoteId: PayableId, call: Effect.Effect<A, ProcessorUnavailable>) =>
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
        look: (session) => reached(session.quoteId, processor.look(session)),
        expire: (session) => reached(session.quoteId, processor.expire(session)),
        simulatePayment:
          simulatePayment && ((quoteId, amountCents) => reached(quoteId, simulatePayment(quoteId, amountCents)))
      })
    )
  })
)
