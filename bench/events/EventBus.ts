// Publishes bench events, stamped with the bench's time, to every subscriber.
import { Clock, Context, Effect, Layer } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { VirtualTime } from "../time/VirtualTime.ts"
import type { BenchEvent, EventPayload } from "./BenchEvent.ts"

export class EventBus extends Context.Service<
  EventBus,
  {
    readonly emit: (event: EventPayload) => void
    /** An event of the past, with its own time. */
    readonly replay: (event: BenchEvent) => void
    /** Returns the function that ends the subscription. */
    readonly subscribe: (listener: (event: BenchEvent) => void) => () => void
    /** Events published so far. */
    readonly count: () => number
  }
>()("backlinks/bench/events/EventBus") {}

const makeEventBus = (nowMs: () => Millis): EventBus["Service"] => {
  const listeners = new Set<(event: BenchEvent) => void>()
  let count = 0
  const replay = (event: BenchEvent) => {
    count++
    for (const listener of listeners) listener(event)
  }
  return {
    emit: (event) => replay({ ...event, atMs: nowMs() }),
    replay,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    count: () => count
  }
}

/** A subscription that ends with the scope. */
export const subscribeScoped = (listener: (event: BenchEvent) => void) =>
  Effect.flatMap(EventBus, ({ subscribe }) =>
    Effect.acquireRelease(
      Effect.sync(() => subscribe(listener)),
      (unsubscribe) => Effect.sync(unsubscribe)
    )
  )

export const layer: Layer.Layer<EventBus, never, VirtualTime> = Layer.effect(
  EventBus,
  Effect.map(VirtualTime, ({ nowMs }) => makeEventBus(nowMs))
)

export const layerWallClock: Layer.Layer<EventBus> = Layer.effect(
  EventBus,
  Effect.map(Clock.Clock, (clock) => makeEventBus(() => clock.currentTimeMillisUnsafe()))
)
