// Mutual exclusion per key: one semaphore of one permit for each key in use.
import { Effect } from "effect"
import type { AdmissionQueue } from "./AdmissionQueue.ts"
import { Semaphore } from "./Semaphore.ts"

interface Entry {
  readonly semaphore: Semaphore
  /** Callers that have it, with a permit or still without one: an effect may yield to others before it takes one. */
  callers: number
}

export class KeyedMutex {
  readonly #admission: AdmissionQueue
  readonly #entries = new Map<string, Entry>()

  constructor(admission: AdmissionQueue) {
    this.#admission = admission
  }

  #join(key: string): Entry {
    const entry = this.#entries.get(key) ?? { semaphore: new Semaphore(this.#admission, 1), callers: 0 }
    entry.callers++
    this.#entries.set(key, entry)
    return entry
  }

  #leave(key: string, entry: Entry): void {
    entry.callers--
    if (entry.callers === 0) this.#entries.delete(key)
  }

  run<A, E, R>(key: string, work: (waited: boolean) => Effect.Effect<A, E, R>) {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const entry = this.#join(key)
        return Effect.ensuring(
          restore(entry.semaphore.run(work)),
          Effect.sync(() => this.#leave(key, entry))
        )
      })
    )
  }

  /** Calls `taken` when it is the turn of this caller, who waits without a slot and a time limit, and ends the turn with `release`. */
  take(key: string, taken: (release: () => void) => void): void {
    const entry = this.#join(key)
    entry.semaphore.take(() =>
      taken(() => {
        entry.semaphore.release()
        this.#leave(key, entry)
      })
    )
  }
}
