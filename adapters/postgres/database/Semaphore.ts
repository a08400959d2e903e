// Semaphore whose waiters are bounded by the admission queue and served one of each account in turn.
import { Deferred, Effect, Exit } from "effect"
import type { AdmissionQueue, Waiter } from "#adapters/concurrency/AdmissionQueue.ts"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import { Turns } from "#adapters/concurrency/Turns.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { queueFull } from "./SqlErrors.ts"

interface PermitWaiter extends Waiter {
  readonly grant: () => void
}

/**
 * `admitted`: the calls that the work is for have waited their turn, so that it needs no place in the queue, their time limits count, and it
 * waits for no account's turn.
 */
export type Admission = "admitted" | "own"

export class Semaphore {
  readonly #admission: AdmissionQueue
  readonly #waiters = new Turns<PermitWaiter>()
  readonly #permits: () => number
  #taken = 0

  /** The number of permits may change, but is at least 1. */
  constructor(admission: AdmissionQueue, permits: number | (() => number)) {
    this.#admission = admission
    this.#permits = typeof permits === "number" ? () => permits : permits
  }

  get waiting(): number {
    return this.#waiters.size
  }

  run<A, E, R>(work: Effect.Effect<A, E, R>, admission: Admission = "own"): Effect.Effect<A, E | StoreUnavailable, R> {
    return Effect.uninterruptibleMask((restore) =>
      // The account is read first: no other fiber may run between the look at the permits and the wait for one.
      Effect.flatMap(CallingAccount, (account): Effect.Effect<A, E | StoreUnavailable, R> => {
        const held = Effect.ensuring(restore(work), this.#release)
        if (this.waiting > 0 || this.#taken >= this.#permits()) {
          return Effect.andThen(this.#wait(restore, admission, account), held)
        }
        this.#taken++
        return held
      })
    )
  }

  readonly #release = Effect.sync(() => this.#releaseOne())

  /** Hands the permit straight to the next waiter, so that no later caller can take it in between. */
  #releaseOne(): void {
    this.#taken--
    // Each permit that there is now more than before goes to a waiter.
    while (this.waiting > 0 && this.#taken < this.#permits()) {
      this.#taken++
      this.#waiters.take()?.grant()
    }
  }

  #wait(
    restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
    admission: Admission,
    account: string
  ) {
    const granted = Deferred.makeUnsafe<void, StoreUnavailable>()
    const waiter: PermitWaiter = {
      account,
      grant: () => void Deferred.doneUnsafe(granted, Exit.void),
      refuse: () => void Deferred.doneUnsafe(granted, Exit.fail(queueFull))
    }
    if (admission === "own" && !this.#admission.admit(waiter)) return Effect.fail(queueFull)
    const waiting = this.#waiters.add(admission === "own" ? account : "", waiter)
    return restore(Deferred.await(granted)).pipe(
      // A waiter that is interrupted just after its permit was granted hands it on.
      Effect.onError(() =>
        Effect.sync(() => {
          if (!this.#waiters.remove(waiting)) this.#releaseOne()
        })
      ),
      Effect.ensuring(Effect.sync(() => void this.#admission.remove(waiter)))
    )
  }
}
