// Finds the quote of a charge: a dispute names only its charge, and the charge has the metadata of its payment.
import { Effect } from "effect"
import { type ChargeId, QuoteId } from "#core/domain/shared/Ids.ts"
import { ProcessorUnavailable } from "#core/ports/shared/PortErrors.ts"
import { makeStripe, type StripeOptions } from "./StripeClient.ts"

const RETRY_AFTER_SECONDS = 60

/** `null` for charges of other products of the same Stripe account. */
export const quoteOfCharge = (options: StripeOptions) => {
  const stripe = makeStripe(options)
  return (chargeId: ChargeId): Effect.Effect<QuoteId | null, ProcessorUnavailable> =>
    stripe
      .call((api) => api.charges.retrieve(chargeId))
      .pipe(
        Effect.map(({ metadata: { quote_id: quoteId } }) => (quoteId === undefined ? null : QuoteId.make(quoteId))),
        Effect.tapError((fault) => Effect.logError("A disputed charge could not be read from Stripe", chargeId, fault)),
        Effect.mapError(() => new ProcessorUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS }))
      )
}
