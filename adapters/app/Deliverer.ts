// Delivers webhooks in the background while the service runs.
import { Effect, Layer } from "effect"
import { DeliverEvents } from "#core/usecases/DeliverEvents.ts"

export const layer: Layer.Layer<never, never, DeliverEvents> = Layer.effectDiscard(
  Effect.flatMap(DeliverEvents, ({ run }) => Effect.forkScoped(run))
)
