// Tells those who watch that the service is about to stop: a call that goes on as long as it is listened to would otherwise be
// waited for, as every request in flight is.
import { Context, Deferred, Effect, Layer } from "effect"

export class ShutdownSignal extends Context.Service<
  ShutdownSignal,
  {
    /** Goes on until it is closing time. */
    readonly await: Effect.Effect<void>
    readonly trigger: Effect.Effect<void>
  }
>()("backlinks/adapters/operator/ClosingTime") {}

export const layer: Layer.Layer<ShutdownSignal> = Layer.effect(
  ShutdownSignal,
  Effect.map(Deferred.make<void>(), (closing) => ({
    await: Deferred.await(closing),
    trigger: Effect.asVoid(Deferred.succeed(closing, undefined))
  }))
)

/** Announces it when this layer is closed. Put it beside the server: together with it, and not after it. */
export const layerTrigger: Layer.Layer<never, never, ShutdownSignal> = Layer.effectDiscard(
  Effect.flatMap(ShutdownSignal, ({ trigger: announce }) => Effect.addFinalizer(() => announce))
)
