// Mutual exclusion per key: one semaphore of one permit for each key in use.
import { Effect } from "effect"
import type { AdmissionQueue } from "./AdmissionQueue.ts"
import { Semaphore } from "./Semaphore.ts"

export class KeyedMutex {
  readonly #admission: AdmissionQueue
  readonly #semaphores = new Map<string, Semaphore>()

  constructor(admission: AdmissionQueue) {
    this.#admission = admission
  }

  #semaphore(key: string): Semaphore {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.#admission, 1)
    this.#semaphores.set(key, semaphore)
    return semaphore
  }

  #removeIdle(key: string, semaphore: Semaphore): void {
    if (semaphore.isIdle && this.#semaphores.get(key) === semaphore) this.#semaphores.delete(key)
  }

  run<A, E, R>(key: string, work: (waited: boolean) => Effect.Effect<A, E, R>) {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const semaphore = this.#semaphore(key)
        return Effect.ensuring(
          restore(semaphore.run(work)),
          Effect.sync(() => this.#removeIdle(key, semaphore))
        )
      })
    )
  }

  /** Calls `taken` when it is the turn of this caller, who waits without a slot and a time limit, and ends the turn with `release`. */
  take(key: string, taken: (release: () => void) => void): void {
    const semaphore = this.#semaphore(key)
    semaphore.take(() =>
      taken(() => {
        semaphore.release()
        this.#removeIdle(key, semaphore)
      })
    )
  }
}
