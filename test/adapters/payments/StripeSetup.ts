// The Stripe adapter over its stand-in, time-outs short enough for tests, and requests as quotes make them.
import { Duration, Effect, Layer, Logger, Redacted } from "effect"
import * as Stripe from "#adapters/payments/StripeProcessor.ts"
import type { SessionRequest } from "#core/ports/PaymentProcessor.ts"
import { SECRET_KEY, StripeStandIn } from "./StripeStandIn.ts"

/** For tests of what happens when it is used up; an attempt that is answered is so in time on however busy a machine. */
export const patience = {
  attempt: Duration.seconds(2),
  creation: Duration.seconds(20),
  call: Duration.seconds(20),
  search: Duration.seconds(20)
}

/** Another layer is another instance of the service. */
export const adapter = (over: Partial<Parameters<typeof Stripe.layer>[0]> = {}) =>
  Layer.unwrap(
    Effect.map(StripeStandIn, ({ url }) => Stripe.layer({ secretKey: Redacted.make(SECRET_KEY), apiUrl: url, ...over }))
  )

/** Where the stand-in and the quotes of a test begin. */
export const START_MS = Date.UTC(2027, 5, 1, 12)

const HOUR_MS = 3_600_000

/** Of a quote that lives for 24 hours. */
export const request = (quoteId: string, over: Partial<SessionRequest> = {}): SessionRequest => ({
  quoteId,
  amountCents: 1_234,
  currency: "EUR",
  description: "2 backlinks",
  expiresAtMs: START_MS + 24 * HOUR_MS,
  pageUrl: `https://shop.example/pay/token-of-${quoteId}`,
  ...over
})

/** What is logged while it is in place. */
export const logbook = () => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return { lines, layer: Logger.layer([logger]) }
}
