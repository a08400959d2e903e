// Answers a request that waits for the store too long, whatever of the store stands still: one request has several waits, each with its own
// limit, which together are longer than a client's patience. What another service takes, or a slow client, does not count.
import { Context, Effect, Fiber } from "effect"

/** The longest that a request waits for its turn and for the store together, in milliseconds. Taken when the service is built. */
export const Patience = Context.Reference<number>("backlinks/concurrency/Patience", { defaultValue: () => 4_900 })

/** Runs while its request waits for the store, and calls back once it has run out. */
export class StoreClock {
  #leftMs: number
  #waits = 0
  #startedAtMs = 0
  #timer: NodeJS.Timeout | undefined
  readonly #onRunOut: () => void

  constructor(leftMs: number, onRunOut: () => void) {
    this.#leftMs = leftMs
    this.#onRunOut = onRunOut
  }

  /** A request may wait for several things at once. */
  start(): void {
    if (this.#waits++ > 0) return
    this.#startedAtMs = performance.now()
    this.#timer = setTimeout(this.#onRunOut, Math.max(0, this.#leftMs))
  }

  stop(): void {
    if (--this.#waits > 0) return
    clearTimeout(this.#timer)
    this.#leftMs -= performance.now() - this.#startedAtMs
  }
}

/** The clock of the request that is being answered; `null` in background jobs. */
const CurrentStoreClock = Context.Reference<StoreClock | null>("backlinks/concurrency/CurrentStoreClock", {
  defaultValue: () => null
})

/** The clock of the request, if this is one, runs while the store is waited for. */
export const waitingForStore = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.contextWith((context: Context.Context<R>) => {
    const clock = Context.get(context, CurrentStoreClock)
    if (clock === null) return wait
    return Effect.suspend(() => {
      clock.start()
      return Effect.ensuring(
        wait,
        Effect.sync(() => clock.stop())
      )
    })
  })

/**
 * Answers with `late` once the request has waited for the store for `leftMs` milliseconds; the work runs to its end all the same.
 */
export const answerInTime = <A, E, R, B, F, S>(
  work: Effect.Effect<A, E, R>,
  leftMs: number,
  late: Effect.Effect<B, F, S>
): Effect.Effect<A | B, E | F, R | S> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.callback<A | B, E | F, S>((resume) => {
      const clock = new StoreClock(leftMs, () => resume(late))
      const fiber = Effect.runForkWith(Context.add(context, CurrentStoreClock, clock))(work)
      fiber.addObserver(resume)
      return Fiber.interrupt(fiber)
    })
  )
