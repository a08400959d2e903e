// Reads what Stripe says of its own accord: proves by the signature that it was Stripe, and picks out the payments of our
// quotes. What else Stripe tells is passed over; what a payment does is not its business.
import { Redacted, Result, Schema } from "effect"
import Stripe from "stripe"
import type { Payment } from "#core/domain/Quote.ts"
import { paymentOf } from "./StripeSessions.ts"

/** How old a notice may be, by its signed time. Stripe signs anew at each of its attempts. */
const TOLERANCE_SECONDS = 300

/** `forged`: not signed with our secret, or too long ago. `senseless`: genuine, about one of our sessions, and contradictory. */
export type NoticeFault = "forged" | "senseless"

/** A session is complete before its money is here where that takes days; then the second of these tells of the money. */
const ABOUT_MONEY: ReadonlySet<string> = new Set([
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded"
])

const Event = Schema.fromJsonString(
  Schema.Struct({ type: Schema.String, data: Schema.Struct({ object: Schema.Unknown }) })
)

/** A session that this service opened says so; other products of the same Stripe account may have theirs. */
const Ours = Schema.Struct({ metadata: Schema.Struct({ quote_id: Schema.String }) })

const Session = Schema.Struct({
  id: Schema.NonEmptyString,
  client_reference_id: Schema.String,
  metadata: Schema.Struct({ quote_id: Schema.String }),
  amount_total: Schema.Int,
  currency: Schema.String,
  payment_status: Schema.Literals(["paid", "unpaid", "no_payment_required"])
})

const decodeEvent = Schema.decodeUnknownOption(Event)
const isOurs = Schema.is(Ours)
const decodeSession = Schema.decodeUnknownOption(Session)

/** Ids of sandbox quotes begin so. No session was ever opened for one. */
const SANDBOX = "q_test_"

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
 * Of the raw bytes and the `Stripe-Signature` header: the payment that the notice tells of, or `null` where it tells of none of
 * ours. The amount is whole cents; whether it is the right one is for the quote to say.
 */
export const noticeReader =
  (secret: Redacted.Redacted<string>) =>
  (body: Uint8Array, signature: string, receivedAtMs: number): Result.Result<Payment | null, NoticeFault> => {
    if (!isGenuine(body, signature, Redacted.value(secret), receivedAtMs)) return Result.fail("forged")
    const event = decodeEvent(text.decode(body))
    if (event._tag === "None" || !ABOUT_MONEY.has(event.value.type)) return Result.succeed(null)
    const { object } = event.value.data
    if (!isOurs(object)) return Result.succeed(null)
    const session = decodeSession(object)
    if (session._tag === "None") return Result.fail("senseless")
    const { client_reference_id: quoteId, metadata } = session.value
    if (quoteId !== metadata.quote_id || quoteId.startsWith(SANDBOX)) return Result.fail("senseless")
    return Result.succeed(paymentOf(session.value))
  }
