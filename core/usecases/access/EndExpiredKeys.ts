// Ends the keys whose time is over, as a revocation ends them. The time by which a key is refused does not wait for this: it is compared
// wherever the key is used.
import { Context, Effect, Layer } from "effect"
import { expireKey } from "#core/decisions/access/Keys.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { SweepQuotes } from "../ordering/SweepQuotes.ts"

/** Each is one small transaction; what is left is ended by the next pass. */
const AT_ONCE = 20

export class EndExpiredKeys extends Context.Service<
  EndExpiredKeys,
  {
    /** Ends their webhooks, drops pending deliveries, and abandons what awaits approval. Returns how many keys it looked at. */
    readonly pass: Effect.Effect<number, StoreUnavailable>
  }
>()("backlinks/usecases/access/EndExpiredKeys") {
  static readonly layer = Layer.effect(
    EndExpiredKeys,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const book = yield* OrderBook
      const { sweepRevoked } = yield* SweepQuotes

      const pass = Effect.fnUntraced(function* () {
        const due = yield* keys.expired({ limit: AT_ONCE })
        for (const keyId of due) {
          // Keys are never deleted.
          const { accountId } = yield* book
            .transact({ _tag: "ForKey", keyId }, expireKey(keyId))
            .pipe(Effect.catchTag("KeyNotFound", Effect.die))
          yield* sweepRevoked(accountId)
        }
        return due.length
      })

      return EndExpiredKeys.of({ pass: pass() })
    })
  )
}
