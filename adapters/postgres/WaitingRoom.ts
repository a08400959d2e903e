// Where everybody waits who waits for the database: so many seats, and so long. Whoever finds no seat, or has waited in vain, is told
// so. What they wait for, and who is called when, is not its business.
import { Duration, Effect, Schedule, type Scope } from "effect"
import { StoreUnavailable } from "#core/ports/Faults.ts"

/** Somebody who waits. */
export interface Guest {
  /** Its patience has run out, and it has no seat any more. */
  readonly tire: () => void
}

const RETRY_AFTER_SECONDS = 1

/** For those who find no place to wait, or wait in vain. */
export const full = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

/** How often within a guest's patience somebody looks whether it has run out. */
const LOOKS = 5

export class WaitingRoom {
  readonly seats: number
  /** Since which round each of them waits; whoever came first stands first. */
  readonly #guests = new Map<Guest, number>()
  #round = 0

  constructor(seats: number) {
    this.seats = seats
  }

  get taken(): number {
    return this.#guests.size
  }

  /** Whether there was a seat. */
  enter(guest: Guest): boolean {
    if (this.#guests.size >= this.seats) return false
    this.#guests.set(guest, this.#round)
    return true
  }

  /** Whether it still had its seat: it is called, or gives up, once. */
  leave(guest: Guest): boolean {
    return this.#guests.delete(guest)
  }

  /** Sends away whoever was there at so many rounds. Counted, not timed: a clock that is set tires nobody. */
  lookRound(): void {
    this.#round++
    for (const [guest, since] of this.#guests) {
      if (this.#round - since <= LOOKS) return
      this.#guests.delete(guest)
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
