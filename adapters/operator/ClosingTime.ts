// Tells those who watch that the service is about to stop: a call that goes on as long as it is listened to would otherwise be
// waited for, as every request in flight is.
import { Context, Deferred, Effect, Layer } from "effect"

export class ClosingTime extends Context.Service<
  ClosingTime,
  {
    /** Goes on until it is closing time. */
    readonly come: Effect.Effect<void>
    readonly announce: Effect.Effect<void>
  }
>()("backlinks/adapters/operator/ClosingTime") {}

export const layer: Layer.Layer<ClosingTime> = Layer.effect(
  ClosingTime,
  Effect.map(Deferred.make<void>(), (closing) => ({
    come: Deferred.await(closing),
    announce: Effect.asVoid(Deferred.succeed(closing, undefined))
  }))
)

/** Announces it when this layer is closed. Put it beside the server: together with it, and not after it. */
export const layerAnnouncing: Layer.Layer<never, never, ClosingTime> = Layer.effectDiscard(
  Effect.flatMap(ClosingTime, ({ announce }) => Effect.addFinalizer(() => announce))
)
