// The endpoint for Stripe's notices: verifies the raw bytes with the given reader, applies what they say of
// payments and their sessions, and records refunds and disputes.
import { Clock, Effect, Layer, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerInTime, Patience } from "#adapters/concurrency/AnswerInTime.ts"
import { InvalidSignature, ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { ProcessorNotice, ReversalNotice } from "#core/domain/ordering/ProcessorNotice.ts"
import type { ChargeId, PayableId } from "#core/domain/shared/Ids.ts"
import { isTopUpId } from "#core/domain/wallet/TopUp.ts"
import { PaymentSessions } from "#core/usecases/ordering/PaymentSessions.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { withErrorResponses } from "./ErrorResponses.ts"
import { readBody } from "./RequestBody.ts"
import type { ServedRoute } from "./RouteTable.ts"

/** A payment, a session without one, a refund or a dispute, or `null` for a notice about something else. */
export type ReadNotice = (
  body: Uint8Array,
  signature: string,
  receivedAtMs: number
) => Result.Result<ProcessorNotice | null, "forged" | "contradictory">

const PATH = "/payments/stripe/webhook"

export const stripeRoutes: ReadonlyArray<ServedRoute> = [{ method: "POST", path: PATH }]

/** Notices about sessions are a few KiB; an endpoint subscribed to all events gets larger ones. */
const MAX_NOTICE_BYTES = 512 * 1_024

const unknownSession = new ValidationFailed({
  errors: [{ path: "data.object", message: "Is no session that this service can have opened." }]
})

/** Stripe sends the notice again: only what is booked is answered 200. */
const LATE = { _tag: "StoreUnavailable", retryAfterSeconds: 2 } as const

const outcomeResponse = (outcome: string) => HttpServerResponse.jsonUnsafe({ ok: true, outcome })

const LOG_EVERY_MS = 10_000

/** Anyone can send forged notices: each reason is logged at most every ten seconds, with the number of those in between. */
const makeRefusalLog = () => {
  const logs = new Map<Failure["_tag"], { readonly atMs: number; unlogged: number }>()
  return Effect.fnUntraced(function* ({ _tag: reason }: Failure) {
    const atMs = yield* Clock.currentTimeMillis
    const last = logs.get(reason)
    if (last !== undefined && atMs < last.atMs + LOG_EVERY_MS) {
      last.unlogged++
      return
    }
    logs.set(reason, { atMs, unlogged: 0 })
    yield* Effect.logWarning("A payment notice was refused", { reason, unloggedBefore: last?.unlogged ?? 0 })
  })
}

/** An error if money may have moved without a matching quote: the operator must investigate. Stripe retries for days. */
const makeFailureLog = () => {
  const logRefusal = makeRefusalLog()
  return (failure: Failure) =>
    failure._tag === "PaymentMismatch" ||
    failure._tag === "TopUpNotFound" ||
    failure._tag === "QuoteNotFound" ||
    failure._tag === "ValidationFailed"
      ? Effect.logError("A payment notice of Stripe fits no quote", failure)
      : logRefusal(failure)
}

/** What a charge paid, or `null` for a charge that is not this service's. */
export type PayableOfCharge = (chargeId: ChargeId) => Effect.Effect<PayableId | null, Failure>

export const layer = (readNotice: ReadNotice, payableOfCharge: PayableOfCharge) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const { follow } = yield* PaymentSessions
      const topUps = yield* FollowTopUps
      const patienceMs = yield* Patience
      const logFailure = makeFailureLog()
      const { reverse } = yield* Payments

      const reversed = Effect.fnUntraced(function* (reversal: ReversalNotice<PayableId>, chargeId: ChargeId) {
        const { quoteId } = reversal
        const { outcome } = isTopUpId(quoteId)
          ? yield* topUps.reverse({ ...reversal, quoteId, chargeId })
          : yield* reverse({ ...reversal, quoteId })
        return outcome
      })

      const applied = Effect.fnUntraced(function* (notice: ProcessorNotice) {
        switch (notice._tag) {
          case "Payment": {
            const { payment, sessionId } = notice
            const { quoteId } = payment
            if (isTopUpId(quoteId)) return (yield* topUps.settle({ ...payment, quoteId })).outcome
            const paid = { outcome: "paid" as const, payment: { ...payment, quoteId } }
            return (yield* follow({ quoteId, sessionId }, paid)).outcome
          }
          case "Unpaid": {
            const { quoteId, sessionId, outcome } = notice
            if (isTopUpId(quoteId)) {
              if (outcome === "expired") yield* topUps.follow(quoteId, { outcome })
              return outcome
            }
            const state = outcome === "pending" ? { outcome, sessionId } : { outcome }
            return (yield* follow({ quoteId, sessionId }, state)).outcome
          }
          case "Refund":
            return yield* reversed(notice.reversal, notice.chargeId)
          case "Dispute": {
            const quoteId = yield* payableOfCharge(notice.chargeId)
            return quoteId === null ? "ignored" : yield* reversed({ ...notice.reversal, quoteId }, notice.chargeId)
          }
        }
      })

      const receive = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const body = new Uint8Array(yield* readBody(request, MAX_NOTICE_BYTES))
        const signature = request.headers["stripe-signature"] ?? ""
        const notice = readNotice(body, signature, yield* Clock.currentTimeMillis)
        if (Result.isFailure(notice))
          return yield* notice.failure === "forged" ? new InvalidSignature() : unknownSession
        if (notice.success === null) return outcomeResponse("ignored")
        return outcomeResponse(yield* applied(notice.success))
      })

      const logged = Effect.tapError(receive, logFailure)
      yield* router.add("POST", PATH, withErrorResponses(answerInTime(logged, patienceMs, Effect.fail(LATE))), {
        uninterruptible: true
      })
    })
  )
