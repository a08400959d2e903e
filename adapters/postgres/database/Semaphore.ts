// Semaphore whose waiters are bounded by the admission queue and served in order, one of each account in turn. Effect's own has neither
// a bound nor a time limit, and after a release it lets a later caller overtake those that wait.
import { Deferred, Effect, Exit } from "effect"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import { Turns } from "#adapters/concurrency/Turns.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type AdmissionQueue, queueFull, type Waiter } from "./AdmissionQueue.ts"

interface PermitWaiter extends Waiter {
  readonly grant: () => void
}

const ignore = (): void => undefined

export interface Admission {
  /** Whether the calls that this work is for were admitted before: then it needs no slot, and their time limits count. */
  readonly isAdmitted: boolean
  /** Whether it is for the calling account alone, and waits for its turn. */
  readonly isOwn: boolean
}

const needsAdmission: Admission = { isAdmitted: false, isOwn: true }

/** Work that may be for several accounts, and must not wait for the turn of the one that began it. */
export const skipAdmission: Admission = { isAdmitted: true, isOwn: false }

/**
 * The rest of what an account's turn began. The account gets a turn for it beside each turn for what it begins: so neither it nor what
 * others have begun piles up before it.
 */
export const continueTurn: Admission = { isAdmitted: true, isOwn: true }

const turnOf = ({ isAdmitted, isOwn }: Admission, account: string): string => {
  if (!isOwn) return ""
  return isAdmitted ? `the rest of ${account}` : account
}

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

  /** Runs `work` with a permit; `waited` says that it had to wait for one, so that state read before may be stale. */
  run<A, E, R>(
    work: (waited: boolean) => Effect.Effect<A, E, R>,
    admission = needsAdmission
  ): Effect.Effect<A, E | StoreUnavailable, R> {
    return Effect.uninterruptibleMask((restore) =>
      // The account is read first: no other fiber may run between the look at the permits and the wait for one.
      Effect.flatMap(CallingAccount, (account): Effect.Effect<A, E | StoreUnavailable, R> => {
        if (this.waiting === 0 && this.#taken < this.#permits()) {
          this.#taken++
          return Effect.ensuring(restore(Effect.suspend(() => work(false))), this.#release)
        }
        return Effect.flatMap(this.#wait(restore, admission, account), () =>
          Effect.ensuring(restore(Effect.suspend(() => work(true))), this.#release)
        )
      })
    )
  }

  /**
   * Takes a permit at once or in turn, and calls `granted` then. It waits without a slot and a time limit, for work whose calls were
   * admitted before, and ends with `release`.
   */
  take(granted: () => void): void {
    if (this.waiting === 0 && this.#taken < this.#permits()) {
      this.#taken++
      granted()
    } else this.#waiters.add(turnOf(skipAdmission, ""), { grant: granted, timeOut: ignore })
  }

  readonly #release = Effect.sync(() => this.release())

  /** Hands the permit straight to the next waiter, so that no later caller can take it in between. */
  release(): void {
    this.#taken--
    // Each permit that there is now more than before goes to a waiter.
    while (this.waiting > 0 && this.#taken < this.#permits()) this.#grantNext()
  }

  #grantNext(): void {
    this.#taken++
    this.#waiters.take()?.grant()
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
      timeOut: () => void Deferred.doneUnsafe(granted, Exit.fail(queueFull))
    }
    if (!admission.isAdmitted && !this.#admission.admit(waiter)) return Effect.fail(queueFull)
    const waiting = this.#waiters.add(turnOf(admission, account), waiter)
    return restore(Deferred.await(granted)).pipe(
      // A waiter that is interrupted just after its permit was granted hands it on.
      Effect.onError(() =>
        Effect.sync(() => {
          if (!this.#waiters.remove(waiting)) this.release()
        })
      ),
      Effect.ensuring(Effect.sync(() => void this.#admission.remove(waiter)))
    )
  }
}
