// Reads Stripe's webhook notices: verifies the signature and extracts the payments of this service's quotes.
import { Redacted, Result, Schema } from "effect"
import Stripe from "stripe"
import type { Payment } from "#core/domain/Quote.ts"
import { paymentOf } from "./StripeSessions.ts"

/** The maximum age of a notice by its signed time. Stripe signs each of its attempts with a new time. */
const TOLERANCE_SECONDS = 300

/** `forged`: not signed with our secret, or too old. `contradictory`: genuine, about a session of this service, and inconsistent. */
export type NoticeFault = "forged" | "contradictory"

/** Where a payment takes days, its session completes first, and the second event reports the money. */
const PAYMENT_EVENTS: ReadonlySet<string> = new Set([
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded"
])

const Event = Schema.fromJsonString(
  Schema.Struct({ type: Schema.String, data: Schema.Struct({ object: Schema.Unknown }) })
)

/** Sessions of other products of the same Stripe account have no `quote_id`. */
const OwnSession = Schema.Struct({ metadata: Schema.Struct({ quote_id: Schema.String }) })

const Session = Schema.Struct({
  id: Schema.NonEmptyString,
  client_reference_id: Schema.String,
  metadata: Schema.Struct({ quote_id: Schema.String }),
  amount_total: Schema.Int,
  currency: Schema.String,
  payment_status: Schema.Literals(["paid", "unpaid", "no_payment_required"])
})

const decodeEvent = Schema.decodeUnknownOption(Event)
const isOwnSession = Schema.is(OwnSession)
const decodeSession = Schema.decodeUnknownOption(Session)

/** Ids of sandbox quotes begin with it; no session is ever opened for one. */
const SANDBOX_QUOTE_PREFIX = "q_test_"

const isGenuine = (body: Uint8Array, signature: string, secret: string, receivedAtMs: number): boolean => {
  try {
    const { signature: signatures } = Stripe.webhooks
    return signatures?.verifyHeader(body, signature, secret, TOLERANCE_SECONDS, undefined, receivedAtMs) === true
  } catch {
    return false
  }
}

const text = new TextDecoder()

/**
 * Reads the raw body and the `Stripe-Signature` header: the payment that the notice reports, in whole cents and not yet compared
 * with its quote; `null` where it reports none of this service's.
 */
export const noticeReader =
  (secret: Redacted.Redacted<string>) =>
  (body: Uint8Array, signature: string, receivedAtMs: number): Result.Result<Payment | null, NoticeFault> => {
    if (!isGenuine(body, signature, Redacted.value(secret), receivedAtMs)) return Result.fail("forged")
    const event = decodeEvent(text.decode(body))
    if (event._tag === "None" || !PAYMENT_EVENTS.has(event.value.type)) return Result.succeed(null)
    const { object } = event.value.data
    if (!isOwnSession(object)) return Result.succeed(null)
    const session = decodeSession(object)
    if (session._tag === "None") return Result.fail("contradictory")
    const { client_reference_id: quoteId, metadata } = session.value
    if (quoteId !== metadata.quote_id || quoteId.startsWith(SANDBOX_QUOTE_PREFIX)) return Result.fail("contradictory")
    return Result.succeed(paymentOf(session.value))
  }
