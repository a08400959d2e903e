// The clock of a shop under test: it runs as time does, and a test may set it forward. Only what time it is moves; how long a
// timer takes, HTTP's included, stays real.
import { Clock, Context, Duration, Effect, Layer } from "effect"

/** Noon of a UTC day, so that no test meets a midnight it did not ask for. */
const START_MS = Date.UTC(2027, 5, 1, 12)

/** Another clock that is to show this time: it is told how far ahead of real time that is. */
export type Follower = (aheadMs: number) => Effect.Effect<void>

export class MovableClock extends Context.Service<
  MovableClock,
  {
    readonly nowMs: () => number
    /** Never back: a shop that is open for other tests sees it too. Done once everyone who follows is there. */
    readonly advance: (by: Duration.Input) => Effect.Effect<void>
    /** Brings another clock here, and along with every move. */
    readonly lead: (follower: Follower) => Effect.Effect<void>
  }
>()("backlinks/test/MovableClock") {}

/** Also the `Clock` of whatever is built with it and of the tests themselves. */
export const layer: Layer.Layer<MovableClock> = Layer.effectContext(
  Effect.clockWith((real) =>
    Effect.sync(() => {
      const followers: Array<Follower> = []
      let aheadMs = START_MS - real.currentTimeMillisUnsafe()
      const nowMs = () => real.currentTimeMillisUnsafe() + aheadMs
      const nowNanos = () => real.currentTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n
      const advance = (by: Duration.Input) =>
        Effect.suspend(() => {
          aheadMs += Duration.toMillis(by)
          return Effect.forEach(followers, (follow) => follow(aheadMs), { discard: true })
        })
      const lead = (follow: Follower) =>
        Effect.suspend(() => {
          followers.push(follow)
          return follow(aheadMs)
        })
      return Context.make(MovableClock, { nowMs, advance, lead }).pipe(
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
