// Lets the page of a payment wait on the server until the payment has reached a state to show, so that no page loads itself again. The wait is
// bounded in time and in number, holds no place among the requests, and ends when its client leaves or the service stops.
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import type { AccountId } from "#core/domain/shared/Ids.ts"

/** The longest that a page waits, in milliseconds. Taken when the service is built. */
export const LongestWait = Context.Reference<number>("backlinks/web/LongestWait", { defaultValue: () => 8_000 })

/** The parts of the longest wait, at whose ends a page looks again; at the end of the last it answers. */
const LOOKS = 8

/** Pages that wait at once: each holds a connection, of 5,000, and asks the store once a second. */
export const MOST_WAITING = 64

/** Pages of one account that wait at once: a link to a payment may be known to many. */
export const MOST_OF_ONE_ACCOUNT = 4

interface Awaited<A, E, R> {
  readonly accountId: AccountId
  /** Reads the state again. A state that cannot be read is as it was. */
  readonly look: Effect.Effect<A, E, R>
  readonly isFinal: (state: A) => boolean
}

interface Options {
  /** Frees the place of the request among those that are served. */
  readonly leaveTurn: (request: HttpServerRequest.HttpServerRequest) => void
  /** Completes when the service begins to stop. */
  readonly stopping: Effect.Effect<void>
}

class Places {
  readonly #held = new Map<AccountId, number>()
  #size = 0

  /** Whether there was a place. */
  take(accountId: AccountId): boolean {
    const held = this.#held.get(accountId) ?? 0
    if (held >= MOST_OF_ONE_ACCOUNT || this.#size >= MOST_WAITING) return false
    this.#held.set(accountId, held + 1)
    this.#size++
    return true
  }

  free(accountId: AccountId): void {
    const left = (this.#held.get(accountId) ?? 0) - 1
    if (left > 0) this.#held.set(accountId, left)
    else this.#held.delete(accountId)
    this.#size--
  }
}

export class PaymentWaits extends Context.Service<
  PaymentWaits,
  {
    /** Returns the state once it is final, or as it is after the longest wait; at once if it is final already, or too many wait. */
    readonly settled: <A, E, R>(seen: A, awaited: Awaited<A, E, R>) => Effect.Effect<A, never, R>
  }
>()("backlinks/web/PaymentWaits") {
  static readonly layer = ({ leaveTurn, stopping }: Options): Layer.Layer<PaymentWaits> =>
    Layer.effect(
      PaymentWaits,
      Effect.gen(function* () {
        const longestMs = yield* LongestWait
        const places = new Places()

        const leave = Effect.map(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) => {
          if (request._tag === "Some") leaveTurn(request.value)
        })

        /** A look may take long, too: it is cut off at the end of the wait. */
        const watch = <A, E, R>(seen: A, { look, isFinal }: Awaited<A, E, R>): Effect.Effect<A, never, R> => {
          let state = seen
          const looks = Effect.gen(function* () {
            while (!isFinal(state)) {
              yield* Effect.sleep(longestMs / LOOKS)
              const before = state
              state = yield* Effect.orElseSucceed(look, () => before)
            }
          })
          return Effect.map(Effect.timeoutOption(looks, longestMs), () => state)
        }

        return PaymentWaits.of({
          settled: (seen, awaited) => {
            if (awaited.isFinal(seen)) return Effect.succeed(seen)
            const { accountId } = awaited
            return Effect.acquireUseRelease(
              Effect.sync(() => places.take(accountId)),
              (hasPlace) =>
                hasPlace
                  ? Effect.andThen(leave, Effect.raceFirst(watch(seen, awaited), Effect.as(stopping, seen)))
                  : Effect.succeed(seen),
              (hasPlace) => Effect.sync(() => (hasPlace ? places.free(accountId) : undefined))
            )
          }
        })
      })
    )
}
