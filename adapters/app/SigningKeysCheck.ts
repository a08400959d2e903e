// Says while the service starts that its key does not open the signing keys of webhooks, as after a restore under another one.
//
// It says so and starts: orders need no webhook, and deliveries wait for the right key. Nor could a key that is lost or leaked
// ever be left behind otherwise, since owners delete their webhooks, and create them anew, by asking the service.
import { Effect, Layer } from "effect"
import { CheckSigningKeys } from "#core/usecases/CheckSigningKeys.ts"

const ADVICE = [
  "ENCRYPTION_KEY is not the key that webhooks' signing keys were sealed with: they cannot be signed, and their deliveries wait.",
  "Set it to the key from before and start again; STORE=embedded without the setting keeps its own in DATA_DIR/encryption.key.",
  "Where that key is lost, have the owners delete these webhooks and create them anew."
].join(" ")

export const layer: Layer.Layer<never, never, CheckSigningKeys> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { unsignable } = yield* CheckSigningKeys
    const found = yield* unsignable()
    if (found !== null) yield* Effect.logError(ADVICE, { looked_at: found.webhookId })
  }).pipe(
    // A store that just went away shows soon enough, and by other means.
    Effect.catchTag("StoreUnavailable", () => Effect.logWarning("whether webhooks can be signed was not looked at"))
  )
)
