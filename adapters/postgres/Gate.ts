// Lets so many work at once and keeps the others waiting in line: not too many of them, and nobody for too long. Whoever finds
// no place, or waits in vain, is told so at once. What is done behind the gate is not its business.
import { Deferred, type Duration, Effect } from "effect"
import { StoreUnavailable } from "#core/ports/Faults.ts"

/** How many may wait, at all gates that share it, and how long. */
export interface WaitingRoom {
  readonly seats: number
  readonly patience: Duration.Input
  taken: number
}

/** Somebody in line. */
interface Turn {
  readonly come: Deferred.Deferred<void>
}

const RETRY_AFTER_SECONDS = 1

/** For those who find no place to wait, or wait in vain. */
export const full = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

export class Gate {
  readonly #room: WaitingRoom
  readonly #line = new Set<Turn>()
  readonly #width: number
  #inside = 0

  constructor(room: WaitingRoom, width: number) {
    this.#room = room
    this.#width = width
  }

  /** Nobody is inside, and so nobody waits. */
  get isIdle(): boolean {
    return this.#inside === 0
  }

  get waiting(): number {
    return this.#line.size
  }

  /** Those who wait go in as they came. `work` is told whether it had to wait: the world may have changed meanwhile. */
  pass<A, E, R>(work: (waited: boolean) => Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend((): Effect.Effect<A, E | StoreUnavailable, R> => {
        if (this.#inside < this.#width) {
          this.#inside++
          return Effect.ensuring(restore(Effect.suspend(() => work(false))), this.#leave)
        }
        return Effect.flatMap(this.#wait(restore), () =>
          Effect.ensuring(restore(Effect.suspend(() => work(true))), this.#leave)
        )
      })
    )
  }

  /** The place of one who leaves goes straight to the next in line, so that nobody can slip in between. */
  readonly #leave = Effect.sync(() => this.#handOn())

  #handOn(): void {
    const [next] = this.#line
    if (next === undefined) this.#inside--
    else {
      this.#line.delete(next)
      Deferred.doneUnsafe(next.come, Effect.void)
    }
  }

  #wait(restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) {
    const room = this.#room
    if (room.taken >= room.seats) return Effect.fail(full)
    const turn: Turn = { come: Deferred.makeUnsafe() }
    room.taken++
    this.#line.add(turn)
    // Interruptible even for a caller that is not: otherwise patience could not run out.
    const awaited = Effect.timeoutOrElse(Effect.interruptible(Deferred.await(turn.come)), {
      duration: room.patience,
      orElse: () => Effect.fail(full)
    })
    return restore(awaited).pipe(
      // Whoever gives up in the very moment of being called passes the place on.
      Effect.onError(() =>
        Effect.sync(() => {
          if (!this.#line.delete(turn)) this.#handOn()
        })
      ),
      Effect.ensuring(Effect.sync(() => void room.taken--))
    )
  }
}

/** A gate for each key, one at a time through each, for as long as somebody is there. */
export class Lanes {
  readonly #room: WaitingRoom
  readonly #gates = new Map<string, Gate>()

  constructor(room: WaitingRoom) {
    this.#room = room
  }

  pass<A, E, R>(key: string, work: (waited: boolean) => Effect.Effect<A, E, R>) {
    return Effect.suspend(() => {
      const gate = this.#gates.get(key) ?? new Gate(this.#room, 1)
      this.#gates.set(key, gate)
      const tidy = Effect.sync(() => {
        if (gate.isIdle && this.#gates.get(key) === gate) this.#gates.delete(key)
      })
      return Effect.ensuring(gate.pass(work), tidy)
    })
  }
}
