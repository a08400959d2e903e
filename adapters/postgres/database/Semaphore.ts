// Semaphore whose waiters are served in order and bounded by the admission queue. Effect's own has neither a bound nor a time limit, and
// after a release it lets a later caller overtake those that wait.
import { Deferred, Effect, Exit } from "effect"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { type AdmissionQueue, queueFull, type Waiter } from "./AdmissionQueue.ts"

interface PermitWaiter extends Waiter {
  readonly granted: Deferred.Deferred<void, StoreUnavailable>
}

const makeWaiter = (): PermitWaiter => {
  const granted = Deferred.makeUnsafe<void, StoreUnavailable>()
  return { granted, timeOut: () => void Deferred.doneUnsafe(granted, Exit.fail(queueFull)) }
}

export interface Admission {
  /** Whether the calls that this work is for were admitted before: then it needs no slot and has no time limit of its own. */
  readonly isAdmitted: boolean
}

const needsAdmission: Admission = { isAdmitted: false }

export const skipAdmission: Admission = { isAdmitted: true }

export class Semaphore {
  readonly #admission: AdmissionQueue
  readonly #waiters = new Set<PermitWaiter>()
  readonly #permits: number
  #taken = 0

  constructor(admission: AdmissionQueue, permits: number) {
    this.#admission = admission
    this.#permits = permits
  }

  /** No permit is taken, which implies that there are no waiters. */
  get isIdle(): boolean {
    return this.#taken === 0
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** Runs `work` with a permit; `waited` says that it had to wait for one, so that state read before may be stale. */
  run<A, E, R>(
    work: (waited: boolean) => Effect.Effect<A, E, R>,
    admission = needsAdmission
  ): Effect.Effect<A, E | StoreUnavailable, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend((): Effect.Effect<A, E | StoreUnavailable, R> => {
        if (this.#taken < this.#permits) {
          this.#taken++
          return Effect.ensuring(restore(Effect.suspend(() => work(false))), this.#release)
        }
        return Effect.flatMap(this.#wait(restore, admission), () =>
          Effect.ensuring(restore(Effect.suspend(() => work(true))), this.#release)
        )
      })
    )
  }

  /** Hands the permit straight to the next waiter, so that no later caller can take it in between. */
  readonly #release = Effect.sync(() => this.#handOver())

  #handOver(): void {
    const [next] = this.#waiters
    if (next === undefined) this.#taken--
    else {
      this.#waiters.delete(next)
      Deferred.doneUnsafe(next.granted, Exit.void)
    }
  }

  #wait(restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>, { isAdmitted }: Admission) {
    const waiter = makeWaiter()
    if (!isAdmitted && !this.#admission.admit(waiter)) return Effect.fail(queueFull)
    this.#waiters.add(waiter)
    return restore(Deferred.await(waiter.granted)).pipe(
      // A waiter that is interrupted just after its permit was granted hands it on.
      Effect.onError(() =>
        Effect.sync(() => {
          if (!this.#waiters.delete(waiter)) this.#handOver()
        })
      ),
      Effect.ensuring(Effect.sync(() => void this.#admission.remove(waiter)))
    )
  }
}
