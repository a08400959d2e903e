// Bounded admission queue: refuses a waiter with `queueFull` when it is full, and times out each that waits too long.
import { Duration, Effect, Schedule, type Scope } from "effect"
import { StoreUnavailable } from "#core/ports/PortErrors.ts"

export interface Waiter {
  /** Called after the queue has removed it because it waited too long. */
  readonly timeOut: () => void
  /** Set by the queue while the waiter is in it. */
  slot?: Slot | undefined
}

/** A node of a circular list, in order of arrival. */
class Slot {
  readonly waiter: Waiter | null
  readonly admittedAtTick: number
  previous: Slot = this
  next: Slot = this

  constructor(waiter: Waiter | null, admittedAtTick: number) {
    this.waiter = waiter
    this.admittedAtTick = admittedAtTick
  }

  insertBefore(successor: Slot): void {
    this.previous = successor.previous
    this.next = successor
    this.previous.next = this
    successor.previous = this
  }

  /** Clears its own references, too. */
  unlink(): void {
    this.previous.next = this.next
    this.next.previous = this.previous
    this.previous = this
    this.next = this
  }
}

const RETRY_AFTER_SECONDS = 1

export const queueFull = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

const TICKS_PER_WAIT = 5

/**
 * A linked list instead of a `Set` or `Map`: when those resize, the old table keeps a reference to its successor, and once one of them is
 * in the old generation, minor garbage collections retain every waiter that was ever in any of them.
 */
export class AdmissionQueue {
  readonly capacity: number
  /** Follows the newest slot and precedes the oldest. */
  readonly #sentinel = new Slot(null, 0)
  #size = 0
  #tick = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.#size
  }

  /** Whether there was room. */
  admit(waiter: Waiter): boolean {
    if (this.#size >= this.capacity) return false
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

/** A queue that ticks until the scope ends. Waiters time out between `maxWait` and a fifth of it later. */
export const makeAdmissionQueue = Effect.fnUntraced(function* (options: {
  readonly capacity: number
  readonly maxWait: Duration.Input
}): Effect.fn.Return<AdmissionQueue, never, Scope.Scope> {
  const queue = new AdmissionQueue(options.capacity)
  const interval = Duration.toMillis(Duration.fromInputUnsafe(options.maxWait)) / TICKS_PER_WAIT
  yield* Effect.sync(() => queue.evictExpired()).pipe(Effect.repeat(Schedule.spaced(interval)), Effect.forkScoped)
  return queue
})
