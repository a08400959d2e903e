// Finds the quote or the top-up of a charge: a dispute names only its charge, and the charge has the metadata of its payment.
import { Effect } from "effect"
import { type ChargeId, type PayableId, QuoteId } from "#core/domain/shared/Ids.ts"
import { ProcessorUnavailable } from "#core/ports/shared/PortErrors.ts"
import { makeStripe, type StripeOptions } from "./StripeClient.ts"

const RETRY_AFTER_SECONDS = 60

/** `null` for charges of other products of the same Stripe account. */
export const payableOfCharge = (options: StripeOptions) => {
  const stripe = makeStripe(options)
  return (chargeId: ChargeId): Effect.Effect<PayableId | null, ProcessorUnavailable> =>
    stripe
      .call((api) => api.charges.retrieve(chargeId))
      .pipe(
        Effect.map(({ metadata: { quote_id: id } }) => (id === undefined ? null : QuoteId.make(id))),
        Effect.tapError((fault) => Effect.logError("A disputed charge could not be read from Stripe", chargeId, fault)),
        Effect.mapError(() => new ProcessorUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS }))
      )
}
