// Reads Stripe's webhook notices: verifies the signature and extracts what became of the sessions of this service's quotes, refunds and
// disputes.
import { Redacted, Result, Schema } from "effect"
import Stripe from "stripe"
import type { ProcessorNotice, ReversalNotice } from "#core/domain/ordering/ProcessorNotice.ts"
import { ChargeId, idBrands, PayableId, QuoteId, ReversalId } from "#core/domain/shared/Ids.ts"
import { paymentOf } from "./StripeSessions.ts"

/** The maximum age of a notice by its signed time. Stripe signs each of its attempts with a new time. */
const TOLERANCE_SECONDS = 300

/** How far the signed time may be ahead of our clock: a notice signed for later could be replayed until then. */
const AHEAD_SECONDS = 60

/** `forged`: not signed with our secret, or too old. `contradictory`: genuine, about a session of this service, and inconsistent. */
export type NoticeFault = "forged" | "contradictory"

/**
 * What the events say of a session that is not paid. Where a payment takes days, its session completes first, and another event reports
 * the money or its failure.
 */
const SESSION_EVENTS: Readonly<Record<string, "pending" | "expired" | null>> = {
  "checkout.session.completed": "pending",
  "checkout.session.async_payment_succeeded": null,
  "checkout.session.async_payment_failed": "expired",
  "checkout.session.expired": "expired"
}

const Event = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.String,
    livemode: Schema.optionalKey(Schema.Boolean),
    /** The connected account that an event is about; absent in events of the account itself. */
    account: Schema.optionalKey(Schema.NullOr(Schema.String)),
    data: Schema.Struct({ object: Schema.Unknown })
  })
)

/** Sessions of other products of the same Stripe account have no `quote_id`. */
const OwnSession = Schema.Struct({ metadata: Schema.Struct({ quote_id: QuoteId }) })

const Session = Schema.Struct({
  id: Schema.NonEmptyString.pipe(idBrands.PaymentSessionId),
  client_reference_id: PayableId,
  metadata: Schema.Struct({ quote_id: QuoteId }),
  amount_total: Schema.Int,
  currency: Schema.String,
  livemode: Schema.Boolean,
  payment_status: Schema.Literals(["paid", "unpaid", "no_payment_required"])
})

/** Stripe copies the metadata of a payment to its charge. */
const OwnCharge = Schema.Struct({
  id: Schema.NonEmptyString,
  amount_refunded: Schema.Int,
  metadata: Schema.Struct({ quote_id: PayableId })
})

const Dispute = Schema.Struct({
  id: Schema.NonEmptyString.pipe(idBrands.ReversalId),
  charge: Schema.NonEmptyString.pipe(idBrands.ChargeId),
  amount: Schema.Int,
  status: Schema.String
})

const decodeCharge = Schema.decodeUnknownOption(OwnCharge)
const decodeDispute = Schema.decodeUnknownOption(Dispute)

const refundOf = (object: unknown): ProcessorNotice | null => {
  const charge = decodeCharge(object)
  if (charge._tag === "None") return null
  const { id, amount_refunded: cents, metadata } = charge.value
  const [reversalId, quoteId] = [ReversalId.make(id), metadata.quote_id]
  const reversal = { reversalId, quoteId, kind: "refund", cents, state: "final" } as const
  return { _tag: "Refund", chargeId: ChargeId.make(id), reversal }
}

/** An inquiry that closes without a dispute (`warning_closed`) leaves the money where it is. */
const stateOf = (closed: boolean, status: string): ReversalNotice["state"] => {
  if (!closed) return "open"
  return status === "won" || status === "warning_closed" ? "won" : "final"
}

const disputeOf = (object: unknown, closed: boolean): ProcessorNotice | null => {
  const dispute = decodeDispute(object)
  if (dispute._tag === "None") return null
  const { id: reversalId, charge: chargeId, amount: cents, status } = dispute.value
  return { _tag: "Dispute", chargeId, reversal: { reversalId, kind: "dispute", cents, state: stateOf(closed, status) } }
}

/** The notices about money that goes back. */
const reversalIn = (type: string, object: unknown): ProcessorNotice | null => {
  switch (type) {
    case "charge.refunded":
      return refundOf(object)
    case "charge.dispute.created":
      return disputeOf(object, false)
    case "charge.dispute.closed":
      return disputeOf(object, true)
    default:
      return null
  }
}

const decodeEvent = Schema.decodeUnknownOption(Event)
const isOwnSession = Schema.is(OwnSession)
const decodeSession = Schema.decodeUnknownOption(Session)

/** Ids of sandbox quotes begin with it; no session is ever opened for one. */
const SANDBOX_QUOTE_PREFIX = "q_test_"

/** The signed time is a whole number of seconds; the package checks only that it is not too old. */
const isAhead = (signature: string, receivedAtMs: number): boolean => {
  const [, seconds] = /(?:^|,)t=(\d+)(?:,|$)/.exec(signature) ?? []
  return seconds === undefined || Number(seconds) > receivedAtMs / 1_000 + AHEAD_SECONDS
}

const isGenuine = (body: Uint8Array, signature: string, secret: string, receivedAtMs: number): boolean => {
  try {
    const { signature: signatures } = Stripe.webhooks
    if (isAhead(signature, receivedAtMs)) return false
    return signatures?.verifyHeader(body, signature, secret, TOLERANCE_SECONDS, undefined, receivedAtMs) === true
  } catch {
    return false
  }
}

const text = new TextDecoder()

export interface NoticeOptions {
  readonly webhookSecret: Redacted.Redacted<string>
  /** Decides between Stripe's live and test mode. */
  readonly secretKey: Redacted.Redacted<string>
}

/** Test keys begin with `sk_test_` or `rk_test_`. */
const isLiveKey = (secretKey: Redacted.Redacted<string>): boolean => /^[sr]k_live_/.test(Redacted.value(secretKey))

/**
 * Reads the raw body and the `Stripe-Signature` header: the payment, end of a session, refund or dispute that the notice reports, in whole cents and
 * not yet compared with its quote; `null` where it reports none of this service's.
 */
export const noticeReader =
  ({ webhookSecret: secret, secretKey }: NoticeOptions) =>
  (body: Uint8Array, signature: string, receivedAtMs: number): Result.Result<ProcessorNotice | null, NoticeFault> => {
    if (!isGenuine(body, signature, Redacted.value(secret), receivedAtMs)) return Result.fail("forged")
    const event = decodeEvent(text.decode(body))
    if (event._tag === "None") return Result.succeed(null)
    const { type, data } = event.value
    const { object } = data
    // Money of the other mode or of a connected account does not reach this shop.
    const { livemode: eventMode, account = null } = event.value
    const isLive = isLiveKey(secretKey)
    const isForeign = (eventMode ?? isLive) !== isLive || account !== null
    const unpaid = SESSION_EVENTS[type]
    if (unpaid === undefined) {
      const reversal = reversalIn(type, object)
      return reversal !== null && isForeign ? Result.fail("contradictory") : Result.succeed(reversal)
    }
    if (!isOwnSession(object)) return Result.succeed(null)
    const session = decodeSession(object)
    if (session._tag === "None") return Result.fail("contradictory")
    const { client_reference_id: quoteId, metadata, livemode } = session.value
    if (isForeign || livemode !== isLive) return Result.fail("contradictory")
    if (quoteId !== metadata.quote_id || quoteId.startsWith(SANDBOX_QUOTE_PREFIX)) return Result.fail("contradictory")
    const { id: sessionId, payment_status } = session.value
    const payment = paymentOf<PayableId>(session.value)
    if (payment !== null) return Result.succeed({ _tag: "Payment", payment, sessionId })
    return Result.succeed(
      unpaid === null || payment_status !== "unpaid" ? null : { _tag: "Unpaid", quoteId, sessionId, outcome: unpaid }
    )
  }
