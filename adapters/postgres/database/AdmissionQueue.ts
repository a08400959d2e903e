// Where everybody waits who waits for the database: so many seats, and so long. Whoever finds no seat, or has waited in vain, is told
// so. What they wait for, and who is called when, is not its business.
import { Duration, Effect, Schedule, type Scope } from "effect"
import { StoreUnavailable } from "#core/ports/PortErrors.ts"

/** Somebody who waits. */
export interface Waiter {
  /** Its patience has run out, and it has no seat any more. */
  readonly timeOut: () => void
  /** The room's: where it sits. */
  slot?: Slot | undefined
}

/** Stands in a ring, between who came before and who came after. */
class Slot {
  readonly guest: Waiter | null
  /** The round in which it was taken. */
  readonly since: number
  earlier: Slot = this
  later: Slot = this

  constructor(guest: Waiter | null, since: number) {
    this.guest = guest
    this.since = since
  }

  joinBefore(next: Slot): void {
    this.earlier = next.earlier
    this.later = next
    this.earlier.later = this
    next.earlier = this
  }

  /** Knows nobody afterwards. */
  stepOut(): void {
    this.earlier.later = this.later
    this.later.earlier = this.earlier
    this.earlier = this
    this.later = this
  }
}

const RETRY_AFTER_SECONDS = 1

/** For those who find no place to wait, or wait in vain. */
export const queueFull = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

/** How often within a guest's patience somebody looks whether it has run out. */
const LOOKS = 5

/**
 * Who has left is not held by who has left before. In a `Set` or a `Map` it is: a table that became too small goes on pointing at the one
 * that replaced it, and once the first of them has grown old, garbage collection that looks at young objects only takes all who were ever
 * in any of them for alive.
 */
export class AdmissionQueue {
  readonly capacity: number
  /** Between the last who came and the first. */
  readonly #door = new Slot(null, 0)
  #taken = 0
  #round = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.#taken
  }

  /** Whether there was a seat. */
  admit(guest: Waiter): boolean {
    if (this.#taken >= this.capacity) return false
    guest.slot = new Slot(guest, this.#round)
    guest.slot.joinBefore(this.#door)
    this.#taken++
    return true
  }

  /** Whether it still had its seat: it is called, or gives up, once. */
  remove(guest: Waiter): boolean {
    const { slot: seat } = guest
    if (seat === undefined) return false
    guest.slot = undefined
    seat.stepOut()
    this.#taken--
    return true
  }

  /** Sends away whoever was there at so many rounds. Counted, not timed: a clock that is set tires nobody. */
  evictExpired(): void {
    this.#round++
    for (;;) {
      const { guest, since } = this.#door.later
      if (guest === null || this.#round - since <= LOOKS) return
      this.remove(guest)
      guest.timeOut()
    }
  }
}

/** A room that is looked after until the scope ends. Nobody is sent away before its patience has run out, nor a fifth of it later. */
export const makeAdmissionQueue = Effect.fnUntraced(function* (options: {
  readonly capacity: number
  readonly maxWait: Duration.Input
}): Effect.fn.Return<AdmissionQueue, never, Scope.Scope> {
  const room = new AdmissionQueue(options.capacity)
  const pause = Duration.toMillis(Duration.fromInputUnsafe(options.maxWait)) / LOOKS
  yield* Effect.sync(() => room.evictExpired()).pipe(Effect.repeat(Schedule.spaced(pause)), Effect.forkScoped)
  return room
})
