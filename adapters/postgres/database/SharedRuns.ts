// Work that callers with equal keys share while it runs, and of which results can be kept. Effect's Cache does so, too, but hashes each key
// member by member, and merges the context in which it was made into that of each run: together an eighth of a search.

import { Effect, Exit, Fiber } from "effect"
import { waitingForStore } from "#adapters/concurrency/AnswerInTime.ts"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"

interface Run<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  callers: number
}

export class SharedRuns<A, E> {
  readonly #runs = new Map<string, Run<A, E>>()
  readonly #results: BoundedMap<string, Exit.Exit<A, E>>

  /** How many results are kept of runs that succeed: by default none. */
  constructor(keptResults = 0) {
    this.#results = new BoundedMap(keptResults)
  }

  /** The kept result for this key; or joins the run with it, or begins one, which is interrupted once all of its callers are. */
  get<R>(key: string, work: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) => {
      const result = this.#results.get(key)
      if (result !== undefined) return result
      const running = this.#runs.get(key)
      if (running !== undefined) return this.#join(key, running, restore)
      return Effect.flatMap(Effect.forkDetach(work(), { startImmediately: true }), (fiber) => {
        const run = { fiber, callers: 0 }
        this.#runs.set(key, run)
        fiber.addObserver((exit) => {
          this.#end(key, run)
          if (Exit.isSuccess(exit)) this.#results.set(key, exit)
        })
        return this.#join(key, run, restore)
      })
    })
  }

  #end(key: string, run: Run<A, E>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key)
  }

  #join(key: string, run: Run<A, E>, restore: <B, F>(effect: Effect.Effect<B, F>) => Effect.Effect<B, F>) {
    run.callers++
    return Effect.onInterrupt(restore(waitingForStore(Fiber.join(run.fiber))), () => {
      run.callers--
      if (run.callers > 0) return Effect.void
      this.#end(key, run)
      return Fiber.interrupt(run.fiber)
    })
  }
}
