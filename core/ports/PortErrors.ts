// What a port may fail with when it is our side that failed, not the caller. A port that refuses for a reason of the
// shop's own rules fails with a `Refusal` instead.
import { Schema } from "effect"

/**
 * The store did not answer in time, or a race was lost too often. What was to be written may have been, where only the answer was
 * lost: whoever makes the same call again must be able to find that, or look first.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  retryAfterSeconds: Schema.Int
}) {}

/** The payment processor did not answer; what was written before stays, and the same call resumes it. */
export class ProcessorUnavailable extends Schema.TaggedError<ProcessorUnavailable>()("ProcessorUnavailable", {
  retryAfterSeconds: Schema.Int,
  /** The quote that waits for its payment link, where there is one. */
  quoteId: Schema.optionalKey(Schema.String)
}) {}
