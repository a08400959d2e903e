// Where everything that happens is told, stamped with the virtual time, to whoever listens. Keeps nothing.
import { Context, Effect, Layer } from "effect"
import type { BenchEvent, Happening } from "./BenchEvent.ts"
import { VirtualTime } from "./time/VirtualTime.ts"

export class Feed extends Context.Service<
  Feed,
  {
    readonly tell: (happening: Happening) => void
    /** The answer stops it. */
    readonly listen: (hear: (event: BenchEvent) => void) => () => void
    /** How much was told so far. */
    readonly told: () => number
  }
>()("backlinks/bench/Feed") {}

export const layer: Layer.Layer<Feed, never, VirtualTime> = Layer.effect(
  Feed,
  Effect.map(VirtualTime, ({ nowMs }) => {
    const listeners = new Set<(event: BenchEvent) => void>()
    let count = 0
    return {
      tell: (happening) => {
        count++
        const event = { ...happening, atMs: nowMs() }
        for (const hear of listeners) hear(event)
      },
      listen: (hear) => {
        listeners.add(hear)
        return () => void listeners.delete(hear)
      },
      told: () => count
    }
  })
)
