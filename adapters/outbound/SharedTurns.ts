// Turns that are shared out: so many at once in all, for one host and for one network. Who waits for a turn takes none, is passed by those
// whose share is free, and gives up after a while. Those who wait are bounded in the same way.
import { Deferred, type Duration, Effect } from "effect"
import { type ShareBounds, Shares } from "#core/domain/shared/Shares.ts"

export interface TurnOf {
  readonly host: string
  /** `null`: it has no share by network. */
  readonly network: string | null
}

interface Waiting extends TurnOf {
  readonly begins: Deferred.Deferred<void>
}

export interface TurnBounds {
  readonly atOnce: number
  readonly perHost: number
  readonly perNetwork: number
  /** How many may wait, and how many of one network. */
  readonly waiting: ShareBounds
  readonly patience: Duration.Input
}

export class SharedTurns {
  readonly #bounds: TurnBounds
  readonly #hosts: Shares
  readonly #networks: Shares
  readonly #places: Shares
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>()

  constructor(bounds: TurnBounds) {
    const { atOnce, perHost, perNetwork } = bounds
    this.#bounds = bounds
    this.#hosts = new Shares({ capacity: atOnce, perSource: perHost })
    this.#networks = new Shares({ capacity: atOnce, perSource: perNetwork })
    this.#places = new Shares(bounds.waiting)
  }

  /** Fails with `busy` where too many wait, or the turn does not come in time. */
  run<A, E, R>(turn: TurnOf, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | "busy", R> {
    return Effect.uninterruptibleMask((restore) => {
      const place = turn.network ?? turn.host
      if (!this.#places.take(place)) return Effect.fail("busy" as const)
      const one: Waiting = { ...turn, begins: Deferred.makeUnsafe<void>() }
      this.#waiting.add(one)
      this.#beginNext()
      const begun = Effect.timeoutOrElse(Deferred.await(one.begins), {
        duration: this.#bounds.patience,
        orElse: () => Effect.fail("busy" as const)
      })
      return Effect.ensuring(
        restore(Effect.andThen(begun, effect)),
        Effect.sync(() => this.#leave(one))
      )
    })
  }

  #beginNext(): void {
    for (const one of this.#waiting) {
      if (!this.#take(one)) continue
      this.#waiting.delete(one)
      this.#places.giveBack(one.network ?? one.host)
      Deferred.doneUnsafe(one.begins, Effect.void)
    }
  }

  #take({ host, network }: TurnOf): boolean {
    if (!this.#hosts.take(host)) return false
    if (network === null || this.#networks.take(network)) return true
    this.#hosts.giveBack(host)
    return false
  }

  #leave(one: Waiting): void {
    if (this.#waiting.delete(one)) {
      this.#places.giveBack(one.network ?? one.host)
      return
    }
    this.#hosts.giveBack(one.host)
    if (one.network !== null) this.#networks.giveBack(one.network)
    this.#beginNext()
  }
}
