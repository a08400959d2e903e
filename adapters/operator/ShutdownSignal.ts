// Ends open `watch` streams, and pages that wait for a payment, when the service shuts down: the server waits for requests in flight, and a
// stream never ends by itself.
import { Context, Deferred, Effect, Layer } from "effect"

export class ShutdownSignal extends Context.Service<
  ShutdownSignal,
  {
    /** Completes when the shutdown begins. */
    readonly await: Effect.Effect<void>
    readonly trigger: Effect.Effect<void>
  }
>()("backlinks/operator/ShutdownSignal") {}

export const layer: Layer.Layer<ShutdownSignal> = Layer.effect(
  ShutdownSignal,
  Effect.map(Deferred.make<void>(), (triggered) => ({
    await: Deferred.await(triggered),
    trigger: Effect.asVoid(Deferred.succeed(triggered, undefined))
  }))
)

/** Triggers the signal when this layer closes. Merge it with the server layer, so that both close at the same time. */
export const layerTrigger: Layer.Layer<never, never, ShutdownSignal> = Layer.effectDiscard(
  Effect.flatMap(ShutdownSignal, ({ trigger }) => Effect.addFinalizer(() => trigger))
)
