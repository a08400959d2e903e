// The Stripe adapter over its stand-in, timeouts short enough for tests, and requests as quotes make them.
import { Duration, Effect, Layer, Logger, Redacted } from "effect"
import * as Stripe from "#adapters/payments/StripeProcessor.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import type { SessionRequest } from "#core/ports/ordering/PaymentProcessor.ts"
import { SECRET_KEY, StripeStandIn } from "./StripeStandIn.ts"

/** Short for tests of timeouts; long enough for an answered attempt on a busy machine. */
export const timeouts = {
  attempt: Duration.seconds(2),
  creation: Duration.seconds(20),
  call: Duration.seconds(20),
  search: Duration.seconds(20)
}

/** Each layer is an instance of the service. */
export const adapter = (over: Partial<Parameters<typeof Stripe.layer>[0]> = {}) =>
  Layer.unwrap(
    Effect.map(StripeStandIn, ({ url }) => Stripe.layer({ secretKey: Redacted.make(SECRET_KEY), apiUrl: url, ...over }))
  )

/** The start time of the stand-in and of a test's quotes. */
export const START_MS = Date.UTC(2027, 5, 1, 12)

const HOUR_MS = 3_600_000

/** The request of a quote that expires after 24 hours. */
export const request = (quoteId: string, over: Partial<SessionRequest> = {}): SessionRequest => ({
  quoteId: QuoteId.make(quoteId),
  endedSessionId: null,
  amountCents: 1_234,
  currency: "EUR",
  description: "2 backlinks",
  expiresAtMs: START_MS + 24 * HOUR_MS,
  pageUrl: `https://shop.example/pay/token-of-${quoteId}`,
  ...over
})

/** Collects log lines. */
export const logbook = () => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return { lines, layer: Logger.layer([logger]) }
}
