// Bounds how many wait, and for how long, and shares the places fairly: when it is full, a waiter takes the place of the account that holds
// most, or is refused. In which order they are served is up to those who serve them.
import { Duration, Effect, Schedule, type Scope } from "effect"
import { ListNode } from "./ListNode.ts"

export interface Waiter {
  /** Whose share of the places it takes; by default that of work without an account. */
  readonly account?: string
  /** Called after the queue has removed it because it waited too long, or for another account. */
  readonly refuse: () => void
  /** Set by the queue while the waiter is in it. */
  slot?: Slot | undefined
}

/** In order of arrival. */
class Slot extends ListNode {
  readonly waiter: Waiter | null
  readonly admittedAtMs: number

  constructor(waiter: Waiter | null, admittedAtMs: number) {
    super()
    this.waiter = waiter
    this.admittedAtMs = admittedAtMs
  }
}

const accountOf = ({ account = "" }: Waiter): string => account

export interface Bounds {
  readonly capacity: number
  readonly maxWaitMs: number
  readonly nowMs: () => number
}

/**
 * A linked list instead of a `Set` or `Map`: when those resize, the old table keeps a reference to its successor, and once one of them is
 * in the old generation, minor garbage collections retain every waiter that was ever in any of them.
 */
export class AdmissionQueue {
  readonly capacity: number
  readonly #maxWaitMs: number
  readonly #nowMs: () => number
  /** Follows the newest slot and precedes the oldest. */
  readonly #sentinel = new Slot(null, 0)
  /** Waiters by account. */
  readonly #held = new Map<string, number>()
  #size = 0

  constructor({ capacity, maxWaitMs, nowMs }: Bounds) {
    this.capacity = capacity
    this.#maxWaitMs = maxWaitMs
    this.#nowMs = nowMs
  }

  get size(): number {
    return this.#size
  }

  /** Whether there was room, or some was made. */
  admit(waiter: Waiter): boolean {
    const account = accountOf(waiter)
    if (this.#size >= this.capacity && !this.#makeRoomFor(account)) return false
    this.#held.set(account, (this.#held.get(account) ?? 0) + 1)
    waiter.slot = new Slot(waiter, this.#nowMs())
    waiter.slot.insertBefore(this.#sentinel)
    this.#size++
    return true
  }

  /** Whether it was in the queue: only the first of start, cancellation and refusal takes effect. */
  remove(waiter: Waiter): boolean {
    const { slot } = waiter
    if (slot === undefined) return false
    waiter.slot = undefined
    slot.unlink()
    this.#size--
    const account = accountOf(waiter)
    const left = (this.#held.get(account) ?? 0) - 1
    if (left > 0) this.#held.set(account, left)
    else this.#held.delete(account)
    return true
  }

  /**
   * Refuses the newest waiter of the account that holds most, unless the given one would then hold as much or more: places move only
   * towards equal shares, and never back and forth.
   */
  #makeRoomFor(account: string): boolean {
    let greediest = ""
    let most = 0
    for (const [other, count] of this.#held) {
      if (count > most) [greediest, most] = [other, count]
    }
    if ((this.#held.get(account) ?? 0) + 1 >= most) return false
    let slot = this.#sentinel.previous
    while (slot.waiter !== null && accountOf(slot.waiter) !== greediest) slot = slot.previous
    return this.#refuse(slot.waiter)
  }

  /** Refuses those that have waited too long, `most` at once: refusals take time, too. */
  refuseExpired(most = Number.POSITIVE_INFINITY): void {
    const latestMs = this.#nowMs() - this.#maxWaitMs
    for (let refused = 0; refused < most; refused++) {
      const { waiter, admittedAtMs } = this.#sentinel.next
      if (admittedAtMs >= latestMs || !this.#refuse(waiter)) return
    }
  }

  #refuse(waiter: Waiter | null): boolean {
    if (waiter === null) return false
    this.remove(waiter)
    waiter.refuse()
    return true
  }
}

/** Enough that those who came together are refused in small groups: each group keeps the thread from other work. */
const TICKS_PER_WAIT = 50

/**
 * A queue with a clock that ticks until the scope ends: setting the machine's clock refuses no waiter. They are refused between `maxWait`
 * and a fiftieth of it later.
 */
export const makeAdmissionQueue = Effect.fnUntraced(function* (options: {
  readonly capacity: number
  readonly maxWait: Duration.Input
}): Effect.fn.Return<AdmissionQueue, never, Scope.Scope> {
  const maxWaitMs = Duration.toMillis(Duration.fromInputUnsafe(options.maxWait))
  const intervalMs = maxWaitMs / TICKS_PER_WAIT
  let tick = 0
  const queue = new AdmissionQueue({ capacity: options.capacity, maxWaitMs, nowMs: () => tick * intervalMs })
  const pass = Effect.sync(() => {
    tick++
    queue.refuseExpired()
  })
  yield* pass.pipe(Effect.repeat(Schedule.spaced(intervalMs)), Effect.forkScoped)
  return queue
})
