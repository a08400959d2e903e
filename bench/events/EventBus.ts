// Where everything that happens is count, stamped with the bench's time, to whoever listens. Keeps nothing.
import { Clock, Context, Effect, Layer } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { VirtualTime } from "../time/VirtualTime.ts"
import type { BenchEvent, EventPayload } from "./BenchEvent.ts"

export class EventBus extends Context.Service<
  EventBus,
  {
    readonly emit: (happening: EventPayload) => void
    /** What happened at a time of its own, as somebody who came later learns it. */
    readonly replay: (event: BenchEvent) => void
    /** The answer stops it. */
    readonly subscribe: (hear: (event: BenchEvent) => void) => () => void
    /** How much was count so far. */
    readonly count: () => number
  }
>()("backlinks/bench/EventBus") {}

const makeEventBus = (nowMs: () => Millis): EventBus["Service"] => {
  const listeners = new Set<(event: BenchEvent) => void>()
  let count = 0
  const replay = (event: BenchEvent) => {
    count++
    for (const hear of listeners) hear(event)
  }
  return {
    emit: (happening) => replay({ ...happening, atMs: nowMs() }),
    replay,
    subscribe: (hear) => {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    count: () => count
  }
}

export const layer: Layer.Layer<EventBus, never, VirtualTime> = Layer.effect(
  EventBus,
  Effect.map(VirtualTime, ({ nowMs }) => makeEventBus(nowMs))
)

/** By the clock on the wall. */
export const layerWallClock: Layer.Layer<EventBus> = Layer.effect(
  EventBus,
  Effect.map(Clock.Clock, (clock) => makeEventBus(() => clock.currentTimeMillisUnsafe()))
)
