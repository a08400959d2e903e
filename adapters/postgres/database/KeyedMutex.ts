// Mutual exclusion per key: one semaphore of one permit for each key in use.
import { Effect } from "effect"
import type { AdmissionQueue } from "./AdmissionQueue.ts"
import { type Admission, Semaphore } from "./Semaphore.ts"

export class KeyedMutex {
  readonly #admission: AdmissionQueue
  readonly #semaphores = new Map<string, Semaphore>()

  constructor(admission: AdmissionQueue) {
    this.#admission = admission
  }

  run<A, E, R>(key: string, work: (waited: boolean) => Effect.Effect<A, E, R>, admission?: Admission) {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.#admission, 1)
        this.#semaphores.set(key, semaphore)
        const removeIdle = Effect.sync(() => {
          if (semaphore.isIdle && this.#semaphores.get(key) === semaphore) this.#semaphores.delete(key)
        })
        return Effect.ensuring(restore(semaphore.run(work, admission)), removeIdle)
      })
    )
  }
}
