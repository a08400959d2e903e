// Lets so many work at once and keeps the others waiting in line. Whoever finds no seat to wait, or waits in vain, is told so. What is
// done behind the gate is not its business.
import { Deferred, Effect, Exit } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { full, type Guest, type WaitingRoom } from "./WaitingRoom.ts"

/** Somebody in line. */
interface Turn extends Guest {
  readonly come: Deferred.Deferred<void, StoreUnavailable>
}

const newTurn = (): Turn => {
  const come = Deferred.makeUnsafe<void, StoreUnavailable>()
  return { come, tire: () => void Deferred.doneUnsafe(come, Exit.fail(full)) }
}

/** Whether somebody comes for those who have, or had, seats of their own, and so takes none and loses no patience. */
export interface Visit {
  readonly isForSeated: boolean
}

const forOneself: Visit = { isForSeated: false }

export const forTheSeated: Visit = { isForSeated: true }

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
  pass<A, E, R>(
    work: (waited: boolean) => Effect.Effect<A, E, R>,
    visit = forOneself
  ): Effect.Effect<A, E | StoreUnavailable, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend((): Effect.Effect<A, E | StoreUnavailable, R> => {
        if (this.#inside < this.#width) {
          this.#inside++
          return Effect.ensuring(restore(Effect.suspend(() => work(false))), this.#leave)
        }
        return Effect.flatMap(this.#wait(restore, visit), () =>
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
      Deferred.doneUnsafe(next.come, Exit.void)
    }
  }

  #wait(restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>, { isForSeated }: Visit) {
    const turn = newTurn()
    if (!isForSeated && !this.#room.enter(turn)) return Effect.fail(full)
    this.#line.add(turn)
    return restore(Deferred.await(turn.come)).pipe(
      // Whoever gives up in the very moment of being called passes the place on.
      Effect.onError(() =>
        Effect.sync(() => {
          if (!this.#line.delete(turn)) this.#handOn()
        })
      ),
      Effect.ensuring(Effect.sync(() => void this.#room.leave(turn)))
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

  pass<A, E, R>(key: string, work: (waited: boolean) => Effect.Effect<A, E, R>, visit?: Visit) {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const gate = this.#gates.get(key) ?? new Gate(this.#room, 1)
        this.#gates.set(key, gate)
        const tidy = Effect.sync(() => {
          if (gate.isIdle && this.#gates.get(key) === gate) this.#gates.delete(key)
        })
        return Effect.ensuring(restore(gate.pass(work, visit)), tidy)
      })
    )
  }
}
