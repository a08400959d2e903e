// The clock of a service under test: it runs, and a test can set it forward or hold it. Timers still take real time.
import { Clock, Context, Duration, Effect, Layer } from "effect"

/** Noon of a UTC day, so that no test reaches midnight by accident. */
const START_MS = Date.UTC(2027, 5, 1, 12)

/** Sets another clock to this time, given as the distance from real time. */
export type Follower = (aheadMs: number) => Effect.Effect<void>

export class MovableClock extends Context.Service<
  MovableClock,
  {
    readonly nowMs: () => number
    /** Only forward, because other tests may share the service. Completes when all followers have moved. */
    readonly advance: (by: Duration.Input) => Effect.Effect<void>
    /** From now on it stands still between advances. Not for a clock that leads another one. */
    readonly hold: Effect.Effect<void>
    /** Moves another clock here, and along with every later move. */
    readonly lead: (follower: Follower) => Effect.Effect<void>
  }
>()("backlinks/test/MovableClock") {}

/** Also provides the `Clock` of the service and of the tests. */
export const layer: Layer.Layer<MovableClock> = Layer.effectContext(
  Effect.clockWith((real) =>
    Effect.sync(() => {
      const followers: Array<Follower> = []
      let aheadMs = START_MS - real.currentTimeMillisUnsafe()
      let heldMs: number | null = null
      const realMs = () => heldMs ?? real.currentTimeMillisUnsafe()
      const realNanos = () => (heldMs === null ? real.currentTimeNanosUnsafe() : BigInt(heldMs) * 1_000_000n)
      const nowMs = () => realMs() + aheadMs
      const nowNanos = () => realNanos() + BigInt(aheadMs) * 1_000_000n
      const hold = Effect.sync(() => {
        heldMs = realMs()
      })
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
      return Context.make(MovableClock, { nowMs, advance, hold, lead }).pipe(
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
