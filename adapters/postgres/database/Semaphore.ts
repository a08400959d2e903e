// Lets so many work at once and keeps the others waiting in line. Whoever finds no seat to wait, or waits in vain, is told so. What is
// done behind the gate is not its business.
import { Deferred, Effect, Exit } from "effect"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { type AdmissionQueue, queueFull, type Waiter } from "./AdmissionQueue.ts"

/** Somebody in line. */
interface Turn extends Waiter {
  readonly come: Deferred.Deferred<void, StoreUnavailable>
}

const newTurn = (): Turn => {
  const come = Deferred.makeUnsafe<void, StoreUnavailable>()
  return { come, timeOut: () => void Deferred.doneUnsafe(come, Exit.fail(queueFull)) }
}

/** Whether somebody comes for those who have, or had, seats of their own, and so takes none and loses no patience. */
export interface Admission {
  readonly isAdmitted: boolean
}

const forOneself: Admission = { isAdmitted: false }

export const skipAdmission: Admission = { isAdmitted: true }

export class Semaphore {
  readonly #room: AdmissionQueue
  readonly #line = new Set<Turn>()
  readonly #width: number
  #inside = 0

  constructor(room: AdmissionQueue, width: number) {
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
  run<A, E, R>(
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

  #wait(
    restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
    { isAdmitted: isForSeated }: Admission
  ) {
    const turn = newTurn()
    if (!isForSeated && !this.#room.admit(turn)) return Effect.fail(queueFull)
    this.#line.add(turn)
    return restore(Deferred.await(turn.come)).pipe(
      // Whoever gives up in the very moment of being called passes the place on.
      Effect.onError(() =>
        Effect.sync(() => {
          if (!this.#line.delete(turn)) this.#handOn()
        })
      ),
      Effect.ensuring(Effect.sync(() => void this.#room.remove(turn)))
    )
  }
}

/** A gate for each key, one at a time through each, for as long as somebody is there. */
export class KeyedMutex {
  readonly #room: AdmissionQueue
  readonly #gates = new Map<string, Semaphore>()

  constructor(room: AdmissionQueue) {
    this.#room = room
  }

  run<A, E, R>(key: string, work: (waited: boolean) => Effect.Effect<A, E, R>, visit?: Admission) {
    return Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const gate = this.#gates.get(key) ?? new Semaphore(this.#room, 1)
        this.#gates.set(key, gate)
        const tidy = Effect.sync(() => {
          if (gate.isIdle && this.#gates.get(key) === gate) this.#gates.delete(key)
        })
        return Effect.ensuring(restore(gate.run(work, visit)), tidy)
      })
    )
  }
}
