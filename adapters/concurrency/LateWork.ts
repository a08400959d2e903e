// Work that goes on after its request was answered. A stop of the service waits for it as for requests in flight.
import { Context, Duration, Effect, Fiber, Layer } from "effect"

export class LateWork {
  readonly #fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  #drainingSinceMs: number | undefined

  add(fiber: Fiber.Fiber<unknown, unknown>): void {
    this.#fibers.add(fiber)
    fiber.addObserver(() => this.#fibers.delete(fiber))
  }

  /** The stop has begun; requests in flight are drained at the same time. */
  startDrain(): void {
    this.#drainingSinceMs = performance.now()
  }

  /** Waits for all of it, until that time after the stop has begun. */
  drained(within: Duration.Duration): Effect.Effect<void> {
    return Effect.suspend(() => {
      const goneMs = performance.now() - (this.#drainingSinceMs ?? performance.now())
      const left = Duration.millis(Math.max(0, Duration.toMillis(within) - goneMs))
      return Effect.asVoid(Effect.timeoutOption(Fiber.awaitAll([...this.#fibers]), left))
    })
  }
}

/** That of the service which answers the request. */
export const CurrentLateWork = Context.Reference<LateWork>("backlinks/concurrency/CurrentLateWork", {
  defaultValue: () => new LateWork()
})

export const layer: Layer.Layer<never> = Layer.sync(CurrentLateWork, () => new LateWork())

/** Marks the beginning of the stop. Merge it with the server layer, so that both close at the same time. */
export const layerStart: Layer.Layer<never> = Layer.effectDiscard(
  Effect.flatMap(CurrentLateWork, (work) => Effect.addFinalizer(() => Effect.sync(() => work.startDrain())))
)

/** Closes once the work has ended. Provide it to the server layer: no request begins any then, and the store is still open. */
export const layerDrain = (within: Duration.Duration): Layer.Layer<never> =>
  Layer.effectDiscard(Effect.flatMap(CurrentLateWork, (work) => Effect.addFinalizer(() => work.drained(within))))
