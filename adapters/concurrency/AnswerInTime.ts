// Answers a request that waits for the store too long, whatever of the store stands still: one request has several waits, each with its own
// limit, which together are longer than a client's patience. What another service takes, or a slow client, does not count.
import { AsyncLocalStorage } from "node:async_hooks"
import { Context, Effect, Fiber } from "effect"
import { CurrentLateWork } from "./LateWork.ts"

/** The longest that a request waits for its turn and for the store together, in milliseconds. Taken when the service is built. */
export const Patience = Context.Reference<number>("backlinks/concurrency/Patience", { defaultValue: () => 4_900 })

/** What a request has waited for its turn, in milliseconds: that much of its patience is gone when its work begins. */
export const TurnWait = Context.Reference<number>("backlinks/concurrency/TurnWait", { defaultValue: () => 0 })

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

const carriedClocks = new AsyncLocalStorage<StoreClock | null>()

/** Takes the clock of the request into a library that speaks promises, for `runCarried`. */
export const carryClock: Effect.Effect<<A>(ask: () => A) => A> = Effect.map(
  CurrentStoreClock,
  (clock) => (ask) => carriedClocks.run(clock, ask)
)

/** Runs effects for such a library: what they wait for the store counts for the request that asked the library. */
export const runCarried =
  (context: Context.Context<never>) =>
  <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
    const clock = carriedClocks.getStore() ?? null
    return Effect.runPromiseWith(clock === null ? context : Context.add(context, CurrentStoreClock, clock))(effect)
  }

/**
 * Answers with `late` once the request has waited for its turn and for the store for `patienceMs` milliseconds. The work runs to its end all
 * the same, and a stop of the service waits for it.
 */
export const answerInTime = <A, E, R, B, F, S>(
  work: Effect.Effect<A, E, R>,
  patienceMs: number,
  late: Effect.Effect<B, F, S>
): Effect.Effect<A | B, E | F, R | S> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.callback<A | B, E | F, S>((resume) => {
      const clock = new StoreClock(patienceMs - Context.get(context, TurnWait), () => {
        Context.get(context, CurrentLateWork).add(fiber)
        resume(late)
      })
      const fiber = Effect.runForkWith(Context.add(context, CurrentStoreClock, clock))(work)
      fiber.addObserver(resume)
      return Fiber.interrupt(fiber)
    })
  )
