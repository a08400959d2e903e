// Where everybody waits who waits for the database: so many seats, and so long. Whoever finds no seat, or has waited in vain, is told
// so. What they wait for, and who is called when, is not its business.
import { Duration, Effect, Schedule, type Scope } from "effect"
import { StoreUnavailable } from "#core/ports/Faults.ts"

/** Somebody who waits. */
export interface Guest {
  /** Its patience has run out, and it has no seat any more. */
  readonly tire: () => void
  /** The room's: where it sits. */
  seat?: Seat | undefined
}

/** Stands in a ring, between who came before and who came after. */
class Seat {
  readonly guest: Guest | null
  /** The round in which it was taken. */
  readonly since: number
  earlier: Seat = this
  later: Seat = this

  constructor(guest: Guest | null, since: number) {
    this.guest = guest
    this.since = since
  }

  joinBefore(next: Seat): void {
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
export const full = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

/** How often within a guest's patience somebody looks whether it has run out. */
const LOOKS = 5

/**
 * Who has left is not held by who has left before. In a `Set` or a `Map` it is: a table that became too small goes on pointing at the one
 * that replaced it, and once the first of them has grown old, garbage collection that looks at young objects only takes all who were ever
 * in any of them for alive.
 */
export class WaitingRoom {
  readonly seats: number
  /** Between the last who came and the first. */
  readonly #door = new Seat(null, 0)
  #taken = 0
  #round = 0

  constructor(seats: number) {
    this.seats = seats
  }

  get taken(): number {
    return this.#taken
  }

  /** Whether there was a seat. */
  enter(guest: Guest): boolean {
    if (this.#taken >= this.seats) return false
    guest.seat = new Seat(guest, this.#round)
    guest.seat.joinBefore(this.#door)
    this.#taken++
    return true
  }

  /** Whether it still had its seat: it is called, or gives up, once. */
  leave(guest: Guest): boolean {
    const { seat } = guest
    if (seat === undefined) return false
    guest.seat = undefined
    seat.stepOut()
    this.#taken--
    return true
  }

  /** Sends away whoever was there at so many rounds. Counted, not timed: a clock that is set tires nobody. */
  lookRound(): void {
    this.#round++
    for (;;) {
      const { guest, since } = this.#door.later
      if (guest === null || this.#round - since <= LOOKS) return
      this.leave(guest)
      guest.tire()
    }
  }
}

/** A room that is looked after until the scope ends. Nobody is sent away before its patience has run out, nor a fifth of it later. */
export const waitingRoom = Effect.fnUntraced(function* (options: {
  readonly seats: number
  readonly patience: Duration.Input
}): Effect.fn.Return<WaitingRoom, never, Scope.Scope> {
  const room = new WaitingRoom(options.seats)
  const pause = Duration.toMillis(Duration.fromInputUnsafe(options.patience)) / LOOKS
  yield* Effect.sync(() => room.lookRound()).pipe(Effect.repeat(Schedule.spaced(pause)), Effect.forkScoped)
  return room
})
