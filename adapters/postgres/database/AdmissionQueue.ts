// Bounded admission queue, shared fairly: when it is full, a waiter takes the slot of the account that holds most, or is refused with
// `queueFull`. Times out each that waits too long.
import { Duration, Effect, Schedule, type Scope } from "effect"
import { ListNode } from "#adapters/concurrency/ListNode.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export interface Waiter {
  /** Whose share of the queue it takes; by default that of work without an account. */
  readonly account?: string
  /** Called after the queue has removed it because it waited too long, or for another account. */
  readonly timeOut: () => void
  /** Set by the queue while the waiter is in it. */
  slot?: Slot | undefined
}

/** In order of arrival. */
class Slot extends ListNode {
  readonly waiter: Waiter | null
  readonly admittedAtTick: number

  constructor(waiter: Waiter | null, admittedAtTick: number) {
    super()
    this.waiter = waiter
    this.admittedAtTick = admittedAtTick
  }
}

const RETRY_AFTER_SECONDS = 1

export const queueFull = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

/** Enough that those who came together are refused in small groups: each group keeps the thread from other work. */
const TICKS_PER_WAIT = 50

const accountOf = ({ account = "" }: Waiter): string => account

/**
 * A linked list instead of a `Set` or `Map`: when those resize, the old table keeps a reference to its successor, and once one of them is
 * in the old generation, minor garbage collections retain every waiter that was ever in any of them.
 */
export class AdmissionQueue {
  readonly capacity: number
  /** Follows the newest slot and precedes the oldest. */
  readonly #sentinel = new Slot(null, 0)
  /** Waiters by account. */
  readonly #held = new Map<string, number>()
  #size = 0
  #tick = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.#size
  }

  /** Whether there was room, or some was made. */
  admit(waiter: Waiter): boolean {
    const account = accountOf(waiter)
    if (this.#size >= this.capacity && !this.#makeRoomFor(account)) return false
    this.#held.set(account, (this.#held.get(account) ?? 0) + 1)
    waiter.slot = new Slot(waiter, this.#tick)
    waiter.slot.insertBefore(this.#sentinel)
    this.#size++
    return true
  }

  /** Whether it was in the queue: only the first of start, cancellation and timeout takes effect. */
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
   * Times out the newest waiter of the account that holds most, unless the given one would then hold as much or more: slots move only
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
    const { waiter } = slot
    if (waiter === null) return false
    this.remove(waiter)
    waiter.timeOut()
    return true
  }

  /** Times out those that were there at `TICKS_PER_WAIT` earlier ticks. Ticks instead of times: setting the clock evicts no waiter. */
  evictExpired(): void {
    this.#tick++
    for (;;) {
      const { waiter, admittedAtTick } = this.#sentinel.next
      if (waiter === null || this.#tick - admittedAtTick <= TICKS_PER_WAIT) return
      this.remove(waiter)
      waiter.timeOut()
    }
  }
}

/** A queue that ticks until the scope ends. Waiters time out between `maxWait` and a fiftieth of it later. */
export const makeAdmissionQueue = Effect.fnUntraced(function* (options: {
  readonly capacity: number
  readonly maxWait: Duration.Input
}): Effect.fn.Return<AdmissionQueue, never, Scope.Scope> {
  const queue = new AdmissionQueue(options.capacity)
  const interval = Duration.toMillis(Duration.fromInputUnsafe(options.maxWait)) / TICKS_PER_WAIT
  yield* Effect.sync(() => queue.evictExpired()).pipe(Effect.repeat(Schedule.spaced(interval)), Effect.forkScoped)
  return queue
})
