// Where everything that happens is told, stamped with the bench's time, to whoever listens. Keeps nothing.
import { Clock, Context, Effect, Layer } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { BenchEvent, Happening } from "./BenchEvent.ts"
import { VirtualTime } from "./time/VirtualTime.ts"

export class Feed extends Context.Service<
  Feed,
  {
    readonly tell: (happening: Happening) => void
    /** What happened at a time of its own, as somebody who came later learns it. */
    readonly retell: (event: BenchEvent) => void
    /** The answer stops it. */
    readonly listen: (hear: (event: BenchEvent) => void) => () => void
    /** How much was told so far. */
    readonly told: () => number
  }
>()("backlinks/bench/Feed") {}

const makeFeed = (nowMs: () => Millis): Feed["Service"] => {
  const listeners = new Set<(event: BenchEvent) => void>()
  let count = 0
  const retell = (event: BenchEvent) => {
    count++
    for (const hear of listeners) hear(event)
  }
  return {
    tell: (happening) => retell({ ...happening, atMs: nowMs() }),
    retell,
    listen: (hear) => {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    told: () => count
  }
}

export const layer: Layer.Layer<Feed, never, VirtualTime> = Layer.effect(
  Feed,
  Effect.map(VirtualTime, ({ nowMs }) => makeFeed(nowMs))
)

/** By the clock on the wall. */
export const layerWallClock: Layer.Layer<Feed> = Layer.effect(
  Feed,
  Effect.map(Clock.Clock, (clock) => makeFeed(() => clock.currentTimeMillisUnsafe()))
)
