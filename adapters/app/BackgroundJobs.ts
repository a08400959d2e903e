// Background jobs of a running service: the quote sweep, webhook delivery, and a check of the webhook signing keys at the start.
import { type Duration, Effect, Layer, Schedule } from "effect"
import { CheckSigningKeys } from "#core/usecases/CheckSigningKeys.ts"
import { DeliverEvents } from "#core/usecases/DeliverEvents.ts"
import { SweepQuotes } from "#core/usecases/SweepQuotes.ts"

/** Expires and finishes quotes at every interval. */
const sweepQuotes = (interval: Duration.Duration) =>
  Effect.gen(function* () {
    const { sweep } = yield* SweepQuotes
    const pass = sweep().pipe(
      Effect.tap(({ expired, resumed }) =>
        expired + resumed === 0 ? Effect.void : Effect.logInfo("quotes swept", { expired, resumed })
      ),
      // An unavailable store may be back at the next pass.
      Effect.catchCause((cause) => Effect.logWarning("the sweep failed and runs again after its interval", cause))
    )
    yield* pass.pipe(Effect.repeat(Schedule.spaced(interval)), Effect.forkScoped)
  })

const deliverEvents = Effect.flatMap(DeliverEvents, ({ run }) => Effect.forkScoped(run))

const ADVICE = [
  "ENCRYPTION_KEY is not the key that encrypted the signing keys of webhooks: deliveries cannot be signed, and wait.",
  "Set it to the earlier key and start again; STORE=embedded without the setting keeps its own in DATA_DIR/encryption.key.",
  "If that key is lost, have the owners delete these webhooks and create new ones."
].join(" ")

/**
 * Logs an error at the start if the configured key does not open the signing keys of webhooks, as after a restore under another key.
 * The start continues: orders need no webhook, deliveries wait for the right key, and owners need a running service to replace a
 * webhook whose key is lost.
 */
const checkSigningKeys = Effect.gen(function* () {
  const { unsignable } = yield* CheckSigningKeys
  const found = yield* unsignable()
  if (found !== null) yield* Effect.logError(ADVICE, { looked_at: found.webhookId })
}).pipe(
  // The readiness probe reports an unavailable store.
  Effect.catchTag("StoreUnavailable", () => Effect.logWarning("the signing keys of webhooks were not checked"))
)

export const layer = (sweepInterval: Duration.Duration) =>
  Layer.mergeAll(
    Layer.effectDiscard(sweepQuotes(sweepInterval)),
    Layer.effectDiscard(deliverEvents),
    Layer.effectDiscard(checkSigningKeys)
  )
