// The clock of a shop under test: it runs as time does, and a test may set it forward. Only what time it is moves; how long a
// timer takes, HTTP's included, stays real.
import { Clock, Context, Duration, Effect, Layer } from "effect"

/** Noon of a UTC day, so that no test meets a midnight it did not ask for. */
const START_MS = Date.UTC(2027, 5, 1, 12)

export class MovableClock extends Context.Service<
  MovableClock,
  {
    readonly nowMs: () => number
    /** Never back: a shop that is open for other tests sees it too. */
    readonly advance: (by: Duration.Input) => Effect.Effect<void>
  }
>()("backlinks/test/MovableClock") {}

/** Also the `Clock` of whatever is built with it and of the tests themselves. */
export const layer: Layer.Layer<MovableClock> = Layer.effectContext(
  Effect.clockWith((real) =>
    Effect.sync(() => {
      let aheadMs = START_MS - real.currentTimeMillisUnsafe()
      const nowMs = () => real.currentTimeMillisUnsafe() + aheadMs
      const nowNanos = () => real.currentTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n
      const advance = (by: Duration.Input) =>
        Effect.sync(() => {
          aheadMs += Duration.toMillis(by)
        })
      return Context.make(MovableClock, { nowMs, advance }).pipe(
        Context.add(Clock.Clock, {
          currentTimeMillisUnsafe: nowMs,
          currentTimeMillis: Effect.sync(nowMs),
          currentTimeNanosUnsafe: nowNanos,
          currentTimeNanos: Effect.sync(nowNanos),
          monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
          monotonicTimeNanos: real.monotonicTimeNanos,
          sleep: (duration) => real.sleep(duration)
        })
      )
    })
  )
)
