// Time limits of statements: one timer for all that are in flight. Effect's own time-out takes a timer and two fibers for each.
import { type Context, Duration, Effect, Fiber, Schedule, type Scope } from "effect"
import { ListNode } from "#adapters/concurrency/ListNode.ts"

/** Work in flight, in the order in which it began. */
class Running extends ListNode {
  /** `null`: the ends of the list. */
  readonly fiber: Fiber.Fiber<unknown, unknown> | null
  readonly lastTick: number
  isExpired = false

  constructor(fiber: Fiber.Fiber<unknown, unknown> | null, lastTick: number) {
    super()
    this.fiber = fiber
    this.lastTick = lastTick
  }

  expire(): void {
    this.isExpired = true
    this.fiber?.interruptUnsafe()
  }
}

/** `orElse` takes the place of work that takes longer than `limit`, which is interrupted. */
export type Within = <A, E, R, B, F, S>(
  work: Effect.Effect<A, E, R>,
  limit: Duration.Duration,
  orElse: Effect.Effect<B, F, S>
) => Effect.Effect<A | B, E | F, R | S>

/**
 * Ticks each `interval` until the scope ends, by which work may take longer than its limit. Ticks instead of times: setting the clock ends
 * no work.
 */
export const makeDeadlines = Effect.fnUntraced(function* (
  interval: Duration.Duration
): Effect.fn.Return<Within, never, Scope.Scope> {
  const sentinel = new Running(null, Number.POSITIVE_INFINITY)
  let tick = 0
  const expireAll = Effect.sync(() => {
    tick++
    const expired: Array<Running> = []
    for (let one = sentinel.next; one !== sentinel; one = one.next) if (one.lastTick < tick) expired.push(one)
    for (const one of expired) one.expire()
  })
  yield* expireAll.pipe(Effect.repeat(Schedule.spaced(interval)), Effect.delay(interval), Effect.forkScoped)

  return <A, E, R, B, F, S>(work: Effect.Effect<A, E, R>, limit: Duration.Duration, orElse: Effect.Effect<B, F, S>) =>
    Effect.contextWith((context: Context.Context<R>) =>
      Effect.callback<A | B, E | F, S>((resume) => {
        const fiber = Effect.runForkWith(context)(work)
        const running = new Running(fiber, tick + Math.ceil(Duration.toMillis(limit) / Duration.toMillis(interval)))
        running.insertBefore(sentinel)
        fiber.addObserver((exit) => {
          running.unlink()
          resume(running.isExpired ? orElse : exit)
        })
        return Fiber.interrupt(fiber)
      })
    )
})
