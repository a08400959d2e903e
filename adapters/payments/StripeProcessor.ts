// Stripe as the payment processor: one Checkout Session per quote, paid by a human on Stripe's own page. Payments are reported
// by notices (`StripeNotices`).
import { Clock, Effect, Layer } from "effect"
import { type PayableId, PaymentSessionId } from "#core/domain/shared/Ids.ts"
import { type AskedSession, type OpenedSession, PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { ProcessorUnavailable } from "#core/ports/shared/PortErrors.ts"
import { makeStripe, StripeFault, type StripeOptions } from "./StripeClient.ts"
import { closeSession, lookAtSession, openSession } from "./StripeSessionCalls.ts"
import { paidUrl } from "./StripeSessions.ts"

const RETRY_AFTER_SECONDS = 5

/** Fails calls for a while after a timeout: a request that closes several expired quotes must not wait for an unreachable Stripe for each. */
const makeSuspension = () => {
  let suspendedUntilMs = Number.NEGATIVE_INFINITY

  const suspendAfterTimeout = Effect.fnUntraced(function* ({ type }: StripeFault) {
    if (type === "Timeout" || type === "StripeConnectionError")
      suspendedUntilMs = (yield* Clock.currentTimeMillis) + RETRY_AFTER_SECONDS * 1_000
  })

  return <A>(call: Effect.Effect<A, StripeFault>): Effect.Effect<A, StripeFault> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      nowMs < suspendedUntilMs
        ? Effect.fail(new StripeFault({ type: "Suspended", replayed: false }))
        : Effect.tapError(call, suspendAfterTimeout)
    )
}

const reported = <A>(operation: string, quoteId: PayableId, effect: Effect.Effect<A, StripeFault>) =>
  Effect.catchTag(
    effect,
    "StripeFault",
    Effect.fnUntraced(function* (fault) {
      const { type, status, code, param, requestId } = fault
      const log = fault.needsOperator ? Effect.logError : Effect.logWarning
      yield* log("A call to Stripe failed", { operation, quoteId, type, status, code, param, requestId })
      return yield* new ProcessorUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, quoteId })
    })
  )

export const layer = (options: StripeOptions): Layer.Layer<PaymentProcessor> =>
  Layer.sync(PaymentProcessor, () => {
    const stripe = makeStripe(options)
    const unlessSuspended = makeSuspension()

    return PaymentProcessor.of({
      open: Effect.fn("Stripe.open")(function* (request) {
        const { id, url } = yield* reported("open", request.quoteId, openSession(stripe, request))
        // A session that has been paid has no page any more.
        return { sessionId: PaymentSessionId.make(id), paymentUrl: url ?? paidUrl(request.pageUrl) }
      }),
      look: Effect.fn("Stripe.look")(function* <Id extends PayableId>({ quoteId, sessionId }: OpenedSession<Id>) {
        return yield* reported("look", quoteId, unlessSuspended(lookAtSession<Id>(stripe, sessionId)))
      }),
      expire: Effect.fn("Stripe.expire")(function* <Id extends PayableId>({ quoteId, sessionId }: AskedSession<Id>) {
        return yield* reported("expire", quoteId, unlessSuspended(closeSession(stripe, quoteId, sessionId)))
      }),
      simulatePayment: null
    })
  })
