// Failures of orders that are sent again, and of searches by idempotency key.
import { IdempotencyKeyReused, QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { KeyId, QuoteId } from "#core/domain/shared/Ids.ts"

/** `long`: a text that no answer may repeat as it is. */
export const repeatedSamples = (long: string) => ({
  IdempotencyKeyReused: [{}, { placedBy: KeyId.make("con_1"), label: long }].map(
    (used) => new IdempotencyKeyReused({ idempotencyKey: long, quoteId: QuoteId.make("q_1"), ...used })
  ),
  QuoteNotFound: [
    new QuoteNotFound({ quoteId: QuoteId.make(long) }),
    ...(["once", "again", "forbidden"] as const).map(
      (soughtBy) => new QuoteNotFound({ quoteId: QuoteId.make(""), soughtBy })
    )
  ]
})
