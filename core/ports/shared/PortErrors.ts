// The failures of ports. A request that breaks a rule of the shop fails with a `Refusal` instead.
import { Schema } from "effect"
import { PayableId } from "#core/domain/shared/Ids.ts"

/**
 * The store did not answer in time, or too many attempts were lost to concurrent writes. The write may have happened, if only its
 * confirmation was lost: callers repeat a call only if it is idempotent, or check first.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  retryAfterSeconds: Schema.Int
}) {}

/** The payment processor did not answer. Earlier writes stay, and the same call resumes from them. */
export class ProcessorUnavailable extends Schema.TaggedError<ProcessorUnavailable>()("ProcessorUnavailable", {
  retryAfterSeconds: Schema.Int,
  /** The quote or top-up that still needs its payment link, if any. */
  quoteId: Schema.optionalKey(PayableId),
  /** False where the same request would place a second order, because nothing binds it to this quote. */
  repeatable: Schema.optionalKey(Schema.Boolean)
}) {}

/** A newer version of the service has migrated the store while this one was running: it might misread what the newer one writes. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  /** The first step that this version does not know. */
  step: Schema.String
}) {}

/** The store is not one that is backed up: nothing of it outlives the process. */
export class BackupUnsupported extends Schema.TaggedError<BackupUnsupported>()("BackupUnsupported", {}) {}
